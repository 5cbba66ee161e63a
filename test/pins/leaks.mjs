// @ts-check
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const RULE_ID = /\b(?:LANG|CTX|STATE|TRACE|CAP|BASE|IX|D)-\d{2}\b/;

/** @type {Map<string, ReturnType<typeof surfaceOf>>} */
const surfaces = new Map();
/** The surface of a package, read once: the compiler takes seconds for it. @param {string} folder */
function knownSurface(folder) {
  const known = surfaces.get(folder) ?? surfaceOf(folder);
  surfaces.set(folder, known);
  return known;
}

/** The emitted declarations of a package, and the symbols that its entries export. @param {string} folder */
function surfaceOf(folder) {
  const home = join(root, 'packages', folder);
  const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const entries = Object.values(exports).flatMap((target) => (typeof target === 'string' ? [] : [join(home, target.types)]));
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  /** @param {ts.Symbol} symbol */
  const target = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  const open = entries.flatMap((file) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    return module ? checker.getExportsOfModule(module).map(target) : [];
  });
  return { home, checker, target, open };
}

/** Names a member of the public declarations whose comment cites a rule: an editor would show the id to users. @param {string} folder */
export function citedRules(folder) {
  const { home, checker, target, open } = knownSurface(folder);
  const seen = new Set();
  /** @type {(symbol: ts.Symbol, path: string) => string[]} */
  const look = (symbol, path) => {
    const meant = target(symbol);
    if (seen.has(meant) || !meant.declarations?.some((one) => one.getSourceFile().fileName.startsWith(join(home, 'dist')))) return [];
    seen.add(meant);
    const [id] = RULE_ID.exec(ts.displayPartsToString(meant.getDocumentationComment(checker))) ?? [];
    const members = [...(meant.members?.values() ?? []), ...(meant.exports?.values() ?? [])];
    return [...(id === undefined ? [] : [`${path}: ${id}`]), ...members.flatMap((member) => look(member, `${path}.${member.name}`))];
  };
  return open.flatMap((symbol) => look(symbol, symbol.name));
}

/**
 * The interfaces and classes that a program meets in the public declarations of a package and cannot name, because no entry exports them.
 * @param {string} folder @returns {string[]}
 */
export function leaksOf(folder) {
  const { home, checker, target, open } = knownSurface(folder);
  const known = new Set(open);
  /** @type {Set<string>} */
  const leaks = new Set();
  for (const symbol of open) {
    for (const declaration of symbol.declarations ?? []) {
      /** @param {ts.Node} node */
      const visit = (node) => {
        if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
          const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
          const found = checker.getSymbolAtLocation(name);
          const meant = found && target(found);
          const [place] = meant?.declarations ?? [];
          const isOurs = place !== undefined && place.getSourceFile().fileName.startsWith(join(home, 'dist'));
          // An alias or a type parameter is shown as what it stands for.
          const isNamed = place !== undefined && (ts.isInterfaceDeclaration(place) || ts.isClassDeclaration(place));
          if (meant && isOurs && isNamed && !known.has(meant))
            leaks.add(`${meant.name} (${relative(home, place.getSourceFile().fileName)}) in ${symbol.name}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(declaration);
    }
  }
  return [...leaks].sort();
}
