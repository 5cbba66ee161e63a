// @ts-check
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * The API report: the emitted declarations of every entry of a package, one after the other and without comments. It holds every type that a
 * program can come across, so a changed type is a changed line in review.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const printer = ts.createPrinter({ removeComments: true });

/** The published packages by the name of their folder. @returns {string[]} */
export function reportedPackages() {
  return readdirSync(join(root, 'packages'))
    .sort()
    .filter((folder) => manifestOf(folder).private !== true);
}

/** @param {string} folder */
export const reportFile = (folder) => new URL(`api/${folder}.txt`, import.meta.url);

/** A module that several entries share stands under the first of them. @param {string} folder @returns {string} */
export function apiReport(folder) {
  const dist = join(root, 'packages', folder, 'dist');
  const seen = new Set();
  const { name, exports } = manifestOf(folder);
  return Object.entries(exports)
    .flatMap(([entry, target]) => (typeof target === 'string' ? [] : [[`${name}${entry.slice(1)}`, target.types]]))
    .map(([entry, types]) => {
      const sections = modulesOf(join(root, 'packages', folder, types), seen).map((file) => `// ${relative(dist, file)}\n${printed(file)}`);
      return [`// ======== ${entry}: ${relative(dist, join(root, 'packages', folder, types))}\n`, ...sections].join('\n');
    })
    .join('\n');
}

/**
 * The entries of a package whose declarations lead to a module of Node: a program on another runtime has no types for it.
 * @param {string} folder @returns {string[]}
 */
export function entriesWithNode(folder) {
  const { exports } = manifestOf(folder);
  return Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return [];
    const files = modulesOf(join(root, 'packages', folder, target.types), new Set());
    return files.some((file) => /from ['"]node:/.test(readFileSync(file, 'utf8'))) ? [entry] : [];
  });
}

/** @param {string} folder */
function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
}

/** This module and every module of the package that it leads to, depth first. @param {string} file @param {Set<string>} seen @returns {string[]} */
function modulesOf(file, seen) {
  if (seen.has(file)) return [];
  if (!existsSync(file)) throw new Error(`${relative(root, file)} is missing: npm run build`);
  seen.add(file);
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
  const inner = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
  return [file, ...inner.flatMap(({ fileName }) => modulesOf(join(dirname(file), fileName.replace(/\.js$/, '.d.ts')), seen))];
}

/** @param {string} file */
function printed(file) {
  return printer.printFile(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
}
