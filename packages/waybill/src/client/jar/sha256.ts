/**
 * Computes SHA-256 (FIPS 180-4) of a text, synchronously and on every runtime. WebCrypto is asynchronous, and the name of a drawer is
 * needed before a request leaves.
 */
export function sha256(text: string): string {
  const hash = Uint32Array.from(START);
  const words = new Uint32Array(64);
  const blocks = padded(new TextEncoder().encode(text));
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = blocks.getUint32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const [early, late] = [words[i - 15] as number, words[i - 2] as number];
      const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[i] = (words[i - 16] as number) + first + (words[i - 7] as number) + second;
    }
    addBlock(hash, words);
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('');
}

function addBlock(hash: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const chosen = (e & f) ^ (~e & g);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + (ROUNDS[i] as number) + (words[i] as number)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (hash[at] = (hash[at] as number) + word));
}

/** Appends one bit, zeros up to a whole block, and the length in bits. */
function padded(bytes: Uint8Array): DataView {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The first 32 bits of the fractional parts of roots of the first primes: square roots for the start, cube roots for the rounds. */
const PRIMES = firstPrimes(64);
const behindPoint = (root: number): number => Math.floor((root % 1) * 2 ** 32);
const START = PRIMES.slice(0, 8).map((prime) => behindPoint(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => behindPoint(Math.cbrt(prime)));

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let next = 2; primes.length < count; next++) if (primes.every((prime) => next % prime !== 0)) primes.push(next);
  return primes;
}
