import { checkBodyLimits, type BodyLimits } from '../transport/body.js';
import {
  checkMembers,
  checkNames,
  expectFlag,
  expectFunction,
  expectList,
  expectMembers,
  expectMethods,
  expectObject,
  expectOneOf,
  expects,
  expectStorage,
  expectText,
  expectTexts,
  WIRE_CHECKS,
  type Check,
} from '../wire/check.js';
import { isLocale, isValidTimeZone } from '../wire/environment.js';
import { isObject } from '../wire/json.js';
import { checkTag, languageChooser } from '../wire/language.js';
import { checkWants } from '../wire/policy/wants.js';
import { STEPS } from './layer.js';
import { languagesOf, type EnvironmentOptions, type ServerContextOptions, type TraceOptions } from './options.js';

/** For an option that the code which uses it checks. */
const checkedWhereUsed: Check = () => undefined;

type Members<T> = Readonly<Record<keyof T, Check>>;

const LANGUAGE: Members<ServerContextOptions['language'] & object> = {
  default: expectText,
  strategy: checkedWhereUsed,
  ignoreStarHeader: expectFlag,
};
const LOCALISE: Members<ServerContextOptions['localise'] & object> = {
  translate: expectTexts,
  argument: expectObject,
  development: expectFlag,
  formats: expectObject,
};
const ENVIRONMENT: Members<EnvironmentOptions> = {
  timezone: expects('an IANA time zone', (value) => typeof value === 'string' && isValidTimeZone(value), RangeError),
  locale: expects('a BCP 47 language tag', (value) => typeof value === 'string' && isLocale(value), RangeError),
  maxSkew: expects('a number of milliseconds', (value) => typeof value === 'number' && value >= 0, RangeError),
  prefer: expectOneOf('past', 'future'),
};
const TRACE: Members<TraceOptions> = { incoming: expectOneOf('parent', 'link', 'ignore'), takesPart: expectFlag };

const OPTIONS: Members<ServerContextOptions> = {
  wants: (value, path) => {
    if (value !== undefined) checkWants(value, path);
  },
  languages: expectList,
  language: expectMembers(LANGUAGE),
  catalogs: expectMethods('the value that catalogs() or catalogFolder() returns', 'has', 'find', 'say'),
  localise: expectMembers(LOCALISE),
  lists: expectMethods('the value that listCache() returns', 'drop'),
  environment: expectMembers(ENVIRONMENT),
  tools: expectObject,
  filter: expectOneOf('declared'),
  state: checkedWhereUsed,
  trace: expectMembers(TRACE),
  telemetry: expectMethods('the value that openTelemetry() returns', 'around', 'carrier'),
  baggage: expectTexts,
  time: expectMethods('the module @waybill/time', 'range'),
  strict: expectFlag,
  ambient: expectFlag,
  storage: expectStorage,
  // `checkBodyLimits` checks the values.
  limits: (value, path) => {
    if (value !== undefined) checkNames(value, ['size', 'depth', 'total', 'time'] satisfies (keyof BodyLimits)[], path);
  },
  onIssue: expectFunction,
  onFault: expectFunction,
  parts: expectList,
  clock: expectFunction,
  random: expectFunction,
  ...WIRE_CHECKS,
};

/** Checks the options before anything is built from them. */
export function checkOptions(options: ServerContextOptions): void {
  checkMembers(options, OPTIONS, 'options', '');
  for (const [name, needs] of Object.entries(options.tools ?? {})) checkNames(needs, ['requires', 'otherwise'], `tools.${name}`);
  if (options.storage !== undefined && options.ambient !== true)
    throw new TypeError('storage: only used together with ambient: true; add it');
  options.parts?.forEach(checkPart);
  checkBodyLimits(options.limits);
  checkLanguage(options);
}

/** Parts are called on every request, so a member that cannot be called fails here. */
function checkPart(part: unknown, at: number): void {
  const path = `parts[${at}]`;
  if (!isObject(part) || typeof part['name'] !== 'string') throw new TypeError(`${path}: expected a part, an object with a name`);
  for (const step of [...STEPS, 'changed']) expectFunction(part[step], `${path}.${step}`);
  for (const [name, make] of Object.entries(part['provides'] ?? {})) expectFunction(make ?? null, `${path}.provides.${name}`);
}

/** The chooser checks its own options and names them without our prefix. */
function checkLanguage(options: ServerContextOptions): void {
  options.languages?.forEach((tag, at) => checkTag(tag, `languages[${at}]`));
  const languages = languagesOf(options);
  if (languages !== undefined) languageChooser(languages);
  const { language = {} } = options;
  try {
    if (languages !== undefined) languageChooser(languages, language);
    else if (language.default !== undefined) throw new RangeError('default: needs the option languages, to choose from');
    else if (language.strategy !== undefined) languageChooser(['en'], { strategy: language.strategy });
  } catch (error) {
    throw new RangeError(`language.${(error as Error).message}`, { cause: error });
  }
}
