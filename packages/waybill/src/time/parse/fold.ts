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

const MOST_CHARACTERS = 4096;
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
  const pieces: string[] = [];
  // A folded character may be longer than its source: ㍻ becomes 平成, three at most (ffi).
  let from = new Uint32Array(source.length + 16);
  let length = 0;
  for (let i = 0; i < source.length;) {
    const code = source.charCodeAt(i);
    let end = i + 1;
    let piece: string;
    if (code < 127) piece = code >= 65 && code <= 90 ? String.fromCharCode(code + 32) : (source[i] ?? '');
    else {
      end = clusterEnd(source, i);
      piece = foldCluster(source.slice(i, end));
    }
    if (length + piece.length + 1 > from.length) {
      const larger = new Uint32Array(from.length * 2 + piece.length);
      larger.set(from);
      from = larger;
    }
    for (let k = 0; k < piece.length; k++) from[length++] = i;
    pieces.push(piece);
    i = end;
  }
  from[length] = source.length;
  return { text: pieces.join(''), from, source };
}

/** A character with up to four marks behind it; more marks than any script uses stand for themselves. */
function clusterEnd(source: string, start: number): number {
  let end = start + ((source.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
  for (let marks = 0; marks < 4 && end < source.length && source.charCodeAt(end) > 126 && MARK.test(source[end] ?? ''); marks++) end++;
  return end;
}

export function foldCluster(cluster: string): string {
  const known = folded.get(cluster);
  if (known !== undefined) return known;
  const result = foldOnce(cluster);
  if (folded.size >= MOST_CHARACTERS) folded.clear();
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
