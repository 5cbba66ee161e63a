/**
 * Text as people write it, made comparable: lower case, no accents, full-width and other digits as 0-9, no marks that cannot be
 * seen. Each character of the folded text knows where it came from. Work and memory are linear in the length.
 */
export interface Folded {
  readonly text: string;
  /** Index in the source of each folded character, and its length at the end; absent where they agree. */
  readonly from: Uint32Array | undefined;
  readonly source: string;
}

const MAX_CHARACTERS = 4096;
const folded = new Map<string, string>();

/** Zero-width, bidi and other format characters, variation selectors: present, not meant. */
const INVISIBLE = /^[\p{Cf}\u034f\ufe00-\ufe0f]$/u;
const MARK = /^\p{M}$/u;
const DIGIT = /^\p{Nd}$/u;
const ACCENT = /[\u0300-\u036f]/g;
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '´': "'",
  '`': "'",
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '−': '-',
  '〜': '~',
  '～': '~',
  '、': ',',
};

export function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 126) return false;
  return true;
}

export function fold(source: string): Folded {
  if (isPlain(source)) return { text: source.toLowerCase(), from: undefined, source };
  let text = '';
  let aligned = true;
  for (let i = 0; i < source.length;) {
    const end = clusterEnd(source, i);
    const piece = foldOne(source, i, end);
    aligned &&= piece.length === end - i;
    text += piece;
    i = end;
  }
  return { text, from: aligned ? undefined : placesOf(source, text.length), source };
}

/** The place in the source of each folded character: ß gives two of them, a zero-width space none. */
function placesOf(source: string, length: number): Uint32Array {
  const from = new Uint32Array(length + 1);
  let at = 0;
  for (let i = 0; i < source.length;) {
    const end = clusterEnd(source, i);
    for (let left = foldOne(source, i, end).length; left > 0; left--) from[at++] = i;
    i = end;
  }
  from[length] = source.length;
  return from;
}

/** The source text at this place, in whole characters: ⑽ is one character, though only its middle is a number. */
export function sourceOf({ from, source }: Folded, start: number, end: number): { index: number; text: string } {
  if (!from) return { index: start, text: source.slice(start, end) };
  let until = end;
  while (until < from.length - 1 && from[until] === from[end - 1]) until++;
  return { index: from[start] ?? 0, text: source.slice(from[start], from[until]) };
}

function foldOne(source: string, start: number, end: number): string {
  const code = source.charCodeAt(start);
  if (code < 127) return code >= 65 && code <= 90 ? String.fromCharCode(code + 32) : source.charAt(start);
  return foldCluster(end === start + 1 ? source.charAt(start) : source.slice(start, end));
}

/** Ideographs, kana and Hangul syllables carry no marks but the two of kana; most letters of Latin are below the first mark. */
const mayBeMark = (code: number): boolean => code >= 0x300 && !(code >= 0x309b && code < 0xa66f) && !(code >= 0xac00 && code < 0xd7a4);

/** A character with up to four marks behind it; more marks than any script uses stand for themselves. */
function clusterEnd(source: string, start: number): number {
  const code = source.charCodeAt(start);
  let end = start + 1;
  if (code < 127) return end;
  if (code >= 0xd800 && code < 0xdc00 && (source.codePointAt(start) ?? 0) > 0xffff) end++;
  for (let marks = 0; marks < 4 && end < source.length && mayBeMark(source.charCodeAt(end)) && MARK.test(source.charAt(end)); marks++)
    end++;
  return end;
}

function foldCluster(cluster: string): string {
  const known = folded.get(cluster);
  if (known !== undefined) return known;
  const result = foldOnce(cluster);
  if (folded.size >= MAX_CHARACTERS) folded.clear();
  folded.set(cluster, result);
  return result;
}

function foldOnce(cluster: string): string {
  if (INVISIBLE.test(cluster)) return '';
  const letter = LETTERS[cluster];
  if (letter !== undefined) return letter;
  if (DIGIT.test(cluster)) return String(digitValue(cluster));
  // Compose again: が without its mark would be another syllable, unlike é without its accent.
  const plain = cluster.normalize('NFKD').replace(ACCENT, '').normalize('NFC').toLowerCase();
  return LETTERS[plain] ?? plain.replace(/[\u0300-\u036f]/g, '');
}

/** The decimal digits of every script stand in runs of ten: count back to the zero. */
function digitValue(digit: string): number {
  const compatible = digit.normalize('NFKC');
  if (compatible >= '0' && compatible <= '9') return Number(compatible);
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}
