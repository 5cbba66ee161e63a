import { checkLimits } from '../transport/body.js';
import { checkMembers, hasFunctions, isFlag, isFunction, isRecord, isTexts, type Check } from '../wire/check.js';
import { isObject } from '../wire/json.js';
import { languageChooser } from '../wire/language.js';
import { isMetaKey } from '../wire/meta.js';
import { languagesOf, type ServerOptions } from './options.js';
import { SAYS } from './room.js';

const isText: Check = (value) => (typeof value === 'string' ? undefined : 'is not a text');
const isNumber: Check = (value) => (typeof value === 'number' ? undefined : 'is not a number');
/** Whoever takes the option knows more of it, and says its path. */
const elsewhere: Check = () => undefined;

const isStore = hasFunctions('is not an AsyncLocalStorage', 'run', 'getStore');

/** What each option may be, by its path. What is not set is not looked at; what is not named here is no option. */
const CHECKS: Readonly<Record<keyof ServerOptions | `${string}.${string}`, Check>> = {
  languages: (value) => (Array.isArray(value) ? undefined : 'is not a list of BCP 47 tags'),
  language: isRecord,
  'language.default': isText,
  'language.strategy': elsewhere,
  catalogs: hasFunctions('is not what catalogs() or catalogFolder() gives', 'has', 'find', 'say'),
  localise: isRecord,
  'localise.translate': (value) => (isTexts(value) ? undefined : 'is not a list of names of entries'),
  'localise.argument': isRecord,
  'localise.development': isFlag,
  'localise.formats': isRecord,
  lists: hasFunctions('is not what listCache() gives', 'drop'),
  environment: isRecord,
  'environment.timezone': elsewhere,
  'environment.locale': elsewhere,
  'environment.maxSkew': isNumber,
  'environment.now': isFunction,
  'environment.prefer': (value) => (value === 'future' || value === 'past' ? undefined : "is neither 'future' nor 'past'"),
  tools: isRecord,
  filter: elsewhere,
  state: elsewhere,
  trace: isRecord,
  'trace.incoming': elsewhere,
  'trace.baggage': elsewhere,
  'trace.takesPart': isFlag,
  'trace.random': isFunction,
  tracing: hasFunctions('is not a tracing of waybill/otel', 'around', 'carrier'),
  time: hasFunctions('is not the module @waybill/time', 'range'),
  strict: isFlag,
  ambient: (value) =>
    typeof value === 'boolean' || isStore(value) === undefined ? undefined : 'is neither a boolean nor an AsyncLocalStorage',
  limits: isRecord,
  'limits.size': elsewhere,
  'limits.depth': elsewhere,
  onIssue: isFunction,
  onFault: isFunction,
  parts: (value) => (Array.isArray(value) ? undefined : 'is not a list of parts'),
  wire: elsewhere,
  environmentKey: (value) => (typeof value === 'string' && isMetaKey(value) ? undefined : 'is not the name of a _meta key'),
  dialects: (value) => (Array.isArray(value) && value.every((name) => name === 'openai') ? undefined : "is not a list of 'openai'"),
  stateKeys: (value) => (value === 'seed' || value === 'alias' ? undefined : "is neither 'seed' nor 'alias'"),
};
/** What a tool may say. */
const NEEDS = ['requires', 'otherwise'];
/** Whose members are all named above. */
const CLOSED = ['language', 'localise', 'environment', 'trace', 'limits'];

/** Options are judged before anything is made of them; a wrong one is named by its path. */
export function checkOptions(options: ServerOptions): void {
  if (!isObject(options)) throw new TypeError('serverContext: the options are not an object');
  const given = options as Readonly<Record<string, unknown>>;
  checkMembers(given, CHECKS, failing(''));
  for (const prefix of CLOSED.map((name) => `${name}.`)) {
    const members = given[prefix.slice(0, -1)];
    if (members !== undefined) checkMembers(members as object, CHECKS, failing(prefix), prefix);
  }
  for (const [name, needs] of Object.entries(options.tools ?? {})) {
    if (!isObject(needs)) throw new TypeError(`tools.${name}: is not an object`);
    for (const member of Object.keys(needs)) if (!NEEDS.includes(member)) throw unknownOption(`tools.${name}.${member}`, NEEDS);
  }
  (given['parts'] as ServerOptions['parts'])?.forEach(checkPart);
  checkLimits(given['limits'] as ServerOptions['limits']);
  checkLanguage(options);
}

/** What a part is asked to do it is asked at every request: what cannot be called shows now. */
function checkPart(part: unknown, at: number): void {
  if (!isObject(part) || typeof part['name'] !== 'string') throw new TypeError(`parts[${at}]: is not a part, which has a name`);
  for (const say of [...SAYS, 'changed']) {
    if (part[say] !== undefined && typeof part[say] !== 'function') throw new TypeError(`parts[${at}].${say}: is not a function`);
  }
  for (const [name, face] of Object.entries(part['faces'] ?? {}))
    if (typeof face !== 'function') throw new TypeError(`parts[${at}].faces.${name}: is not a function`);
}

/** How a member under this prefix fails. */
function failing(prefix: string) {
  const names = Object.keys(CHECKS).flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []));
  const siblings = names.filter((name) => !name.includes('.'));
  return {
    unknown: (path: string) => unknownOption(path, siblings),
    wrong: (path: string, problem: string) => new TypeError(`${path}: ${problem}`),
  };
}

function unknownOption(path: string, siblings: readonly string[]): TypeError {
  return new TypeError(`${path}: is no option of serverContext; there are ${siblings.join(', ')}`);
}

/** The chooser judges its own options, and names them as it knows them. */
function checkLanguage(options: ServerOptions): void {
  const languages = languagesOf(options);
  if (languages !== undefined) languageChooser(languages);
  const { language = {} } = options;
  try {
    if (languages !== undefined) languageChooser(languages, language);
    else if (language.default !== undefined) throw new RangeError('default: is given, and no languages to choose from');
    else if (language.strategy !== undefined) languageChooser(['en'], { strategy: language.strategy });
  } catch (error) {
    throw new RangeError(`language.${(error as Error).message}`, { cause: error });
  }
}
