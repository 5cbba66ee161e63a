/** The functions for texts of handlers: `t` for the content of an answer, `display` for texts that the user sees beside it. */
import { isObject, own, type JsonObject } from '../../wire/json.js';
import { ignore, type Issue } from '../../wire/issue.js';
import { language as languageConcern, languageChooser } from '../../wire/language.js';
import { UNDETERMINED } from '../layer.js';
import type { ServerRequest } from '../part.js';
import type { Catalogs, FoundText } from './catalogs.js';
import { localiseElicitation } from './elicitation.js';
import { formatSets, formatWith, type Format } from './format.js';
import type { FormatPresets } from './format/presets.js';
import type { FormatSet } from './format/set.js';
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

type Say = (key: string, values?: MessageValues) => FoundText;

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

  /** The language of the content, and whether an argument of the tool named it. */
  const contentLanguage = (request: ServerRequest): [language: string, isArgued: boolean] => {
    const named = argued(request);
    return [named ?? request.choice.language, named !== undefined];
  };

  /** `words`: the language of the text, which differs if it was found in a fallback language. */
  const setFor = (request: ServerRequest, language: string, isArgued: boolean, words = language): FormatSet => {
    const { environment } = request.context;
    const locale = isArgued && environment.given.locale === undefined ? language : environment.locale;
    return sets(locale, environment.timezone, words === UNDETERMINED ? locale : words);
  };

  /** Finds texts in this language. A text of a fallback language has the formats of its own language. */
  const sayer = (request: ServerRequest, language: string, isArgued: boolean): Say => {
    let set: FormatSet | undefined;
    const setIn = (words: string): FormatSet =>
      words === language ? (set ??= setFor(request, language, isArgued)) : setFor(request, language, isArgued, words);
    return (key, values = {}) => {
      if (catalogs !== undefined) return catalogs.say(language, key, values, setIn, (issue) => request.report(issue));
      if (!isReported) request.report(NO_CATALOGS);
      isReported = true;
      return { text: key, language: undefined };
    };
  };

  /** Remembers a text that a handler got: it most likely becomes part of the answer. */
  const tell = (request: ServerRequest, { text, language }: FoundText): void => {
    if (language === undefined) return;
    request.answer.language.remember(text, language);
    note(request, [language]);
  };

  const translate = (request: ServerRequest, language: string, isArgued: boolean): Translate => {
    const say = sayer(request, language, isArgued);
    const t = (key: string, values?: MessageValues): string => {
      const found = say(key, values);
      tell(request, found);
      return found.text;
    };
    return Object.assign(t, {
      language,
      has: (key: string) => catalogs?.has(language, key) === true,
      in: (tag: string) => translate(request, chooser?.choose(tag).language ?? language, true),
    });
  };

  return {
    note,
    t: (request) => translate(request, ...contentLanguage(request)),
    format: (request) => formatWith(setFor(request, ...contentLanguage(request)), () => request.context.environment.now.epochMilliseconds),
    display(request) {
      const { language } = request.choice;
      const say = sayer(request, language, false);
      const isAsked = request.received.language !== undefined;
      return {
        t: translate(request, language, false),
        progress(key, values) {
          const { text: message, language: tag } = say(key, values);
          return tag === undefined || !isAsked ? { message } : { message, _meta: spelled(tag) };
        },
        error(key, { code, values, data } = {}) {
          const found = say(key, values);
          // In a tool of McpServer the message is the text of the result.
          tell(request, found);
          const isTold = found.language !== undefined && isAsked;
          const all = isTold ? { ...data, _meta: { ...(data?.['_meta'] as JsonObject | undefined), ...spelled(found.language) } } : data;
          return code === undefined
            ? Object.assign(new Error(found.text), all && { data: all })
            : request.context.error(code, found.text, all);
        },
        elicitation: (name, params) =>
          localiseElicitation(name, params, (key, text) => {
            const found = catalogs?.find(language, key) ?? { text, language: catalogs?.default };
            tell(request, found);
            return found.text;
          }),
      };
    },
  };
}

/** Writes a language for `_meta` of an error or a notification. */
function spelled(tag: string): JsonObject {
  return languageConcern.notification.write(tag, ignore) as JsonObject;
}
