/** Reports for each language which entries are missing, which are unused, and which are malformed. */
import { describeProblem, namesIn, problemsIn, readCatalog, same, type CatalogProblem } from '../catalog.js';
import { requireDefault } from '../table.js';
import { keyMatcher, keyRule } from '../keys.js';
import { messageCompiler, type Compiler } from '../message.js';
import { presetsOf, type GivenPresets } from '../format/presets.js';

export interface CoverageOptions {
  readonly default: string;
  /** Keys that the server has texts for, as `extractStrings` gives them. Without them no entry of a list counts as missing or unused. */
  readonly extracted?: ReadonlyMap<string, string>;
  /** Keys that code passes to `t`. Without them, every key of the default language counts as used. */
  readonly used?: Iterable<string>;
  /** The fields that `localise.translate` names. Other entries that the model reads are unused. */
  readonly translate?: readonly string[];
  readonly formats?: GivenPresets;
}

export interface LanguageCoverage {
  readonly language: string;
  /** The number of `needed` texts that there are. */
  readonly translated: number;
  readonly needed: number;
  /** `translated / needed`; 1 if nothing is missing. */
  readonly share: number;
  readonly missing: readonly string[];
  readonly unused: readonly string[];
  readonly malformed: readonly CatalogProblem[];
}

/** `sources` is the content of each language's catalogue as it was read. Wrong types and messages that do not parse become part of the report. */
export async function coverage(sources: Readonly<Record<string, unknown>>, options: CoverageOptions): Promise<LanguageCoverage[]> {
  requireDefault(options, 'coverage');
  const compiler = await messageCompiler(presetsOf(options.formats));
  const problems: CatalogProblem[] = [];
  const loaded = Object.entries(sources).map(([language, content]) => readCatalog(language, language, content, problems));
  const reference = loaded.find(({ language }) => same(language, options.default))?.entries ?? new Map<string, string>();
  const opted = keyMatcher(options.translate ?? []);
  const isUsed = (key: string): boolean => {
    const rule = keyRule(key);
    return rule === 'should' || rule === undefined || (rule === 'may' && opted(key));
  };
  const used = new Set(options.used ?? [...reference.keys()].filter((key) => keyRule(key) === undefined));
  const found = new Set(
    [...(options.extracted?.keys() ?? [...reference.keys()].filter((key) => keyRule(key) !== undefined))].filter(isUsed),
  );
  const needed = [...used, ...found];
  return loaded.map(({ language, entries }) => {
    const isDefault = entries === reference;
    // Texts that the server writes itself need no entry in its own language.
    const wanted = isDefault ? [...used] : needed;
    const missing = wanted.filter((key) => !entries.has(key));
    const isKnown = (key: string): boolean =>
      keyRule(key) === undefined ? used.has(key) : (keyRule(key) === 'should' && options.extracted === undefined) || found.has(key);
    const unused = [...entries.keys()].filter((key) => !isKnown(key));
    const malformed = [
      ...problems.filter((problem) => problem.language === language),
      ...[...entries].flatMap(([key, text]) =>
        faultsOf(language, key, text, isDefault ? undefined : (reference.get(key) ?? options.extracted?.get(key)), compiler),
      ),
    ];
    const translated = wanted.length - missing.length;
    return {
      language,
      translated,
      needed: wanted.length,
      share: wanted.length === 0 ? 1 : translated / wanted.length,
      missing,
      unused,
      malformed,
    };
  });
}

/** Finds a message that does not parse, or that needs other values than the message of the default language. */
function faultsOf(language: string, key: string, text: string, original: string | undefined, compiler: Compiler): CatalogProblem[] {
  const expected = keyRule(key) === undefined && original !== undefined ? namesIn(original, compiler) : undefined;
  const given = namesIn(text, compiler) ?? expected;
  const lacking = [...(expected ?? [])].filter((name) => given?.has(name) === false);
  return [
    ...problemsIn(key, text, expected, compiler),
    ...lacking.map((name) => ({ problem: `lacks {${name}}, which the default language has` })),
  ].map((found) => ({ source: language, language, key, ...found }));
}

/** Writes the report as text: one line for each language, and its problems below it. */
export function describeCoverage(report: readonly LanguageCoverage[]): string {
  return report
    .map(({ language, translated, needed, share, missing, unused, malformed }) =>
      [
        `${language}: ${translated} of ${needed} (${Math.floor(share * 100)} %)`,
        ...missing.map((key) => `  missing    ${key}`),
        ...unused.map((key) => `  unused     ${key}`),
        ...malformed.map((problem) => `  malformed  ${describeProblem(problem)}`),
      ].join('\n'),
    )
    .join('\n');
}
