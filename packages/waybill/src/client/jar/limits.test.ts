import { describe, expect, it } from 'vitest';
import { checkJarLimits, itemBytes } from './limits.js';

describe('limits', () => {
  it('a drawer may be exactly as large as one item', () => {
    expect(() => checkJarLimits({ itemBytes: 5_000, drawerBytes: 5_000 }, 'limits')).not.toThrow();
    expect(() => checkJarLimits({ itemBytes: 5_000, drawerBytes: 4_999 }, 'limits')).toThrow(RangeError);
  });

  it.each(['plain', 'é', '€', '😀', 'aé€😀"\\\n', 'x'.repeat(100)])('STATE-57: %j takes as many bytes as its JSON in UTF-8', (text) => {
    const bytes = Buffer.byteLength(JSON.stringify('n')) + Buffer.byteLength(JSON.stringify(text));
    expect(itemBytes('n', text, 4_096)).toBe(bytes);
    expect([itemBytes('n', text, bytes), itemBytes('n', text, bytes - 1)]).toEqual([bytes, undefined]);
  });
});
