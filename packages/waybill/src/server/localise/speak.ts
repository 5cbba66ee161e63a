/** The functions for texts of handlers: `t` for the content of an answer, `display` for texts that the user sees beside it. */
import { isObject, own, type JsonObject } from '../../wire/json.js';
import { ignore, type Issue } from '../../wire/issue.js';
import { language as languageConcern, languageChooser } from '../../wire/language.js';
import { UNDETERMINED } from '../layer.js';
import type { ServerRequest } from '../part.js';
import type { Catalogs, FormatIn, FoundText } from './catalogs.js';
import { localiseElicitation } from './elicitation.js';
import { formatSets, formatWith, type Format, type FormatSet } from './format.js';
import type { FormatPresets } from './format/presets.js';
import type { MessageValues } from './message.js';

/** Returns the text of an entry in the language of this answer. Never throws: a missing entry gives its key. */
export interface Translate {
  (key: string, values?: MessageValues): string;
  /** The language of the texts. */
  readonly language: string;
  readonly has: (key: string) => boolean;
  /** The same in the nearest language to this tag, instead of the user's. */
  readonly in: (tag: string) => Translate;
}

// LANG-14
/** Texts that the user sees beside the content of a call: always in the user's language, even if the content is in another one. */
export interface Display {
  readonly t: Translate;
  /** Returns the message and its language, to spread into the `params` of a progress notification. */
  progress(key: string, values?: MessageValues): { message: string; _meta?: JsonObject };
  /**
   * Makes an error to throw, with its message in the user's language and that language in `data._meta`. With a `code` it is a protocol
   * error, also from a tool of `McpServer`; without one such a tool answers with `isError` and the text.
   */
  error(key: string, options?: { readonly code?: number; readonly values?: MessageValues; readonly data?: JsonObject }): Error;
  /** Returns the `params` of an elicitation with the texts of its entries; a text without an entry stays. */
  elicitation<P extends object>(name: string, params: P): P;
}

interface SpeakOptions {
  readonly catalogs: Catalogs | undefined;
  readonly presets: FormatPresets;
  /** LANG-14: the argument of each tool that names the language of its content. */
  readonly argument: ReadonlyMap<string, string>;
}

interface Speaker {
  readonly t: (request: ServerRequest) => Translate;
  readonly format: (request: ServerRequest) => Format;
  readonly display: (request: ServerRequest) => Display;
  readonly note: (request: ServerRequest, used: Iterable<string>) => void;
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
  const spoken = new WeakMap<ServerRequest, string[]>();
  let isReported = false;

  /** LANG-20, LANG-28: the answer has the languages of its texts, the chosen one first. Claimed only if the request asked for one. */
  const note = (request: ServerRequest, used: Iterable<string>): void => {
    const known = spoken.get(request) ?? [];
    const before = known.join(', ');
    for (const tag of used) if (!known.includes(tag)) known.push(tag);
    spoken.set(request, known);
    const { language } = request.choice;
    known.sort((a, b) => Number(b === language) - Number(a === language));
    const { tags } = request.answer.language;
    const isOurs = tags === undefined || tags === language || tags === before;
    const isAsked = request.received.language !== undefined || argued(request) !== undefined;
    if (isOurs && isAsked && known.length > 0) request.answer.language.found(known.join(', '));
  };

  const argued = (request: ServerRequest): string | undefined => {
    if (argument.size === 0 || request.method !== 'tools/call' || chooser === undefined) return undefined;
    const params = request.message['params'];
    const name = isObject(params) ? argument.get(String(own(params, 'name'))) : undefined;
    const given = name !== undefined && isObject(params) && isObject(params['arguments']) ? own(params['arguments'], name) : undefined;
    const choice = typeof given === 'string' ? chooser.choose(given) : undefined;
    return choice?.matched === true ? choice.language : undefined;
  };

  /** `words`: the language of the text, which differs if it was found in a fallback language. */
  const setFor = (request: ServerRequest, language: string, isArgued: boolean, words = language): FormatSet => {
    const { environment } = request.context;
    const locale = isArgued && environment.given.locale === undefined ? language : environment.locale;
    return sets(locale, environment.timezone, words === UNDETERMINED ? locale : words);
  };

  const say = (request: ServerRequest, language: string, set: FormatIn, key: string, values: MessageValues | undefined): FoundText => {
    if (catalogs === undefined) {
      if (!isReported) request.report(NO_CATALOGS);
      isReported = true;
      return { text: key, language: undefined };
    }
    return catalogs.say(language, key, values ?? {}, set, (issue) => request.report(issue));
  };

  const translate = (request: ServerRequest, language: string, isArgued: boolean, told: (found: FoundText) => void): Translate => {
    let set: FormatSet | undefined;
    const setIn = (words: string): FormatSet =>
      words === language ? (set ??= setFor(request, language, isArgued)) : setFor(request, language, isArgued, words);
    const t = (key: string, values?: MessageValues): string => {
      const found = say(request, language, setIn, key, values);
      told(found);
      return found.text;
    };
    return Object.assign(t, {
      language,
      has: (key: string) => catalogs?.has(language, key) === true,
      in: (tag: string) => translate(request, chooser?.choose(tag).language ?? language, true, told),
    });
  };

  const telling =
    (request: ServerRequest) =>
    ({ text, language }: FoundText): void => {
      if (language === undefined) return;
      request.answer.language.remember(text, language);
      note(request, [language]);
    };

  return {
    note,
    t(request) {
      const named = argued(request);
      return translate(request, named ?? request.choice.language, named !== undefined, telling(request));
    },
    format(request) {
      const named = argued(request);
      return formatWith(
        setFor(request, named ?? request.choice.language, named !== undefined),
        () => request.context.environment.now.epochMilliseconds,
      );
    },
    display: (request) => display(request, translate, telling(request), catalogs),
  };
}

type Telling = (found: FoundText) => void;

function display(
  request: ServerRequest,
  translate: (request: ServerRequest, language: string, isArgued: boolean, told: Telling) => Translate,
  told: Telling,
  catalogs: Catalogs | undefined,
): Display {
  const { language } = request.choice;
  const listened = (key: string, values?: MessageValues): FoundText => {
    let heard: FoundText = { text: key, language: undefined };
    const text = translate(request, language, false, (found) => (heard = found))(key, values);
    return { text, language: heard.language };
  };
  return {
    t: translate(request, language, false, told),
    progress(key, values) {
      const { text: message, language: tag } = listened(key, values);
      return tag === undefined || request.received.language === undefined ? { message } : { message, _meta: spelled(tag) };
    },
    error(key, { code, values, data } = {}) {
      const found = listened(key, values);
      // In a tool of McpServer the message is the text of the result.
      told(found);
      const isTold = found.language !== undefined && request.received.language !== undefined;
      const all = isTold ? { ...data, _meta: { ...(data?.['_meta'] as JsonObject | undefined), ...spelled(found.language) } } : data;
      return code === undefined ? Object.assign(new Error(found.text), all && { data: all }) : request.context.error(code, found.text, all);
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

/** Writes a language for `_meta` of an error or a notification. */
function spelled(tag: string): JsonObject {
  return languageConcern.notification.write(tag, ignore) as JsonObject;
}
