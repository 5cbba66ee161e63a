/**
 * Texts with a character of one kind at each place: timestamps, trace parents. One loop and one table for all of them, since every place in
 * the program that looks at a character is some hundred bytes of machine code, and what every call passes must not crowd out the rest.
 */

/** The kinds, by the sign that stands for each in a pattern. */
const KINDS: readonly (readonly [sign: string, members: string])[] = [
  ['0', '0123456789'],
  ['x', '0123456789abcdef'],
  ['-', '-'],
  [':', ':'],
  ['T', 'Tt'],
  ['+', '+-'],
];

/** One bit for each kind that an ASCII character is of. */
const BITS: Uint8Array = new Uint8Array(128);
KINDS.forEach(([, members], kind) => {
  for (const member of members) BITS[member.charCodeAt(0)] = (BITS[member.charCodeAt(0)] as number) | (1 << kind);
});

/** The bit that is wanted at each place. */
export type Shape = Uint8Array;

/** From a pattern such as `0000-00-00`, in which each character stands for its kind. */
export function shapeOf(pattern: string): Shape {
  return Uint8Array.from(pattern, (sign) => 1 << KINDS.findIndex(([name]) => name === sign));
}

/** Whether the text has that shape from a place on; behind it anything may follow. */
export function fits(text: string, shape: Shape, from = 0): boolean {
  for (let at = 0; at < shape.length; at++) {
    const code = text.charCodeAt(from + at);
    // Behind the end of the text a code is not a number, and that compares with nothing.
    if (!(code < 128) || ((BITS[code] as number) & (shape[at] as number)) === 0) return false;
  }
  return true;
}

/** The number that two digits make, at a place where a shape has found them. */
export function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * ZERO;
}

const ZERO = 0x30;
