import { DEFAULT_LIMITS } from '../transport/index.js';
import { isObject } from '../wire/json.js';
import { languageChooser } from '../wire/language.js';
import { languagesOf, type ServerOptions } from './options.js';

/** A check of one option: what is wrong with it, or nothing. What is not set is not looked at. */
const CHECKS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  languages: (value) => (Array.isArray(value) ? undefined : 'is not a list of BCP 47 tags'),
  language: (value) => (isObject(value) ? undefined : 'is not an object'),
  tools: (value) => (isObject(value) ? undefined : 'is not an object'),
  strict: (value) => (typeof value === 'boolean' ? undefined : 'is neither true nor false'),
  ambient: (value) => (typeof value === 'boolean' || isStore(value) ? undefined : 'is neither a boolean nor an AsyncLocalStorage'),
  dialects: (value) => (Array.isArray(value) && value.every((name) => name === 'openai') ? undefined : "is not a list of 'openai'"),
  onIssue: isFunction,
  onFault: isFunction,
  parts: (value) => (Array.isArray(value) && value.every(isObject) ? undefined : 'is not a list of parts'),
};

function isFunction(value: unknown): string | undefined {
  return typeof value === 'function' ? undefined : 'is not a function';
}

function isStore(value: unknown): boolean {
  const { run, getStore } = (typeof value === 'object' && value !== null ? value : {}) as { run?: unknown; getStore?: unknown };
  return typeof run === 'function' && typeof getStore === 'function';
}

/** Options are judged before anything is made of them; a wrong one is named by its path. The parts judge their own. */
export function checkOptions(options: ServerOptions): void {
  if (!isObject(options)) throw new TypeError('serverContext: the options are not an object');
  const given = options as Readonly<Record<string, unknown>>;
  for (const [name, check] of Object.entries(CHECKS)) {
    const problem = given[name] === undefined ? undefined : check(given[name]);
    if (problem !== undefined) throw new TypeError(`${name}: ${problem}`);
  }
  for (const [name, needs] of Object.entries(options.tools ?? {}))
    if (!isObject(needs)) throw new TypeError(`tools.${name}: is not an object`);
  checkLimits(options.limits);
  checkLanguage(options);
}

function checkLimits(limits: unknown): void {
  if (limits === undefined) return;
  if (!isObject(limits)) throw new TypeError('limits: is not an object');
  for (const name of Object.keys(DEFAULT_LIMITS)) {
    const limit = limits[name];
    if (limit !== undefined && !(Number.isSafeInteger(limit) && (limit as number) > 0))
      throw new RangeError(`limits.${name}: is not a positive integer`);
  }
}

function checkLanguage(options: ServerOptions): void {
  const { strategy = 'cldr', default: fallback } = options.language ?? {};
  if (typeof strategy !== 'function' && !['cldr', 'rfc4647'].includes(strategy))
    throw new RangeError("language.strategy: is neither 'cldr', 'rfc4647' nor a function");
  const languages = languagesOf(options);
  if (languages === undefined) return;
  languageChooser(languages);
  const known = languages.map((tag) => tag.toLowerCase());
  if (fallback !== undefined && !(typeof (fallback as unknown) === 'string' && known.includes(fallback.toLowerCase())))
    throw new RangeError(`language.default: ${JSON.stringify(fallback)} is none of the languages`);
}
