// @ts-check
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/**
 * Finds the requirement ids that tests cite. Only titles count: those of `it`, `test` and `describe`, and the tables that
 * fill a title in (`it.each`, or a loop over a table around the test). A comment proves nothing, and neither does a test that never runs.
 *
 * @typedef {{ id: string, level: string, who: string, rule: string }} Requirement
 * @typedef {{ file: string, ids: Set<string> }} Citations
 */

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const families = ['BASE', 'LANG', 'CTX', 'STATE', 'TRACE', 'CAP', 'D', 'IX'];
/** A rule of one of these levels needs a test that cites it; decisions bind like a MUST. */
export const binding = new Set(['MUST', 'MUST NOT', 'rule', 'type', 'decision']);
export const levels = new Set([...binding, 'SHOULD', 'SHOULD NOT', 'MAY', 'note', 'alternative']);

// Decisions have two digits: "D-1" is how some languages write the day before.
const id = new RegExp(
  `(?<![A-Za-z0-9-])(?:D-[0-9][0-9]|(?:${families.filter((name) => name !== 'D').join('|')})-[0-9]+)(?![0-9A-Za-z])`,
  'g',
);
const callees = new Set(['it', 'test', 'describe']);
const neverRun = new Set(['skip', 'todo']);

/** @param {string} path @returns {any} */
export const readJson = (path) => JSON.parse(readFileSync(join(root, 'test/requirements', path), 'utf8'));
/** @returns {Requirement[]} */
export const requirements = () => readJson('requirements.json');

/** Every test file, as the test runner finds them, but for the one that tests this scan. @returns {string[]} */
export function testFiles() {
  const packages = readdirSync(join(root, 'packages'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...packages.map((entry) => join(root, 'packages', entry.name, 'src')), join(root, 'test')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (name) =>
          name.endsWith('.test.ts') && name !== join('requirements', 'coverage.test.ts') && !name.split(sep).includes('node_modules'),
      )
      .map((name) => join(folder, name)),
  );
}

/** @returns {Citations[]} */
export const allCitations = () =>
  testFiles().map((file) => ({ file: relative(root, file), ids: citationsIn(readFileSync(file, 'utf8'), file) }));

/** @param {string} source @param {string} [file] @returns {Set<string>} */
export function citationsIn(source, file = 'x.test.ts') {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {Map<string, ts.Expression>} */
  const constants = new Map();
  /** @param {string} text */
  const cite = (text) => text.match(id)?.forEach((match) => found.add(match));

  /** @param {ts.Node} node */
  const collectConstants = (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) constants.set(node.name.text, node.initializer);
    ts.forEachChild(node, collectConstants);
  };

  /** The strings of a table that begin with an id: the others are inputs. @param {ts.Node} node @param {Set<string>} [seen] */
  const citeTable = (node, seen = new Set()) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) {
      if (node.text.search(id) === 0) cite(node.text);
    } else if (ts.isIdentifier(node)) {
      const value = constants.get(node.text);
      if (value && !seen.has(node.text)) citeTable(value, new Set(seen).add(node.text));
    } else if (ts.isPropertyAssignment(node))
      [...(ts.isStringLiteral(node.name) ? [node.name] : []), node.initializer].forEach((part) => citeTable(part, seen));
    else if (ts.isPropertyAccessExpression(node)) citeTable(node.expression, seen);
    else ts.forEachChild(node, (child) => citeTable(child, seen));
  };

  /** @param {ts.Expression} title @param {readonly ts.Expression[]} tables */
  const citeTitle = (title, tables) => {
    let filledIn = false;
    /** @param {ts.Node} node */
    const visit = (node) => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) cite(node.text);
      else if (ts.isIdentifier(node)) {
        filledIn = true;
        const value = constants.get(node.text);
        if (value && ts.isStringLiteralLike(value)) cite(value.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(title);
    if (filledIn) tables.forEach((table) => citeTable(table));
  };

  /** @param {ts.Node} node @param {readonly ts.Expression[]} tables the tables of the loops around it @returns {void} */
  const visit = (node, tables) => {
    if (ts.isForOfStatement(node)) return ts.forEachChild(node, (child) => visit(child, [...tables, node.expression]));
    if (ts.isCallExpression(node)) {
      const call = testCall(node);
      if (call?.skipped) return;
      if (call && node.arguments[0]) {
        citeTitle(node.arguments[0], tables);
        call.tables.forEach((table) => citeTable(table));
        node.arguments.slice(1).forEach((argument) => visit(argument, tables));
        return;
      }
      const callee = node.expression;
      if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'forEach')
        return ts.forEachChild(node, (child) => visit(child, [...tables, callee.expression]));
    }
    ts.forEachChild(node, (child) => visit(child, tables));
  };

  collectConstants(tree);
  visit(tree, []);
  return found;
}

/**
 * `it(…)`, `it.each(table)(…)`, `describe.skipIf(x)(…)`: whose title the call's first argument is. `it.each(table)` itself has none.
 * @param {ts.CallExpression} call
 */
function testCall(call) {
  /** @type {ts.Expression[]} */
  const tables = [];
  let skipped = false;
  /** @type {ts.Expression} */
  let callee = call.expression;
  for (;;) {
    if (ts.isPropertyAccessExpression(callee)) {
      skipped ||= neverRun.has(callee.name.text);
      if (callee === call.expression && ['each', 'for', 'skipIf', 'runIf'].includes(callee.name.text)) return undefined;
      callee = callee.expression;
    } else if (ts.isCallExpression(callee)) {
      tables.push(...callee.arguments);
      callee = callee.expression;
    } else if (ts.isTaggedTemplateExpression(callee)) {
      tables.push(callee.template);
      callee = callee.tag;
    } else break;
  }
  return ts.isIdentifier(callee) && callees.has(callee.text) ? { skipped, tables } : undefined;
}

/**
 * Finds what is wrong with the citations: the whole coverage test as a function, so that a test can show it failing.
 * @param {{ requirements: readonly Requirement[], citations: readonly Citations[] }} input
 */
export function coverage({ requirements, citations }) {
  const known = new Set(requirements.map((rule) => rule.id));
  const cited = new Set(citations.flatMap(({ ids }) => [...ids]));
  return {
    /** Binding rules without a citation. */
    uncited: requirements.filter((rule) => binding.has(rule.level) && !cited.has(rule.id)).map((rule) => rule.id),
    /** Ids in titles that are no requirement. */
    unknown: citations.flatMap(({ file, ids }) => [...ids].filter((name) => !known.has(name)).map((name) => `${file}: ${name}`)),
  };
}
