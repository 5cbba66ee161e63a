/**
 * A language that nobody speaks and everybody can read: `en-XA` with accents, half as long again and in brackets, so that what is cut off, put
 * together from pieces or not translated at all shows; `ar-XB` from right to left. Placeholders, plural forms and quoting stay what they are.
 */
import { isLiteralElement, isPluralElement, isSelectElement, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { isFault, messageCompiler } from '../message.js';
import { isPlain, quoteMessage } from '../message/syntax.js';
import { presetsOf, type GivenPresets } from '../format/presets.js';

export interface PseudoOptions {
  /** `accents` unless said otherwise; `mirrored` writes from right to left. */
  readonly style?: 'accents' | 'mirrored';
  /** How much longer, as a share of the letters: 0.4 unless said otherwise. */
  readonly expand?: number;
  readonly formats?: GivenPresets;
}

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = Array.from('åƀçðéƒĝĥîĵķļḿñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻḾÑÖÞɊŔŠŢÛṼŴẊÝŽ');
const ACCENTS: ReadonlyMap<string, string> = new Map(Array.from(PLAIN, (letter, at): [string, string] => [letter, ACCENTED[at] as string]));
const RLO = '\u202e';
const PDF = '\u202c';

/** Each entry in the pseudo-language; one that does not parse stays as it is. */
export async function pseudoCatalog(entries: ReadonlyMap<string, string>, options: PseudoOptions = {}): Promise<Map<string, string>> {
  const { style = 'accents', expand = 0.4, formats } = options;
  if ((style as string) !== 'accents' && (style as string) !== 'mirrored')
    throw new RangeError("style: is neither 'accents' nor 'mirrored'");
  if (!(expand >= 0 && expand <= 10)) throw new RangeError('expand: is not a share between 0 and 10');
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

/** Word by word, so that a line still breaks between them. */
function mirrored(text: string): string {
  return text.replaceAll(/\p{L}+/gu, `${RLO}$&${PDF}`);
}

function padding(text: string, expand: number): string {
  const letters = text.replaceAll(/\{[^{}]*\}/g, '').length;
  const more = Math.ceil(letters * expand);
  return more === 0 ? '' : ` ${'~'.repeat(more)}`;
}

/** Replaces the text between the placeholders in the source of a message, wherever it is nested. */
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
