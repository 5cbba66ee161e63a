import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeSeal } from '../node/seal.js';
import { sequenceOf, type Seal, type SealAbout, type SealOptions, type Unsealed } from './seal.js';
import { webSeal } from './webSeal.js';

/** Any sequence of UTF-16 units; fast-check's own takes a second to be built. */
const anyText = fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units));

const KEY = 'a secret that is at least 32 bytes long';
const OTHER = Uint8Array.from({ length: 32 }, (_, at) => at);
const about: SealAbout = { principal: 'ann', scope: 'session', name: 'cart', now: 1_700_000_000, maxAge: undefined };
const makers: Record<string, (options: SealOptions) => Seal> = { nodeSeal, webSeal };
const text = (opened: Unsealed): string | undefined => ('text' in opened ? opened.text : undefined);

describe.each(Object.keys(makers))('D-22: %s', (kind) => {
  const make = (options: Partial<SealOptions> = {}): Seal => makers[kind]!({ keys: [KEY], audience: 'shop', ...options });

  it('every seal opens what it sealed, and the token reveals nothing of it', async () => {
    const seal = make();
    await fc.assert(
      fc.asyncProperty(
        anyText.map((plain) => JSON.stringify(plain)),
        anyText,
        fc.option(anyText),
        async (plain, name, principal) => {
          const binding = { ...about, name, principal };
          const token = await seal.seal(plain, binding);
          expect(token).toMatch(/^w1\.[\w-]{8}\.[\da-z]+\.\.[\w-]+$/);
          expect(text(await seal.unseal(token, binding))).toBe(plain);
        },
      ),
      { numRuns: 50 },
    );
    expect(await seal.seal('the same', about)).not.toBe(await seal.seal('the same', about));
  });

  it.each([
    ['another principal', { principal: 'bob' }],
    ['nobody in particular', { principal: null }],
    ['another scope', { scope: 'server' as const }],
    ['another name', { name: 'cart2' }],
  ])('a value for %s is refused', async (_what, change) => {
    const seal = make();
    const token = await seal.seal('x', about);
    expect(await seal.unseal(token, { ...about, ...change })).toHaveProperty('problem');
    expect(await seal.unseal(await seal.seal('x', { ...about, ...change }), about)).toHaveProperty('problem');
  });

  it('a value for another audience, or under another key, is refused', async () => {
    const token = await make().seal('x', about);
    expect(await make({ audience: 'shop2' }).unseal(token, about)).toHaveProperty('problem');
    expect(await make({ keys: [OTHER] }).unseal(token, about)).toHaveProperty('problem');
  });

  it('no two different bindings have the same text', async () => {
    const seal = make({ audience: 'a","b' });
    const odd = make({ audience: 'a' });
    const token = await seal.seal('x', { ...about, principal: 'c' });
    for (const principal of ['b","c', '","b","c', 'b']) expect(await odd.unseal(token, { ...about, principal })).toHaveProperty('problem');
  });

  it('an old key opens and a new one seals, as long as both are listed', async () => {
    const old = await make().seal('old', about);
    const both = make({ keys: [OTHER, KEY] });
    expect(text(await both.unseal(old, about))).toBe('old');
    const fresh = await both.seal('new', about);
    expect(await make().unseal(fresh, about)).toHaveProperty('problem');
    expect(text(await make({ keys: [OTHER] }).unseal(fresh, about))).toBe('new');
    expect(await make({ keys: [OTHER] }).unseal(old, about)).toHaveProperty('problem');
  });

  it('a value expires, and sooner if the definition has become stricter', async () => {
    const seal = make();
    const token = await seal.seal('x', { ...about, maxAge: 100 });
    const at = (later: number, maxAge?: number) => seal.unseal(token, { ...about, now: about.now + later, maxAge });
    expect(text(await at(99))).toBe('x');
    expect(await at(100)).toEqual({ problem: 'has expired' });
    expect(await at(50, 40)).toEqual({ problem: 'has expired' });
    const long = token.replace(/\.([\da-z]+)\.([\da-z]+)\./, '.$1.zzzzzz.');
    expect(long).not.toBe(token);
    expect(await seal.unseal(long, about)).toHaveProperty('problem');
    const endless = token.replace(/\.([\da-z]+)\.([\da-z]+)\./, '.$1..');
    expect(await seal.unseal(endless, about)).toHaveProperty('problem');
  });

  it('STATE-43: a changed, cut or invented token is refused, and never throws', async () => {
    const seal = make();
    const token = await seal.seal(JSON.stringify({ total: 100 }), { ...about, maxAge: 1000 });
    for (let place = 0; place < token.length; place += kind === 'nodeSeal' ? 1 : 7)
      for (const character of ['A', '.']) {
        const changed = token.slice(0, place) + character + token.slice(place + 1);
        if (changed !== token) expect([changed, text(await seal.unseal(changed, about))]).toEqual([changed, undefined]);
        expect(await seal.unseal(token.slice(0, place), about)).toHaveProperty('problem');
      }
    for (const made of [
      '',
      'w1',
      'w1....',
      'w2' + token.slice(2),
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      'w1.aaaaaaaa.1..AAAA',
      'x'.repeat(10_000_000),
      'w1.aaaaaaaa.1..' + 'A'.repeat(10_000_000),
    ])
      expect(await seal.unseal(made, about)).toHaveProperty('problem');
    await fc.assert(
      fc.asyncProperty(anyText, async (made) => {
        expect(await seal.unseal(made, about)).toHaveProperty('problem');
      }),
      { numRuns: 50 },
    );
  });

  it.each([1, 2, 3])('a token has one spelling: no other end stands for the same bytes, case %i', async (length) => {
    const seal = make();
    const token = await seal.seal('x'.repeat(length), about);
    const ends = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
    const others = [...ends.map((end) => token.slice(0, -1) + end), ...ends.map((end) => token + end)].filter((other) => other !== token);
    const taken = await Promise.all(others.map(async (other) => text(await seal.unseal(other, about))));
    expect(taken.filter((opened) => opened !== undefined)).toEqual([]);
    expect(text(await seal.unseal(token, about))).toBe('x'.repeat(length));
  });

  it('a token has one spelling: times have no leading zeros, and nothing is padded', async () => {
    const seal = make();
    const token = await seal.seal('x', { ...about, maxAge: 100 });
    const [version, key, issued, expires, data] = token.split('.') as [string, string, string, string, string];
    const others = [
      [version, key, `0${issued}`, expires, data],
      [version, key, issued, `0${expires}`, data],
      [version, key, `00${issued}`, `0${expires}`, data],
      [version, key, issued.toUpperCase(), expires.toUpperCase(), data],
      [version, key, issued, expires, `${data}=`],
      [version, key, issued, expires, `${data}==`],
      [version, key, issued, expires, `${data}\n`],
    ].map((parts) => parts.join('.'));
    const taken = await Promise.all(others.map(async (other) => text(await seal.unseal(other, about))));
    expect(taken).toEqual(others.map(() => undefined));
    expect(text(await seal.unseal(token, about))).toBe('x');
  });

  it('a clock that returns no number opens nothing that expires', async () => {
    const seal = make();
    const token = await seal.seal('x', { ...about, maxAge: 100 });
    expect(await seal.unseal(token, { ...about, now: NaN })).toEqual({ problem: 'has expired' });
  });

  it.each([new Uint8Array(32), Buffer.alloc(32)])(
    'keys are copied: wiping the buffer afterwards changes nothing, case %#',
    async (buffer) => {
      buffer.set(OTHER);
      const seal = make({ keys: [buffer] });
      buffer.fill(0);
      const token = await seal.seal('x', about);
      expect(text(await make({ keys: [OTHER] }).unseal(token, about))).toBe('x');
      buffer.fill(1);
      expect(text(await seal.unseal(token, about))).toBe('x');
    },
  );

  it('each sealing has its own sequence, which the token shows', async () => {
    const seal = make();
    const [one, other] = [await seal.seal('x', about), await seal.seal('x', about)];
    const opened = await seal.unseal(one, about);
    expect(opened).toEqual({ text: 'x', sequence: sequenceOf(one) });
    expect(sequenceOf(one)).not.toBe(sequenceOf(other));
  });

  it.each([
    [{ keys: [] }, 'keys: expected a list'],
    [{ keys: ['short'] }, 'keys[0]'],
    [{ keys: [KEY, new Uint8Array(31)] }, 'keys[1]'],
    [{ keys: [7 as never] }, 'keys[0]'],
    [{ keys: [new Uint8Array(32)] }, 'keys[0]: expected a secret, got one byte repeated'],
    [{ keys: [KEY, new Uint8Array(64).fill(7)] }, 'keys[1]: expected a secret, got one byte repeated'],
    [{ keys: ['a'.repeat(40)] }, 'keys[0]: expected a secret, got one byte repeated'],
    [{ audience: '' }, 'audience'],
    [{ audience: undefined as never }, 'audience'],
  ])('wrong options fail at construction: %j', (options, path) => {
    expect(() => make(options)).toThrow(`${kind}.${path}`);
  });
});

describe('the two seals', () => {
  it('each opens what the other sealed', async () => {
    const options = { keys: [KEY, OTHER], audience: 'shop' };
    const [node, web] = [nodeSeal(options), webSeal(options)];
    for (const plain of ['', 'x', '😀 "ä"', 'a'.repeat(100_000)]) {
      expect(text(node.unseal(await web.seal(plain, about), about))).toBe(plain);
      expect(text(await web.unseal(node.seal(plain, about), about))).toBe(plain);
    }
  });
});
