import { parseAcceptLanguage } from './accept.js';
import { MAX_VALUE_LENGTH } from './tag.js';
import { trimBlanks } from '../blanks.js';

// D-12
/** The reason why a header and `_meta` disagree: the `data` of the refusal. It helps to find the proxy that changed one of them. */
export interface LanguageMismatch {
  readonly header: string;
  readonly headerValue: string;
  readonly metaValue: string;
  /** The likely cause, as a sentence. */
  readonly hint: string;
}

/** The number of characters of each value that are quoted. */
const SHOWN = 256;

const HINTS = {
  star: 'The header is *, which some runtimes (also Node’s fetch) send by default: set it to the _meta value.',
  space: 'They differ in white space only: something on the way reformatted the list, or joined repeated lines.',
  case: 'They differ in upper and lower case only: something on the way rewrote the tags.',
  spaceAndCase: 'They differ in white space and case only: something on the way normalised the header.',
  joined: 'The header holds the _meta value and more: two senders seem to have set it, and the lines were joined.',
  weight: 'They differ in how weights are written (q=0.9 and q=0.900, or a q=1 left out): something on the way normalised the header.',
  order: 'They hold the same members in another order: something on the way sorted the header.',
  rewritten: 'The header holds only one of the languages in _meta: a proxy or CDN seems to put the language it chose into this header.',
  empty: 'The header is empty: something on the way emptied it; leave it out instead.',
  generic: 'The header must carry exactly the _meta value, or be left out; the client or something on the way set another value.',
} as const;

export function diagnoseMismatch(header: string, headerValue: string, metaValue: string): LanguageMismatch {
  return { header, headerValue: cut(headerValue), metaValue: cut(metaValue), hint: HINTS[cause(trimBlanks(headerValue), metaValue)] };
}

/** Cuts a text without splitting a surrogate pair. */
function cut(text: string): string {
  if (text.length <= SHOWN) return text;
  const end = (text.charCodeAt(SHOWN - 1) & 0xfc00) === 0xd800 ? SHOWN - 1 : SHOWN;
  return `${text.slice(0, end)}…`;
}

function cause(header: string, meta: string): keyof typeof HINTS {
  if (header === '*') return 'star';
  if (header === '') return 'empty';
  if (header.length > MAX_VALUE_LENGTH || meta.length > MAX_VALUE_LENGTH) return 'generic';
  if (withoutBlanks(header) === withoutBlanks(meta)) return 'space';
  if (header.toLowerCase() === meta.toLowerCase()) return 'case';
  const [left, right] = [withoutBlanks(header).toLowerCase(), withoutBlanks(meta).toLowerCase()];
  if (left === right) return 'spaceAndCase';
  if (left.startsWith(`${right},`) || left.endsWith(`,${right}`)) return 'joined';
  if (left.split(',').sort().join(',') === right.split(',').sort().join(',')) return 'order';
  const [sent, meant] = [parseAcceptLanguage(left), parseAcceptLanguage(right)];
  if (sent === undefined || meant === undefined) return 'generic';
  if (JSON.stringify(sent) === JSON.stringify(meant)) return 'weight';
  const only = sent.length === 1 ? sent[0]?.range : undefined;
  const kept = meant.some(
    ({ range }) => only !== undefined && (range === only || range.startsWith(`${only}-`) || only.startsWith(`${range}-`)),
  );
  return kept ? 'rewritten' : 'generic';
}

function withoutBlanks(text: string): string {
  return text.replace(/[ \t]/g, '');
}
