// @ts-check
import { readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { concerns, impure, rooms, spellings } from './rules.mjs';

/**
 * The import picture, derived from source, and what is wrong with it.
 *
 * @typedef {{ path: string, text: string }} Source a file, its path from the root of the repository
 * @typedef {{ from: string, typeOnly: boolean }} Import
 */

export const root = fileURLToPath(new URL('../../', import.meta.url));
const marks = /** @type {const} */ (['<!-- rooms:begin (node scripts/architecture.mjs --write) -->', '<!-- rooms:end -->']);

/** Everything that ships: no tests, no type declarations. @returns {Source[]} */
export function sources() {
  const packages = readdirSync(join(root, 'packages'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return packages.flatMap(({ name }) => {
    const folder = join(root, 'packages', name, 'src');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.[cm]?tsx?$/.test(file) && !/\.(?:test|d)\.[cm]?tsx?$/.test(file))
      .map((file) => join(folder, file))
      .map((file) => ({ path: relative(root, file).split(sep).join('/'), text: readFileSync(file, 'utf8') }));
  });
}

/** @param {string} path @returns {string} */
export function roomOf(path) {
  const [, owner = '', , folder = '', ...rest] = path.split('/');
  if (owner !== 'waybill') return owner;
  return rest.length > 0 ? folder : 'entry';
}

/** The room that a package of this repository offers under a name, or undefined. @param {string} specifier */
function roomOfPackage(specifier) {
  const [scope, name = ''] = specifier.split('/');
  if (scope === '@waybill') return name;
  return scope === 'waybill' ? name || 'entry' : undefined;
}

/** @param {readonly Source[]} files */
export function examine(files) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, Set<string>>} */
  const edges = new Map();

  for (const { path, text } of files) {
    const room = roomOf(path);
    const rule = rooms[room];
    /** @param {string} problem */
    const fault = (problem) => problems.push(`${path}: ${problem}`);
    if (!rule) {
      fault(`the room "${room}" is not in the rules`);
      continue;
    }
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    edges.set(room, edges.get(room) ?? new Set());

    for (const { from, typeOnly } of importsOf(tree)) {
      const target = from.startsWith('.') ? posix.join(posix.dirname(path), from) : undefined;
      const other = target === undefined ? roomOfPackage(from) : roomOf(target);
      if (other !== undefined) {
        if (other !== room) {
          edges.get(room)?.add(other);
          if (!rule.rooms.includes(other)) fault(`${room} imports ${other} (${from})`);
        }
        const [mine, theirs] = [concernOf(path), target && concernOf(target)];
        if (mine && theirs && mine !== theirs) fault(`${mine} imports the concern ${theirs} (${from})`);
      } else if (isBuiltin(from)) {
        if (!typeOnly && (room === 'wire' || !(rule.node || runsOnNode(path)))) fault(`imports ${from} outside of a node folder`);
      } else {
        const name = from
          .split('/')
          .slice(0, from.startsWith('@') ? 2 : 1)
          .join('/');
        const place = rule.packages?.[name];
        if (!place?.test(path) && !(typeOnly && room !== 'wire') && !rule.node)
          fault(`imports the package ${name}, which the rules do not allow here`);
      }
    }
    if (room === 'wire') impurities(tree).forEach((what) => fault(`wire is pure, yet it uses ${what}`));
    else if (!rule.spells) spellingsIn(tree).forEach((word) => fault(`spells "${word}", which only wire may`));
  }
  return { problems, edges };
}

/** @param {ts.SourceFile} tree @returns {Import[]} */
function importsOf(tree) {
  /** @type {Import[]} */
  const found = [];
  /** @param {ts.Node | undefined} specifier @param {boolean} typeOnly */
  const add = (specifier, typeOnly) => {
    if (specifier && ts.isStringLiteralLike(specifier)) found.push({ from: specifier.text, typeOnly });
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    // `import { type X } from 'y'` still loads y under verbatimModuleSyntax: only a whole clause is erased.
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node)) add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    else if (ts.isImportEqualsDeclaration(node))
      add(ts.isExternalModuleReference(node.moduleReference) ? node.moduleReference.expression : undefined, node.isTypeOnly);
    else if (
      ts.isCallExpression(node) &&
      (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText(tree) === 'require')
    )
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** `wire/<concern>.ts`, `wire/<concern>/part.ts` or `wire/<concern>-part.ts`. @param {string} path */
const concernOf = (path) => concerns.find((name) => new RegExp(`/src/wire/${name}(?:\\.|/|-|$)`).test(path));

/** @param {string} from */
const isBuiltin = (from) => from.startsWith('node:') || builtinModules.includes(from);

/** @param {string} path */
const runsOnNode = (path) => /\/src\/(?:.*\/)?node(?:\/|[^/]*\.[cm]?tsx?$)/.test(path);

/** @param {ts.SourceFile} tree @returns {string[]} */
function spellingsIn(tree) {
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if (spellings.parts.some((part) => node.text.includes(part)) || spellings.words.includes(node.text)) found.push(node.text);
    } else if (ts.isIdentifier(node) && spellings.properties.includes(node.text)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** @param {ts.SourceFile} tree @returns {string[]} */
function impurities(tree) {
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node)) {
      const name = node.getText(tree);
      if (impure.members.includes(name)) found.push(name);
      return visit(node.expression);
    }
    if (ts.isNewExpression(node) && node.expression.getText(tree) === 'Date' && !node.arguments?.length) found.push('the current time');
    if (ts.isIdentifier(node) && impure.globals.includes(node.text) && isReference(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** A use of a global, not a member, parameter or property that happens to have its name. @param {ts.Identifier} node */
function isReference({ parent, text }) {
  return (
    (ts.isCallExpression(parent) || ts.isPropertyAccessExpression(parent)) &&
    ts.isIdentifier(parent.expression) &&
    parent.expression.text === text
  );
}

/** The picture as the block of ARCHITECTURE.md. @param {ReadonlyMap<string, ReadonlySet<string>>} edges */
export function block(edges) {
  const names = [...edges.keys()].sort();
  const width = Math.max(0, ...names.map((name) => name.length));
  const lines = names.map((name) => `${name.padEnd(width)} -> ${[...(edges.get(name) ?? [])].sort().join(', ') || '(nothing)'}`);
  return [marks[0], '', '```text', ...lines, '```', '', marks[1]].join('\n');
}

/** @param {string} document @returns {{ found: string | undefined, replace: (block: string) => string }} */
export function blockIn(document) {
  const [start, end] = [document.indexOf(marks[0]), document.indexOf(marks[1])];
  if (start < 0 || end < start) return { found: undefined, replace: () => document };
  const after = end + marks[1].length;
  return { found: document.slice(start, after), replace: (next) => document.slice(0, start) + next + document.slice(after) };
}
