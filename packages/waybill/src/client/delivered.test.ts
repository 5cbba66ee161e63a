import { describe, expect, it } from 'vitest';
import { DeliveredResults } from './delivered.js';

const LIST = { method: 'tools/list' };
const tool = (name: string, title: string): object => ({ name, title, 'x-unknown': 1 });
const kept = (name: string, title: string): object => ({ name, title });

describe('LANG-60: the variant of a result that the SDK cached', () => {
  const two = (): DeliveredResults => {
    const delivered = new DeliveredResults();
    delivered.remember(LIST, 'en', { tools: [tool('a', 'Add'), tool('b', 'Book')] });
    delivered.remember(LIST, 'de', { tools: [tool('a', 'Addieren'), tool('b', 'Buchen')] });
    return delivered;
  };

  it('it is the variant of the page that contains it: the SDK drops members and tools', () => {
    expect(two().variantOf(LIST, { tools: [kept('a', 'Add'), kept('b', 'Book')] })).toBe('en');
    expect(two().variantOf(LIST, { tools: [kept('b', 'Buchen')] })).toBe('de');
  });

  it('it is unknown if no page fits, or several different ones do', () => {
    for (const tools of [[kept('a', 'Ajouter')], [kept('a', 'Add'), kept('c', 'Cancel')], []])
      expect(two().variantOf(LIST, { tools })).toBeUndefined();
    expect(two().variantOf({ method: 'prompts/list' }, { tools: [kept('a', 'Add')] })).toBeUndefined();
  });

  it('it is the last of several variants with the same content', () => {
    const delivered = two();
    delivered.remember(LIST, 'fr', { tools: [tool('a', 'Add'), tool('b', 'Book')] });
    expect(delivered.variantOf(LIST, { tools: [kept('a', 'Add'), kept('b', 'Book')] })).toBe('fr');
  });

  it('later pages decide if two lists begin alike', () => {
    const delivered = new DeliveredResults();
    for (const [variant, title] of [
      ['en', 'Book'],
      ['de', 'Buchen'],
    ] as const) {
      delivered.remember(LIST, variant, { tools: [tool('a', 'A')], nextCursor: '2' });
      delivered.remember(LIST, variant, { tools: [tool('b', title)] }, false);
    }
    expect(delivered.variantOf(LIST, { tools: [kept('a', 'A'), kept('b', 'Book')] })).toBe('en');
    expect(delivered.variantOf(LIST, { tools: [kept('a', 'A'), kept('b', 'Buchen')] })).toBe('de');
    expect(delivered.variantOf(LIST, { tools: [kept('a', 'A')] })).toBeUndefined();
  });

  it('the first page decides while more pages follow, but not if two lists begin alike', () => {
    const delivered = new DeliveredResults();
    delivered.remember(LIST, 'en', { tools: [tool('a', 'Add')], nextCursor: '2' });
    const all = { tools: [kept('a', 'Add'), kept('b', 'Book')] };
    expect(delivered.variantOf(LIST, all)).toBe('en');
    delivered.remember(LIST, 'de', { tools: [tool('a', 'Add')], nextCursor: '2' });
    expect(delivered.variantOf(LIST, all)).toBeUndefined();
  });

  it('each resource has its own variants, and sixteen of them are remembered', () => {
    const delivered = new DeliveredResults();
    const read = (params: string): { method: string; params: string } => ({ method: 'resources/read', params });
    const result = (text: string): { contents: object[] } => ({ contents: [{ uri: 'note://a', text }] });
    for (let n = 0; n <= 16; n++) delivered.remember(read('note://a'), `v${n}`, result(`t${n}`));
    expect(delivered.variantOf(read('note://a'), result('t1'))).toBe('v1');
    expect(delivered.variantOf(read('note://a'), result('t0'))).toBeUndefined();
    expect(delivered.variantOf(read('note://b'), result('t1'))).toBeUndefined();
  });
});
