/** What an author gives as a catalogue, and everything that can be wrong with it, told before the first request. */
import { isWellFormedTag } from '../../wire/language.js';
import { keyRule } from './keys.js';
import { isFault, type Compiler, type ParsedMessage } from './message.js';
import { isPlain } from './message/syntax.js';

/** Entries by name, nested as one likes: `{ sales: { total: '…' } }` and `{ 'sales.total': '…' }` are the same. */
export interface CatalogSource {
  readonly [name: string]: string | CatalogSource;
}

export interface CatalogProblem {
  /** The file it came from, or its place in what was given. */
  readonly source: string;
  readonly language: string;
  readonly key?: string;
  /** In the message, or in a file that is no JSON; counted from 1. */
  readonly line?: number;
  readonly column?: number;
  readonly problem: string;
}

/** Thrown at start, with everything that is wrong. */
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

export interface Loaded {
  readonly language: string;
  readonly source: string;
  readonly entries: ReadonlyMap<string, string>;
}

/** Names that begin so are for translators and their tools, and no entries. */
const NOTE = '$';
const DEEPEST = 64;

/** One language, flattened. */
export function readCatalog(language: string, source: string, given: unknown, problems: CatalogProblem[]): Loaded {
  const entries = new Map<string, string>();
  const tell = (problem: string, key?: string): void => {
    problems.push({ source, language, ...(key !== undefined && { key }), problem });
  };
  const walk = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'string') {
      if (entries.has(path)) tell('is there twice', path);
      entries.set(path, value);
    } else if (typeof value !== 'object' || value === null || Array.isArray(value)) tell(`is ${nameOf(value)}, not text`, path);
    else if (depth > DEEPEST) tell(`is nested deeper than ${DEEPEST}, or in itself`, path);
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

/** Names that nobody will ever ask for, messages that do not parse, and placeholders that nobody fills. */
export function checkCatalogs(
  all: readonly Loaded[],
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
      const tell = (problem: string, at?: { line: number; column: number }): void => {
        problems.push({ source, language, key, ...at, problem });
      };
      const rule = keyRule(key);
      if (rule === 'unknown') tell('is not the name of anything that is localised; see the naming convention');
      else if (rule === undefined && !reference.has(key)) tell(`is not in the default language, ${fallback}`);
      if (isPlain(text)) continue;
      const parsed = compiler?.parse(text);
      if (parsed === undefined) continue;
      if (isFault(parsed)) tell(parsed.problem, { line: parsed.line, column: parsed.column });
      else for (const problem of unfilled(key, parsed.placeholders, known(key))) tell(problem);
    }
}

/**
 * Placeholders that nobody fills: any in an entry that is found by its name, and those the default language's message does not have. What only
 * chooses between words is no such: French may need a gender that English does not.
 */
export function unfilled(key: string, found: ParsedMessage['placeholders'], known: ReadonlySet<string> | undefined): string[] {
  const names = [...found.keys()];
  const rule = keyRule(key);
  if (names.length === 0 || rule === 'unknown') return [];
  if (rule !== undefined) return [`has a placeholder, ${names.join(', ')}, and nobody to fill it`];
  const chooses = (name: string): boolean => found.get(name) === 'select' || found.get(name) === 'plural';
  const stray = known === undefined ? [] : names.filter((name) => !known.has(name) && !chooses(name));
  return stray.map((name) => `asks for {${name}}, which the default language does not`);
}

/** The placeholders of a message that parses. */
export function namesIn(text: string, compiler: Compiler | undefined): ReadonlySet<string> | undefined {
  if (isPlain(text)) return new Set();
  const parsed = compiler?.parse(text);
  return parsed === undefined || isFault(parsed) ? undefined : new Set(parsed.placeholders.keys());
}

export function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
