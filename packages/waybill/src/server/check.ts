import { checkLimits } from '../transport/body.js';
import { isObject } from '../wire/json.js';
import { languageChooser } from '../wire/language.js';
import { languagesOf, type ServerOptions } from './options.js';

/** A check of one option: what is wrong with it, or nothing. What is not set is not looked at. */
const CHECKS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  languages: (value) => (Array.isArray(value) ? undefined : 'is not a list of BCP 47 tags'),
  language: (value) => (isObject(value) ? undefined : 'is not an object'),
  limits: (value) => (isObject(value) ? undefined : 'is not an object'),
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
  checkLimits(given['limits'] as ServerOptions['limits']);
  checkLanguage(options);
}

/** The chooser judges its own options, and names them as it knows them. */
function checkLanguage(options: ServerOptions): void {
  const languages = languagesOf(options);
  if (languages !== undefined) languageChooser(languages);
  const { language = {} } = options;
  try {
    if (languages !== undefined) languageChooser(languages, language);
    else if (language.strategy !== undefined) languageChooser(['en'], { strategy: language.strategy });
  } catch (error) {
    throw new RangeError(`language.${(error as Error).message}`, { cause: error });
  }
}
