/**
 * Pseudo-languages for tests: `en-XA` has accents, brackets and longer texts, `ar-XB` runs from right to left. They stay readable, and show
 * texts that are cut off, put together from pieces or not translated. Placeholders, plural forms and quoting stay as they are.
 */
import { isLiteralElement, isPluralElement, isSelectElement, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { isFault, messageCompiler } from '../message.js';
import { isPlain, quoteMessage } from '../message/syntax.js';
import { presetsOf, type GivenPresets } from '../format/presets.js';

export interface PseudoOptions {
  /** `accents` is the default; `mirrored` writes from right to left. */
  readonly style?: 'accents' | 'mirrored';
  /** The share of their letters by which the texts get longer. The default is 0.4. */
  readonly expand?: number;
  readonly formats?: GivenPresets;
}

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = Array.from('åƀçðéƒĝĥîĵķļḿñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻḾÑÖÞɊŔŠŢÛṼŴẊÝŽ');
const ACCENTS: ReadonlyMap<string, string> = new Map(Array.from(PLAIN, (letter, at): [string, string] => [letter, ACCENTED[at] as string]));
const RLO = '\u202e';
const PDF = '\u202c';

/** Returns each entry in the pseudo-language. An entry that does not parse stays as it is. */
export async function pseudoCatalog(entries: ReadonlyMap<string, string>, options: PseudoOptions = {}): Promise<Map<string, string>> {
  const { style = 'accents', expand = 0.4, formats } = options;
  if ((style as string) !== 'accents' && (style as string) !== 'mirrored') throw new RangeError("style: expected 'accents' or 'mirrored'");
  if (!(expand >= 0 && expand <= 10)) throw new RangeError('expand: expected a number from 0 to 10');
  const compiler = await messageCompiler(presetsOf(formats));
  const word = style === 'accents' ? accented : mirrored;
  return new Map(
    [...entries].map(([key, text]) => {
      const parsed = isPlain(text) ? undefined : compiler.parse(text);
      if (parsed !== undefined && isFault(parsed)) return [key, text];
      const pseudo = parsed === undefined ? word(text) : rewritten(text, parsed.elements, word);
      return [key, style === 'accents' ? `[${pseudo}${padding(text, expand)}]` : pseudo];
    }),
  );
}

function accented(text: string): string {
  return Array.from(text, (letter) => ACCENTS.get(letter) ?? letter).join('');
}

/** Mirrors word by word, so that a line can still break between words. */
function mirrored(text: string): string {
  return text.replaceAll(/\p{L}+/gu, `${RLO}$&${PDF}`);
}

function padding(text: string, expand: number): string {
  const letters = text.replaceAll(/\{[^{}]*\}/g, '').length;
  const more = Math.ceil(letters * expand);
  return more === 0 ? '' : ` ${'~'.repeat(more)}`;
}

/** Replaces the text between the placeholders in the source of a message, at any depth. */
function rewritten(source: string, elements: readonly MessageFormatElement[], word: (text: string) => string): string {
  const parts: { start: number; end: number; text: string }[] = [];
  const collect = (list: readonly MessageFormatElement[], inPlural: boolean): void => {
    for (const element of list) {
      const { location } = element;
      // Inside a plural form `#` stands for the number, so a `#` that is text has to be quoted there.
      if (isLiteralElement(element) && location)
        parts.push({
          start: location.start.offset,
          end: location.end.offset,
          text: quoteMessage(word(element.value), inPlural ? /[{}#]/ : /[{}]/),
        });
      if (isPluralElement(element) || isSelectElement(element))
        for (const option of Object.values(element.options)) collect(option.value, isPluralElement(element));
    }
  };
  collect(elements, false);
  let out = '';
  let at = 0;
  for (const { start, end, text } of parts.sort((a, b) => a.start - b.start)) {
    out += source.slice(at, start) + text;
    at = end;
  }
  return out + source.slice(at);
}
