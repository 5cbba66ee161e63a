// @ts-check
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

/**
 * The names that others rely on, taken from the built packages: every public name and its kind, every key on the wire, every refusal.
 * A change here is a change for users: it belongs in the changelog, and then `node test/pins/update.mjs` writes the new pin.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const wire = (/** @type {string} */ file) => import(pathToFileURL(join(root, 'packages/waybill/dist/wire', file)).href);

/** @type {Readonly<Record<string, () => Promise<Record<string, unknown>>>>} */
export const pins = { exports: publicExports, keys: wireKeys, errors: refusalTable };

/** @param {string} name */
export const pinFile = (name) => new URL(`${name}.json`, import.meta.url);

/** @param {string} name @returns {unknown} */
export const pinned = (name) => JSON.parse(readFileSync(pinFile(name), 'utf8'));

/** Every entry of every package that is published. @returns {Promise<Record<string, Record<string, string>>>} */
async function publicExports() {
  /** @type {Record<string, Record<string, string>>} */
  const surface = {};
  const entries = [];
  for (const folder of readdirSync(join(root, 'packages')).sort()) {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
    if (manifest.private) continue;
    for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
      if (typeof target === 'string') continue; // package.json
      const [code, types] = [target.default, target.types].map((/** @type {string} */ file) => join(root, 'packages', folder, file));
      if (!code || !types || !existsSync(code) || !existsSync(types))
        throw new Error(`${manifest.name} ${entry} is not built: npm run build`);
      entries.push({ name: `${manifest.name}${entry.slice(1)}`, code, types });
    }
  }
  const typesOf = typeReader(entries.map(({ types }) => types));
  for (const { name, code, types } of entries) surface[name] = { ...typesOf(types), ...(await valuesOf(code)) };
  return surface;
}

/** @param {string} file @returns {Promise<Record<string, string>>} */
async function valuesOf(file) {
  const module = await import(pathToFileURL(file).href);
  return Object.fromEntries(
    Object.keys(module)
      .sort()
      .map((name) => [name, kindOf(module[name])]),
  );
}

/** @param {unknown} value */
function kindOf(value) {
  if (typeof value === 'function') return /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'function';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Returns a function that gives the names of an entry that exist only as types. One program reads all entries, which share most modules.
 * @param {string[]} files @returns {(file: string) => Record<string, string>}
 */
function typeReader(files) {
  const program = ts.createProgram(files, {
    noLib: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  });
  const checker = program.getTypeChecker();
  return (file) => {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    const names = (symbol ? checker.getExportsOfModule(symbol) : [])
      .map((each) => (each.flags & ts.SymbolFlags.Alias ? { name: each.name, flags: checker.getAliasedSymbol(each).flags } : each))
      .filter(({ flags }) => !(flags & ts.SymbolFlags.Value))
      .map(({ name }) => name);
    return Object.fromEntries(names.sort().map((name) => [name, 'type']));
  };
}

/** @returns {Promise<Record<string, unknown>>} */
async function wireKeys() {
  return Object.fromEntries(Object.entries(await wire('keys.js')).filter(([, value]) => typeof value !== 'function'));
}

/** Reason, code and status; the words may change. @returns {Promise<Record<string, unknown>>} */
async function refusalTable() {
  const { refusals } = await wire('errors.js');
  return Object.fromEntries(
    Object.entries(refusals).map(([reason, { code, seedCode, status }]) => [
      reason,
      { code, ...(seedCode === undefined ? {} : { seedCode }), status },
    ]),
  );
}
