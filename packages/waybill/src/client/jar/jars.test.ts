import { describe, expect, it } from 'vitest';
import type { Issue } from '../../wire/issue.js';
import type { Json } from '../../wire/json.js';
import type { StateChanges } from '../../wire/state.js';
import { jar as openJar } from './open.js';
import { Jars, type StateToSend } from './jars.js';
import type { JarOptions } from './open.js';
import type { JarConversation } from './conversations.js';

const names = (given: Record<string, Json>): ReadonlyMap<string, Json> => new Map(Object.entries(given));
const session = (given: Record<string, Json>): StateChanges => ({ session: names(given) });
const server = (given: Record<string, Json>): StateChanges => ({ server: names(given) });

const deep = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json;

/** One principal and one server, without a store: everything happens at once. */
function setUp(options: JarOptions = {}, merges: readonly string[] = []) {
  const issues: Issue[] = [];
  const jars = new Jars(options, (issue) => issues.push(issue));
  const conversation = jars.conversations.begin('ann');
  const carry = (held: JarConversation | undefined = conversation, at = 'a.example', who = 'ann') =>
    jars.carry(who, at, held) as StateToSend;
  const answer = ({ ticket }: StateToSend, changes: StateChanges): void => {
    void jars.apply(ticket, changes, new Set(merges));
  };
  const sent = (held: JarConversation | undefined = conversation, at = 'a.example', who = 'ann') => {
    const { session, server, conflicts } = carry(held, at, who).values;
    const plain = (map: ReadonlyMap<string, unknown> | undefined) => map && Object.fromEntries(map);
    return {
      ...(session && { session: plain(session) }),
      ...(server && { server: plain(server) }),
      ...(conflicts && { conflicts: { session: plain(conflicts.session), server: plain(conflicts.server) } }),
    };
  };
  return { jars, conversation, issues, carry, answer, sent };
}

describe('state that an answer sets', () => {
  it('STATE-06: values are added by name, and STATE-08: every later request carries them', () => {
    const { carry, answer, sent } = setUp();
    answer(carry(), session({ one: 1 }));
    answer(carry(), session({ two: 2 }));
    expect(sent()).toEqual({ session: { one: 1, two: 2 } });
    expect(sent()).toEqual({ session: { one: 1, two: 2 } });
  });

  it('STATE-07: a value replaces the whole value of the same name', () => {
    const { carry, answer, sent } = setUp();
    answer(carry(), session({ cart: { items: ['a'], price: 1 } }));
    answer(carry(), session({ cart: { items: ['b'] } }));
    expect(sent()).toEqual({ session: { cart: { items: ['b'] } } });
  });

  it('STATE-05: null deletes a name, also an unknown one; inside a value it is data', () => {
    const { carry, answer, sent, issues } = setUp();
    answer(carry(), server({ kept: { nothing: null }, gone: 1 }));
    answer(carry(), server({ gone: null, unknown: null }));
    expect(sent()).toEqual({ server: { kept: { nothing: null } } });
    expect(issues).toEqual([]);
  });

  it('STATE-09: an empty jar sends nothing', () => {
    const { carry, answer, sent } = setUp();
    expect(sent()).toEqual({});
    answer(carry(), session({ one: 1 }));
    answer(carry(), session({ one: null }));
    expect(sent()).toEqual({});
  });

  it('STATE-22: one name may be used in both scopes', () => {
    const { carry, answer, sent } = setUp();
    answer(carry(), { ...session({ name: 1 }), ...server({ name: 2 }) });
    answer(carry(), session({ name: null }));
    expect(sent()).toEqual({ server: { name: 2 } });
  });

  it('STATE-42: any text is a name like any other', () => {
    const { carry, answer, sent } = setUp();
    const odd = ['__proto__', 'constructor', '', ' ', '\0', '\ud800', 'Cart Contents', '😀'];
    for (const name of odd) answer(carry(), { session: new Map([[name, name]]) });
    const values = carry().values.session as ReadonlyMap<string, Json>;
    expect([...values]).toEqual(odd.map((name) => [name, name]));
    expect(Object.getPrototypeOf(sent())).toBe(Object.prototype);
  });
});

describe('the server that gets state back', () => {
  it('STATE-30: only the server that set it', () => {
    const { carry, answer, sent, conversation } = setUp();
    answer(carry(), { ...session({ x: 1 }), ...server({ y: 2 }) });
    for (const other of ['b.example', 'www.a.example', 'example', 'a.example.', '']) expect(sent(conversation, other)).toEqual({});
  });

  it('STATE-40: only the principal it was set for', () => {
    const { jars, carry, answer, sent } = setUp();
    answer(carry(), server({ y: 2 }));
    expect(sent(jars.conversations.begin('bob'), 'a.example', 'bob')).toEqual({});
    expect(sent(undefined, 'a.example', '')).toEqual({});
  });

  it('STATE-21, STATE-23: server scope goes to every conversation, session scope only to its own', () => {
    const { jars, carry, answer, sent } = setUp();
    answer(carry(), { ...session({ x: 1 }), ...server({ y: 2 }) });
    expect(sent(jars.conversations.begin('ann'))).toEqual({ server: { y: 2 } });
    expect(jars.carry('ann', 'a.example', undefined)).toMatchObject({ values: { server: names({ y: 2 }) } });
  });
});

describe('IX-06: a conversation', () => {
  it('STATE-20, D-05: a conversation forgets its state when it ends, and later answers set none', async () => {
    const { carry, answer, sent, conversation, issues } = setUp();
    answer(carry(), { ...session({ x: 1 }), ...server({ y: 2 }) });
    const late = carry();
    await conversation.end();
    expect(conversation.ended).toBe(true);
    answer(late, { ...session({ x: 3 }), ...server({ y: 4 }) });
    expect(sent()).toEqual({ server: { y: 4 } });
    expect(issues).toEqual([{ concern: 'state', key: 'session', problem: 'was set for a conversation that has ended' }]);
  });

  it('D-05: a fork starts with a copy, and then the two are separate', async () => {
    const { carry, answer, sent, conversation } = setUp();
    answer(carry(), session({ x: 1, y: 1 }));
    const under = carry();
    const child = (await conversation.fork()) as JarConversation;
    answer(carry(child), session({ x: 2 }));
    answer(under, session({ z: 3 }));
    expect(sent(child)).toEqual({ session: { x: 2, y: 1 } });
    expect(sent()).toEqual({ session: { x: 1, y: 1, z: 3 } });
    await conversation.end();
    expect(sent(child)).toEqual({ session: { x: 2, y: 1 } });
    await expect(conversation.fork()).rejects.toThrow('ended');
  });

  it('a conversation is resumed by its id, but not after it has ended', async () => {
    const { jars, carry, answer, sent, conversation } = setUp();
    answer(carry(), session({ x: 1 }));
    const again = jars.conversations.resume('ann', conversation.id);
    expect(sent(again)).toEqual({ session: { x: 1 } });
    await again.end();
    expect(jars.conversations.resume('ann', conversation.id).ended).toBe(true);
    answer(carry(jars.conversations.resume('ann', conversation.id)), session({ x: 1 }));
    expect(sent(conversation)).toEqual({});
  });

  it('session scope needs a conversation: without one, what an answer sets is dropped and reported', () => {
    const { jars, issues } = setUp();
    const { ticket } = jars.carry('ann', 'a.example', undefined) as StateToSend;
    void jars.apply(ticket, session({ x: 1 }));
    expect(issues).toEqual([{ concern: 'state', key: 'session', problem: 'was set on a request without a conversation' }]);
  });
});

describe('parallel calls (D-08)', () => {
  it('the last value to arrive counts, and the conflict is reported', () => {
    const { carry, answer, sent, issues } = setUp();
    answer(carry(), session({ n: 0 }));
    const [one, two] = [carry(), carry()];
    answer(two, session({ n: 2 }));
    expect(issues).toEqual([]);
    answer(one, session({ n: 1 }));
    expect(sent()).toEqual({ session: { n: 1 } });
    expect(issues).toEqual([
      {
        concern: 'state',
        key: 'session.n',
        problem: 'was set by two answers, and neither request carried the value of the other; the last to arrive counts',
      },
    ]);
  });

  it('sequential calls, and calls on different names, are no conflict', () => {
    const { carry, answer, issues } = setUp();
    const [one, two] = [carry(), carry()];
    answer(one, session({ a: 1 }));
    answer(two, session({ b: 1 }));
    answer(carry(), session({ a: 2, b: null }));
    expect(issues).toEqual([]);
  });

  it('IX-10: with newest-request a late answer to an older request does not overwrite', () => {
    const { carry, answer, sent, issues } = setUp({ concurrent: 'newest-request' });
    const [older, newer] = [carry(), carry()];
    answer(newer, session({ n: 'newer' }));
    answer(older, session({ n: 'older' }));
    expect(sent()).toEqual({ session: { n: 'newer' } });
    expect(issues.map(({ problem }) => problem)).toEqual([
      'was set by two answers, and neither request carried the value of the other; the one of the newer request counts',
    ]);
  });

  it('all values of a name that the server merges are kept and sent in arrival order', () => {
    const { carry, answer, sent } = setUp({}, ['cart']);
    answer(carry(), session({ cart: ['a'] }));
    const calls = [carry(), carry(), carry()];
    calls.forEach((call, at) => answer(call, session({ cart: ['a', at] })));
    const conflicts = {
      session: {
        cart: [
          ['a', 0],
          ['a', 1],
          ['a', 2],
        ],
      },
    };
    expect(sent()).toEqual({ session: { cart: ['a', 2] }, conflicts });
  });

  it('a write settles exactly the values its request carried; later arrivals stay', () => {
    const { carry, answer, sent } = setUp({}, ['cart']);
    const [a, b, c] = [carry(), carry(), carry()];
    answer(a, session({ cart: 'a' }));
    answer(b, session({ cart: 'b' }));
    const merging = carry();
    answer(c, session({ cart: 'c' }));
    answer(merging, session({ cart: 'ab' }));
    expect(sent()).toEqual({ session: { cart: 'ab' }, conflicts: { session: { cart: ['c', 'ab'] } } });
    answer(carry(), session({ cart: 'abc' }));
    expect(sent()).toEqual({ session: { cart: 'abc' } });
  });

  it('a deletion is a value: it is kept beside a concurrent one, and settled like one', () => {
    const { carry, answer, sent } = setUp({}, ['cart']);
    answer(carry(), session({ cart: 'a' }));
    const [add, checkOut] = [carry(), carry()];
    answer(add, session({ cart: 'ab' }));
    answer(checkOut, session({ cart: null }));
    expect(sent()).toEqual({ session: {}, conflicts: { session: { cart: ['ab', null] } } });
    answer(carry(), session({ cart: null }));
    expect(sent()).toEqual({});
  });

  it('256 concurrent values are kept; with one more, the oldest is lost and reported', () => {
    const { carry, answer, issues } = setUp({}, ['cart']);
    const calls = Array.from({ length: 257 }, () => carry());
    calls.slice(0, 256).forEach((call, at) => answer(call, session({ cart: at })));
    const lost = () => issues.filter(({ problem }) => problem.includes('lost'));
    expect(carry().values.conflicts?.session?.get('cart')).toEqual(Array.from({ length: 256 }, (_, at) => at));
    expect(lost()).toEqual([]);
    answer(calls[256]!, session({ cart: 256 }));
    expect(carry().values.conflicts?.session?.get('cart')).toEqual(Array.from({ length: 256 }, (_, at) => at + 1));
    expect(lost()).toEqual([
      { concern: 'state', key: 'session.cart', problem: 'lost one of its concurrent values: there are too many of them' },
    ]);
  });

  it('concurrent values stay within the bytes of the drawer', () => {
    const { carry, answer, jars } = setUp({}, ['cart']);
    const calls = Array.from({ length: 40 }, () => carry());
    calls.forEach((call, at) => answer(call, session({ cart: `${at}`.padEnd(10_000, '.') })));
    expect(jars.drawer('ann', 'a.example')!.bytes).toBeLessThanOrEqual(131_072);
    const kept = carry().values.conflicts?.session?.get('cart') as string[];
    expect(kept.map((value) => parseInt(value))).toEqual([27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]);
  });
});

describe('limits (D-09)', () => {
  it('an item that is too large is refused, the old value stays, and no JSON is cut', () => {
    const { carry, answer, sent, issues } = setUp();
    answer(carry(), session({ x: 'old' }));
    answer(carry(), session({ x: 'é'.repeat(8_192), y: 'a'.repeat(16_384 - 5) }));
    answer(carry(), session({ z: ['a'.repeat(1_000_000)], deep: deep(200), fits: deep(90) }));
    expect(Object.keys(sent().session!)).toEqual(['x', 'y', 'fits']);
    expect(sent().session!['x']).toBe('old');
    expect(issues.map(({ key, problem }) => [key, problem])).toEqual([
      ['session.x', 'takes more than 16384 bytes or is nested too deep; the old value stays'],
      ['session.z', 'takes more than 16384 bytes or is nested too deep; it is not kept'],
      ['session.deep', 'takes more than 16384 bytes or is nested too deep; it is not kept'],
    ]);
  });

  it('a full drawer loses its least recently written item, over both scopes', () => {
    const { carry, answer, sent, issues } = setUp();
    answer(carry(), server({ first: 1 }));
    for (let at = 0; at < 63; at++) answer(carry(), session({ [`n${at}`]: at }));
    answer(carry(), server({ first: 2 }));
    answer(carry(), server({ more: 1 }));
    expect(sent().server).toEqual({ first: 2, more: 1 });
    expect(Object.keys(sent().session!)).toHaveLength(62);
    expect(sent().session).not.toHaveProperty('n0');
    expect(issues).toEqual([{ concern: 'state', key: 'session.n0', problem: 'was dropped: this server keeps too much' }]);
  });

  it('an answer that sets thousands of names causes a few reports and a count; the next answer is reported again', () => {
    const { carry, answer, issues } = setUp();
    answer(carry(), server(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`n${at}`, at]))));
    expect(issues).toHaveLength(65);
    expect(issues.at(-1)).toMatchObject({ key: 'state', problem: '4872 more values of one answer were dropped or changed' });
    answer(carry(), server({ more: 1 }));
    expect(issues.at(-1)).toMatchObject({ problem: 'was dropped: this server keeps too much' });
  });

  it('a drawer is also limited by bytes', () => {
    const { carry, answer, jars, sent } = setUp();
    for (let at = 0; at < 20; at++) answer(carry(), server({ [`n${at}`]: 'x'.repeat(10_000) }));
    expect(jars.drawer('ann', 'a.example')!.bytes).toBeLessThanOrEqual(131_072);
    expect(Object.keys(sent().server!)).toEqual(Array.from({ length: 13 }, (_, at) => `n${at + 7}`));
  });

  it('a full jar takes from the largest drawer, so no server pushes out another', () => {
    const { jars, carry, answer, sent, conversation } = setUp({ limits: { jarItems: 300 } });
    for (let at = 0; at < 5; at++) answer(carry(conversation, 'small.example'), server({ [`n${at}`]: 1 }));
    for (let host = 0; host < 10; host++)
      for (let at = 0; at < 64; at++) answer(carry(conversation, `h${host}.example`), server({ [`n${at}`]: 1 }));
    const total = [...jars.drawers('ann')].reduce((sum, { items }) => sum + items, 0);
    expect(total).toBe(300);
    expect(sent(conversation, 'small.example')).toEqual({ server: { n0: 1, n1: 1, n2: 1, n3: 1, n4: 1 } });
    for (let host = 0; host < 10; host++) expect(jars.drawer('ann', `h${host}.example`)!.items).toBeGreaterThan(27);
  });

  it('ten thousand names, a thousand deletions and a megabyte leave a bounded drawer', () => {
    const { jars, carry, answer } = setUp({}, ['m']);
    answer(carry(), server(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`n${at}`, at]))));
    for (let at = 0; at < 1_000; at++) {
      answer(carry(), session({ [`gone${at}`]: at }));
      answer(carry(), session({ [`gone${at}`]: null }));
    }
    answer(carry(), session({ big: 'x'.repeat(1_048_576) }));
    const drawer = jars.drawer('ann', 'a.example')!;
    expect(drawer.items).toBeLessThanOrEqual(64);
    const byName = [...drawer.shelves.values()].reduce((sum, shelf) => sum + shelf.byName.size, 0);
    expect(byName).toBeLessThanOrEqual(128);
  });

  it.each([
    [{ itemBytes: 4_095 }, 'jar.limits.itemBytes'],
    [{ drawerItems: 19 }, 'jar.limits.drawerItems'],
    [{ jarItems: 299 }, 'jar.limits.jarItems'],
    [{ drawerBytes: 5_000 }, 'jar.limits.drawerBytes'],
    [{ itemBytes: NaN }, 'jar.limits.itemBytes'],
    [{ itemBytes: '9999' as never }, 'jar.limits.itemBytes'],
  ])('STATE-57: %j fails at construction', (limits, path) => {
    expect(() => openJar({ limits })).toThrow(new RegExp(`^${path.replaceAll('.', '\\.')}: expected `));
  });
});
