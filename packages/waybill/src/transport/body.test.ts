import { describe, expect, it } from 'vitest';
import { DEFAULT_BODY_LIMITS, Gathered } from './body.js';

const bytes = new TextEncoder().encode('\ufeff{"a":"grüße 漢字 🎏"}'.repeat(100));

const gathered = (step: number): string => {
  const body = new Gathered(DEFAULT_BODY_LIMITS);
  for (let at = 0; at < bytes.length; at += step) body.add(bytes.subarray(at, at + step));
  return body.text();
};

describe('a body', () => {
  it.each([1, 2, 3, 7, 1000, bytes.length])('a body is the same text in pieces of %d bytes', (step) => {
    expect(gathered(step)).toBe(new TextDecoder().decode(bytes));
  });

  it('a body in very many pieces does not keep the pieces', () => {
    const body = new Gathered(DEFAULT_BODY_LIMITS);
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    for (const piece of pieces) body.add(piece);
    // A piece that was still held would show in the text.
    for (const piece of pieces.slice(0, pieces.length / 2)) piece.fill(0);
    expect(body.text()).toBe(new TextDecoder().decode(bytes));
  });

  it('a body may be empty', () => {
    expect(new Gathered(DEFAULT_BODY_LIMITS).text()).toBe('');
  });

  it('a body is refused with the piece that exceeds the limit', () => {
    const body = new Gathered({ ...DEFAULT_BODY_LIMITS, size: 10 });
    body.add(new Uint8Array(10));
    expect(() => body.add(new Uint8Array(1))).toThrow(expect.objectContaining({ reason: 'too-large' }));
  });
});
