/** Language: a preference is filled in from the header or a default, and catalogues are laid over the titles of an unmodified server. */
import { keys } from 'waybill';
import { addVary, isFieldValue, languageChooser, listLocaliser, parseAcceptLanguage } from 'waybill/adapter';
import { catalogFolder } from 'waybill/server/node';
import type { LanguageConfig } from '../config/types.js';
import { own, textOf, type JsonRecord } from '../json/values.js';
import type { Message } from '../message.js';
import type { Hop, Rule } from './rule.js';

const LOCALISED = new Set(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'server/discover', 'initialize']);
const DESCRIPTIONS = ['tools.*.description', 'prompts.*.description', 'resources.*.description', 'resourceTemplates.*.description'];

export async function languageRule({ from, default: standard, catalogs: folder, fields }: LanguageConfig): Promise<Rule> {
  const overlay = folder === undefined || standard === undefined ? undefined : await overlayOf(folder, standard, fields);

  return {
    name: overlay === undefined ? 'language' : `language (${overlay.languages.join(', ')})`,
    request({ message, received }) {
      if (message.kind !== 'request' || message.meta[keys.ACCEPT_LANGUAGE] !== undefined) return;
      const header = from.includes('header') ? received['accept-language'] : undefined;
      // Some runtimes add `*` unasked, so it expresses no preference.
      const wish =
        header !== undefined && header !== '*' && isFieldValue(header) && parseAcceptLanguage(header) !== undefined ? header : standard;
      if (wish !== undefined) message.setMeta(keys.ACCEPT_LANGUAGE, wish);
    },
    looksAt: ({ message }) => overlay !== undefined && LOCALISED.has(message.method),
    answer(message, hop) {
      if (message.kind === 'result') overlay?.apply(message, hop);
    },
    close: () => overlay?.close(),
  };
}

interface Overlay {
  readonly languages: readonly string[];
  apply(message: Message, hop: Hop): void;
  close(): void;
}

async function overlayOf(folder: string, standard: string, fields: readonly string[]): Promise<Overlay> {
  const words = await catalogFolder(folder, { default: standard });
  const chooser = languageChooser(words.languages, { default: words.default });
  // The language of a text is known only if the text came from a catalogue.
  const used = new Set<string>();
  const noting = new Proxy(words, {
    get(target, name) {
      if (name !== 'find') return Reflect.get(target, name, target) as unknown;
      return (language: string, key: string) => {
        const found = target.find(language, key);
        if (found?.language !== undefined) used.add(found.language);
        return found;
      };
    },
  });
  const lists = listLocaliser(noting, { translate: fields.includes('description') ? DESCRIPTIONS : [] });

  return {
    languages: words.languages,
    close: () => words.close(),
    apply(message, hop) {
      const result = own(message.value, 'result') as JsonRecord;
      const { language } = chooser.choose(textOf(hop.message.meta[keys.ACCEPT_LANGUAGE]));
      used.clear();
      const next = lists.localise(result, hop.message.method, language, new Set());
      message.become(['result'], next);
      if (used.size > 0 && own(message.meta, keys.CONTENT_LANGUAGE) === undefined) {
        const languages = [...used].join(', ');
        message.setMeta(keys.CONTENT_LANGUAGE, languages);
        hop.answered['content-language'] = languages;
      }
      // Without the header no cache on the way can tell the languages apart.
      if (hop.received['accept-language'] === undefined && result['cacheScope'] === 'public')
        message.set(['result', 'cacheScope'], 'private');
      hop.answered['vary'] = addVary(hop.answered['vary'], 'Accept-Language');
    },
  };
}
