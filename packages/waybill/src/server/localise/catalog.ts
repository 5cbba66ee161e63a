/** Reads the catalogues of an author, and finds everything wrong with them before the first request. */
import { isWellFormedTag } from '../../wire/language.js';
import { keyRule } from './keys.js';
import { isFault, type Compiler, type ParsedMessage } from './message.js';
import { isPlain } from './message/syntax.js';

/** Entries by name. Nesting is free: `{ sales: { total: '…' } }` and `{ 'sales.total': '…' }` are the same. */
export interface CatalogSource {
  readonly [name: string]: string | CatalogSource;
}

export interface CatalogProblem {
  /** The file, or the place in the object that was given. */
  readonly source: string;
  readonly language: string;
  readonly key?: string;
  /** The place in the message, or in a file that is not JSON; counted from 1. */
  readonly line?: number;
  readonly column?: number;
  readonly problem: string;
}

/** Thrown at start. Lists every problem of the catalogues. */
export class CatalogError extends TypeError {
  override readonly name: string = 'CatalogError';
  readonly problems: readonly CatalogProblem[];

  constructor(problems: readonly CatalogProblem[]) {
    const shown = problems.slice(0, 20).map(describeProblem);
    const rest = problems.length - shown.length;
    super([...shown, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n'));
    this.problems = problems;
  }
}

export function describeProblem({ source, key, line, column, problem }: CatalogProblem): string {
  const where = line === undefined ? [] : [`line ${line}, column ${column ?? 1}`];
  return [source, ...(key === undefined ? [] : [key]), ...where, problem].join(': ');
}

export interface LoadedSource {
  readonly language: string;
  readonly source: string;
  readonly entries: ReadonlyMap<string, string>;
}

/** Names that begin with it are notes for translators and their tools, not entries. */
const NOTE = '$';
const MAX_DEPTH = 64;

/** Reads one source of a language into a flat map. */
export function readCatalog(language: string, source: string, given: unknown, problems: CatalogProblem[]): LoadedSource {
  const entries = new Map<string, string>();
  const tell = (problem: string, key?: string): void => {
    problems.push({ source, language, ...(key !== undefined && { key }), problem });
  };
  const walk = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'string') {
      if (entries.has(path)) tell('is there twice', path);
      entries.set(path, value);
    } else if (typeof value !== 'object' || value === null || Array.isArray(value)) tell(`is ${nameOf(value)}, not text`, path);
    else if (depth > MAX_DEPTH) tell(`is nested deeper than ${MAX_DEPTH}, or in itself`, path);
    else
      for (const [name, inner] of Object.entries(value)) {
        if (name.startsWith(NOTE)) continue;
        if (name === '') tell('has an entry without a name', path);
        else walk(inner, path === '' ? name : `${path}.${name}`, depth + 1);
      }
  };
  if (!isWellFormedTag(language)) tell('is not named with a BCP 47 language tag');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) tell(`is ${nameOf(given)}, not an object of entries`);
  else walk(given, '', 0);
  return { language, source, entries };
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : value === undefined ? 'undefined' : `a ${typeof value}`;
}

/** Finds names that nothing asks for, messages that do not parse, and placeholders that nothing fills. */
export function checkCatalogs(
  all: readonly LoadedSource[],
  fallback: string,
  reference: ReadonlyMap<string, string>,
  compiler: Compiler | undefined,
  problems: CatalogProblem[],
): void {
  const expected = new Map<string, ReadonlySet<string> | undefined>();
  const known = (key: string): ReadonlySet<string> | undefined => {
    const original = reference.get(key);
    if (original !== undefined && !expected.has(key)) expected.set(key, namesIn(original, compiler));
    return expected.get(key);
  };
  for (const { language, source, entries } of all)
    for (const [key, text] of entries) {
      const isStray = keyRule(key) === undefined && !reference.has(key);
      const stray = isStray ? [{ problem: `is not in the default language, ${fallback}` }] : [];
      for (const found of [...stray, ...problemsIn(key, text, known(key), compiler)]) problems.push({ source, language, key, ...found });
    }
}

/** Finds what is wrong with one entry. `known`: the placeholders of the default language, if it has this message. */
export function problemsIn(
  key: string,
  text: string,
  known: ReadonlySet<string> | undefined,
  compiler: Compiler | undefined,
): Pick<CatalogProblem, 'line' | 'column' | 'problem'>[] {
  const unknown = 'is not the name of anything that is localised; docs/reference/localisation.md lists the names';
  const named = keyRule(key) === 'unknown' ? [{ problem: unknown }] : [];
  const parsed = isPlain(text) ? undefined : compiler?.parse(text);
  if (parsed === undefined) return named;
  return [...named, ...(isFault(parsed) ? [parsed] : unfilled(key, parsed.placeholders, known).map((problem) => ({ problem })))];
}

/**
 * Finds placeholders that nothing fills: any in an entry that is found by its name, and any that the message of the default language does not
 * have. A placeholder that only chooses between words is allowed: French may need a gender that English does not.
 */
function unfilled(key: string, found: ParsedMessage['placeholders'], known: ReadonlySet<string> | undefined): string[] {
  const names = [...found.keys()];
  const rule = keyRule(key);
  if (names.length === 0 || rule === 'unknown') return [];
  if (rule !== undefined) return [`has a placeholder, ${names.join(', ')}, and nothing fills it`];
  const chooses = (name: string): boolean => found.get(name) === 'select' || found.get(name) === 'plural';
  const stray = known === undefined ? [] : names.filter((name) => !known.has(name) && !chooses(name));
  return stray.map((name) => `needs {${name}}, which the default language does not have`);
}

/** The names of the placeholders of a message; undefined if it does not parse. */
export function namesIn(text: string, compiler: Compiler | undefined): ReadonlySet<string> | undefined {
  if (isPlain(text)) return new Set();
  const parsed = compiler?.parse(text);
  return parsed === undefined || isFault(parsed) ? undefined : new Set(parsed.placeholders.keys());
}

export function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
