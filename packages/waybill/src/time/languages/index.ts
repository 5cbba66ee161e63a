/** The nine grammars. A language is built when its first phrase is read; the others cost no more than their text. */
import { buildLexicon, type Lexicon } from '../parse/lexicon.js';
import type { Grammar } from '../parse/word.js';
import { COMMON } from './common.js';
import { german } from './de.js';
import { english } from './en.js';
import { spanish } from './es.js';
import { french } from './fr.js';
import { italian } from './it.js';
import { japanese } from './ja.js';
import { dutch } from './nl.js';
import { portuguese } from './pt.js';
import { chinese } from './zh.js';

const GRAMMARS: Readonly<Record<string, () => Grammar>> = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  ja: japanese,
  nl: dutch,
  pt: portuguese,
  zh: chinese,
};
/** Written with the same characters, and its words are in the same grammar. */
const SAME: Readonly<Record<string, string>> = { yue: 'zh', cmn: 'zh' };
const built = new Map<string, Lexicon>();

export const grammarLanguages: readonly string[] = [...Object.keys(GRAMMARS), 'yue'];

/** For a language without a grammar: figures only. */
export function plainLexicon(): Lexicon {
  let lexicon = built.get('');
  if (!lexicon) built.set('', (lexicon = buildLexicon({ script: 'spaced', rows: COMMON })));
  return lexicon;
}

export function lexiconOf(language: string): Lexicon | undefined {
  const known = built.get(language);
  if (known) return known;
  const name = Object.hasOwn(SAME, language) ? (SAME[language] ?? language) : language;
  const grammar = Object.hasOwn(GRAMMARS, name) ? GRAMMARS[name] : undefined;
  if (!grammar) return undefined;
  const lexicon = (name === language ? undefined : built.get(name)) ?? buildLexicon(grammar());
  built.set(language, lexicon);
  return lexicon;
}
