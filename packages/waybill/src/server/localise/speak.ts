/** What handlers say things with: `t` for the content of an answer, `display` for what is shown to the user beside it. */
import { isObject, own, type JsonObject } from '../../wire/json.js';
import { ignore, type Issue } from '../../wire/issue.js';
import { language as languageConcern, languageChooser } from '../../wire/language.js';
import type { Call } from '../part.js';
import { UNDETERMINED } from '../room.js';
import type { Catalogs, FormatIn, Said } from './catalogs.js';
import { localiseElicitation } from './elicitation.js';
import { formatSets, formatWith, type Format, type FormatSet } from './format.js';
import type { FormatPresets } from './format/presets.js';
import type { Values } from './message.js';

/** The text of an entry of the catalogues, in the language of this answer. Never throws: at worst it gives the key. */
export interface Translate {
  (key: string, values?: Values): string;
  /** The language it speaks. */
  readonly language: string;
  readonly has: (key: string) => boolean;
  /** The same in the nearest language there is to this tag, whatever the user prefers. */
  readonly in: (tag: string) => Translate;
}

/** What the user sees of a call beside its content: always in the user's language, whatever language the content was asked for in (LANG-14). */
export interface Display {
  readonly t: Translate;
  /** To be spread into the `params` of a progress notification: its message, and the language of it (LANG-24). */
  progress(key: string, values?: Values): { message: string; _meta?: JsonObject };
  /**
   * An error to throw, its message in the user's language and that language in `data._meta` (LANG-23, LANG-31). With a `code` it is an error of
   * the protocol, from a tool of `McpServer` too; without one such a tool answers with `isError` and the text.
   */
  error(key: string, options?: { readonly code?: number; readonly values?: Values; readonly data?: JsonObject }): Error;
  /** The `params` of an elicitation by the name of its entries; what has no entry stays as it is given. */
  elicitation<P extends object>(name: string, params: P): P;
}

export interface SpeakOptions {
  readonly catalogs: Catalogs | undefined;
  readonly presets: FormatPresets;
  /** LANG-14: the argument of a tool that says which language its content is to be in. */
  readonly argument: ReadonlyMap<string, string>;
}

export interface Speaker {
  readonly t: (call: Call) => Translate;
  readonly format: (call: Call) => Format;
  readonly display: (call: Call) => Display;
  readonly note: (call: Call, used: Iterable<string>) => void;
}

const NO_CATALOGS: Issue = {
  side: 'setup',
  concern: 'language',
  key: 'catalogs',
  problem: "is not given, so t() returns the key; write serverContext({ catalogs: await catalogs({ en: { … } }, { default: 'en' }) })",
};

export function speaker({ catalogs, presets, argument }: SpeakOptions): Speaker {
  const sets = formatSets(presets);
  const chooser = catalogs && languageChooser(catalogs.languages, { default: catalogs.default });
  const spoken = new WeakMap<Call, string[]>();
  let isReported = false;

  /** LANG-20, LANG-28: the answer is in the languages its texts were found in, the chosen one first. Claimed only where somebody asked. */
  const note = (call: Call, used: Iterable<string>): void => {
    const known = spoken.get(call) ?? [];
    const before = known.join(', ');
    for (const tag of used) if (!known.includes(tag)) known.push(tag);
    spoken.set(call, known);
    const { language } = call.choice;
    known.sort((a, b) => Number(b === language) - Number(a === language));
    // What the author said with `language.use` is what the author said.
    const mine = !call.stated && (call.content === undefined || call.content === language || call.content === before);
    if (mine && known.length > 0 && (call.asked.language !== undefined || argued(call) !== undefined)) call.content = known.join(', ');
  };

  const argued = (call: Call): string | undefined => {
    if (argument.size === 0 || call.method !== 'tools/call' || chooser === undefined) return undefined;
    const params = call.message['params'];
    const name = isObject(params) ? argument.get(String(own(params, 'name'))) : undefined;
    const given = name !== undefined && isObject(params) && isObject(params['arguments']) ? own(params['arguments'], name) : undefined;
    const choice = typeof given === 'string' ? chooser.choose(given) : undefined;
    return choice?.matched === true ? choice.language : undefined;
  };

  /** `words`: the language of the text, which is another one if it was found in a fallback language. */
  const setFor = (call: Call, language: string, isArgued: boolean, words = language): FormatSet => {
    const { environment } = call.context;
    const locale = isArgued && environment.given.locale === undefined ? language : environment.locale;
    return sets(locale, environment.timezone, words === UNDETERMINED ? locale : words);
  };

  const say = (call: Call, language: string, set: FormatIn, key: string, values: Values | undefined): Said => {
    if (catalogs === undefined) {
      if (!isReported) call.report(NO_CATALOGS);
      isReported = true;
      return { text: key, language: undefined };
    }
    return catalogs.say(language, key, values ?? {}, set, (issue) => call.report(issue));
  };

  const translate = (call: Call, language: string, isArgued: boolean, told: (said: Said) => void): Translate => {
    let set: FormatSet | undefined;
    const setIn = (words: string): FormatSet =>
      words === language ? (set ??= setFor(call, language, isArgued)) : setFor(call, language, isArgued, words);
    const t = (key: string, values?: Values): string => {
      const said = say(call, language, setIn, key, values);
      told(said);
      return said.text;
    };
    return Object.assign(t, {
      language,
      has: (key: string) => catalogs?.has(language, key) === true,
      in: (tag: string) => translate(call, chooser?.choose(tag).language ?? language, true, told),
    });
  };

  const telling =
    (call: Call) =>
    ({ text, language }: Said): void => {
      if (language === undefined) return;
      remember(call, text, language);
      note(call, [language]);
    };

  return {
    note,
    t(call) {
      const asked = argued(call);
      return translate(call, asked ?? call.choice.language, asked !== undefined, telling(call));
    },
    format(call) {
      const asked = argued(call);
      return formatWith(
        setFor(call, asked ?? call.choice.language, asked !== undefined),
        () => call.context.environment.now.epochMilliseconds,
      );
    },
    display: (call) => display(call, translate, telling(call), catalogs),
  };
}

/** How many texts of a call are kept in mind, to know them again in an error or a notification. */
const MOST_SAID = 256;

function remember(call: Call, text: string, language: string): void {
  const said = (call.said ??= new Map<string, readonly string[]>());
  const before = said.get(text) ?? [];
  // The latest last: it is what goes wrong that is told of.
  said.delete(text);
  said.set(text, before.includes(language) ? before : [...before, language]);
  if (said.size > MOST_SAID) said.delete(said.keys().next().value as string);
}

type Telling = (said: Said) => void;

function display(
  call: Call,
  translate: (call: Call, language: string, isArgued: boolean, told: Telling) => Translate,
  told: Telling,
  catalogs: Catalogs | undefined,
): Display {
  const { language } = call.choice;
  const listened = (key: string, values?: Values): Said => {
    let heard: Said = { text: key, language: undefined };
    const text = translate(call, language, false, (said) => (heard = said))(key, values);
    return { text, language: heard.language };
  };
  return {
    t: translate(call, language, false, told),
    progress(key, values) {
      const { text: message, language: tag } = listened(key, values);
      return tag === undefined || call.asked.language === undefined ? { message } : { message, _meta: spelled(tag) };
    },
    error(key, { code, values, data } = {}) {
      const said = listened(key, values);
      // In a tool of McpServer it is the text of the result.
      told(said);
      const isTold = said.language !== undefined && call.asked.language !== undefined;
      const all = isTold ? { ...data, _meta: { ...(data?.['_meta'] as JsonObject | undefined), ...spelled(said.language) } } : data;
      return code === undefined ? Object.assign(new Error(said.text), all && { data: all }) : call.context.error(code, said.text, all);
    },
    elicitation: (name, params) =>
      localiseElicitation(name, params, (key, text) => {
        const found = catalogs?.find(language, key);
        const shown = found?.text ?? text;
        told({ text: shown, language: found?.language ?? catalogs?.default });
        return shown;
      }),
  };
}

/** A language as it travels in `_meta` of an error or a notification. */
function spelled(tag: string): JsonObject {
  return languageConcern.notification.write(tag, ignore) as JsonObject;
}
