/** The grammars that one entry of the package offers. Each is built when its first phrase is read. */
import { buildLexicon, type Lexicon } from '../parse/lexicon.js';
import type { Grammar } from '../parse/word.js';
import type { Others } from '../relative.js';
import { COMMON } from './common.js';

/** Written with the same characters, and its words are in the same grammar. */
const SAME: Readonly<Record<string, string>> = { yue: 'zh', cmn: 'zh' };

export class Languages {
  /** Languages with a grammar. */
  readonly codes: readonly string[];
  /** Reads every other language. An entry for one language leaves it out: it would be a sixth of its size. */
  readonly others: Others | undefined;
  readonly #grammars: ReadonlyMap<string, () => Grammar>;
  readonly #built = new Map<string, Lexicon>();
  #plain: Lexicon | undefined;

  constructor(grammars: Readonly<Record<string, () => Grammar>>, others?: Others) {
    this.others = others;
    this.#grammars = new Map(Object.entries(grammars));
    this.codes = [...this.#grammars.keys(), ...(this.#grammars.has('zh') ? ['yue'] : [])];
  }

  lexicon(language: string): Lexicon | undefined {
    const name = Object.hasOwn(SAME, language) ? (SAME[language] ?? language) : language;
    const known = this.#built.get(name);
    if (known) return known;
    const grammar = this.#grammars.get(name);
    if (!grammar) return undefined;
    const lexicon = buildLexicon(grammar());
    this.#built.set(name, lexicon);
    return lexicon;
  }

  /** For a language without a grammar: figures only. */
  plain(): Lexicon {
    return (this.#plain ??= buildLexicon({ rows: COMMON }));
  }
}
