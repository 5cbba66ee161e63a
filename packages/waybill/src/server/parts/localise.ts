/** Localisation as a part of the server room: texts for handlers, and lists in the user's language. */
import { quote } from '../../wire/check.js';
import { isObject, own, type Meta } from '../../wire/json.js';
import { canonicalCapabilities } from '../../wire/capabilities.js';
import type { ServerPart, ServerRequest } from '../part.js';
import { same } from '../localise/catalog.js';
import type { Catalogs } from '../localise/catalogs.js';
import { LISTS } from '../localise/fields.js';
import { presetsOf, type GivenPresets } from '../localise/format/presets.js';
import { RuntimeGuard } from '../localise/guard.js';
import { listLocaliser, type ListOptions, type Used } from '../localise/list.js';
import { speaker } from '../localise/speak.js';

export interface LocaliseOptions extends ListOptions {
  // LANG-14
  /** The argument of each tool that names the language of its content: `{ summarise: 'language' }`. */
  readonly argument?: Readonly<Record<string, string>>;
  /** Checks every list against those in other languages and reports forbidden differences; warns if texts for the model are translated. */
  readonly development?: boolean;
  /** Named styles of `format` without catalogues; with catalogues they belong to `catalogs(…, { formats })`. */
  readonly formats?: GivenPresets;
}

const WARNING = 'is read by the model: translated, it can change which tool is chosen and how it is called';
const INTRODUCTIONS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

export function localise(catalogs: Catalogs | undefined, options: LocaliseOptions = {}, languages?: readonly string[]): ServerPart {
  checkLanguages(catalogs, languages);
  const argument = new Map(Object.entries(options.argument ?? {}));
  for (const [tool, name] of argument)
    if (typeof name !== 'string') throw new TypeError(`localise.argument.${tool}: expected the name of an argument`);
  if (catalogs !== undefined && options.formats !== undefined)
    throw new TypeError('localise.formats: move it to the catalogues, whose messages use it: catalogs(…, { formats })');
  if (catalogs === undefined) checkWithoutWords(options.translate ?? [], argument);
  const { t, format, display, note } = speaker({
    catalogs,
    presets: catalogs?.presets ?? presetsOf(options.formats, 'localise.formats'),
    argument,
  });
  const provides = { t, format, display };
  if (catalogs === undefined) return { name: 'localise', provides };

  const lists = listLocaliser(catalogs, options);
  const guard = options.development === true ? new RuntimeGuard(options) : undefined;
  // D-11: reported once, and only in development.
  let unsaid = options.development === true ? (options.translate ?? []) : [];
  return {
    name: 'localise',
    provides,
    changed: () => guard?.forget(),
    result(result, request) {
      const used: Used = new Set();
      const { language } = request.choice;
      const next = lists.localise(result, request.method, language, used);
      if (Object.hasOwn(LISTS, request.method)) {
        // A text without a translation has the author's language; an empty page has none.
        if (used.size > 0) note(request, used);
        else if (!isEmptyList(next, request.method)) note(request, [catalogs.default]);
        for (const key of unsaid) request.report({ concern: 'language', key: `localise.translate: ${key}`, problem: WARNING });
        unsaid = [];
        for (const { path, problem } of guard?.check(request.method, questionOf(request), language, next) ?? [])
          request.report({
            concern: 'language',
            key: `${request.method}: ${path}`,
            problem: `${problem}, and must be the same in every language`,
          });
      } else if (INTRODUCTIONS.has(request.method) && used.size > 0) note(request, used);
      return next;
    },
  };
}

/** Without catalogues these options would do nothing, silently. */
function checkWithoutWords(translate: readonly string[], argument: ReadonlyMap<string, string>): void {
  if (translate.length > 0) throw new TypeError('localise.translate: needs catalogues to translate from; pass the option catalogs');
  if (argument.size > 0) throw new TypeError('localise.argument: needs catalogues to choose a language from; pass the option catalogs');
}

/** The server must have texts for every language it negotiates. */
function checkLanguages(catalogs: Catalogs | undefined, languages: readonly string[] | undefined): void {
  if (catalogs === undefined || languages === undefined) return;
  languages.forEach((language, at) => {
    const found = catalogs.languages.find((other) => same(other, language));
    if (found === undefined) throw new RangeError(`languages[${at}]: expected a language with a catalogue, got ${quote(language)}`);
    if (found !== language)
      throw new RangeError(`languages[${at}]: expected the spelling of the catalogues, ${quote(found)}, got ${quote(language)}`);
  });
}

function isEmptyList(result: Meta, method: string): boolean {
  const list = own(result, LISTS[method]?.member ?? '');
  return Array.isArray(list) && list.length === 0;
}

/** The other things an answer may depend on: the page, and the usable capabilities if the list is filtered by them. */
function questionOf({ message, usable }: ServerRequest): string {
  const params = message['params'];
  return JSON.stringify([isObject(params) ? own(params, 'cursor') : undefined, usable && canonicalCapabilities(usable)]);
}
