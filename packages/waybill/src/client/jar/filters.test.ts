import { describe, expect, it } from 'vitest';
import { Jars } from './jars.js';
import { userJar } from './userJar.js';

async function setUp() {
  const jar = userJar(new Jars({}, () => undefined), {});
  await jar.edit('shop', 'kept', 1);
  return jar;
}

describe('a filter of the jar', () => {
  const filters: readonly (readonly [string, unknown, string])[] = [
    ['an unknown member', { sever: 'shop' }, 'sever: unknown option; did you mean server?'],
    ['an explicit undefined', { server: undefined }, 'server: expected a value'],
    ['a principal that came out undefined', { principal: undefined }, 'principal: expected a value'],
    ['an unknown scope', { scope: 'all' }, 'scope: expected'],
    ['a conversation that is none', { conversation: 7 }, 'conversation: expected'],
    ['a conversation of another jar', { conversation: { id: 'x' } }, 'the conversation belongs to another jar'],
    ['an empty server', { server: '' }, 'server: expected'],
    ['no object', 'shop', 'expected an object'],
    ['null', null, 'expected an object'],
  ];
  it.each(filters)('clear: %s is an error that names it, and nothing is cleared', async (_what, filter, text) => {
    const jar = await setUp();
    const error: unknown = await jar.clear(filter as object).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(text.startsWith('scope') ? RangeError : TypeError);
    expect((error as Error).message).toContain(text);
    expect(await jar.show('shop')).toHaveLength(1);
  });

  it('clear without a filter clears everything of that owner', async () => {
    const jar = await setUp();
    await jar.edit('other', 'kept', 2);
    await jar.edit('other', 'hers', 2, { principal: 'ann' });
    expect(await jar.clear()).toBe(2);
    expect(await jar.list({ principal: 'ann' })).toHaveLength(1);
  });

  it('every other call checks its filter too', async () => {
    const jar = await setUp();
    const wrong = { sever: 'shop' } as object;
    await expect(jar.list(wrong)).rejects.toThrow('jar.list.sever: unknown option');
    await expect(jar.show('shop', wrong)).rejects.toThrow('jar.show.sever: unknown option');
    await expect(jar.export(wrong)).rejects.toThrow('jar.export.sever: unknown option');
    await expect(jar.edit('shop', 'kept', 2, wrong)).rejects.toThrow('jar.edit.sever: unknown option');
    expect(() => jar.begin(wrong)).toThrow('jar.begin.sever: unknown option');
    expect(() => jar.resume('id', wrong)).toThrow('jar.resume.sever: unknown option');
    expect(await jar.export()).toMatchObject({ drawers: [{ items: [{ value: 1 }] }] });
  });

  it('a missing argument is named', async () => {
    const jar = await setUp();
    const none = undefined as unknown as string;
    await expect(jar.show(none)).rejects.toThrow('jar.show.server: expected a value');
    await expect(jar.edit(none, 'x', 1)).rejects.toThrow('jar.edit.server: expected a value');
    await expect(jar.edit('shop', none, 1)).rejects.toThrow('jar.edit.name: expected a value');
    await expect(jar.edit('shop', 'x', none)).rejects.toThrow('jar.edit.value: expected a value');
    expect(() => jar.resume(none)).toThrow('jar.resume.id: expected a value');
    expect(() => jar.resume('')).toThrow('jar.resume.id: expected a text that is not empty');
  });
});
