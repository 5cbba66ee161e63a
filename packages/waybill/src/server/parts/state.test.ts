import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { failingThenable, thenable } from '../../../../../test/support/thenable.js';
import type { Issue } from '../../wire/issue.js';
import type { Json, JsonObject, Meta } from '../../wire/json.js';
import { readRequest } from '../../wire/read.js';
import { writeRequest, writeResult } from '../../wire/write.js';
import { readResult } from '../../wire/read.js';
import { nodeSeal } from '../node/seal.js';
import { Answer } from '../answer.js';
import type { ServerRequest } from '../part.js';
import { state } from './state.js';
import { defineState, type StateDefinition, type DefineStateOptions } from '../state/define.js';
import type { StartTimer } from '../../transport/index.js';
import { memoryReplayGuard, type ReplayGuard } from '../state/replay.js';
import { webSeal } from '../state/webSeal.js';

const keys = ['0123456789abcdef0123456789abcdef'];
const audience = 'shop';
const cart = { scope: 'session', schema: z.array(z.string()) } satisfies StateDefinition<any>;

const boom = (): never => {
  throw new Error('boom');
};

type SentValues = Parameters<typeof writeRequest>[1]['state'];
interface Turn {
  /** Any definitions: the types are tested elsewhere. */
  readonly state: any;
  readonly issues: readonly Issue[];
  readonly kept: string | undefined;
  readonly faults: unknown[];
  /** The answer has left. */
  end(): void;
  finish(result?: Meta): Promise<{ session: Record<string, Json>; server: Record<string, Json>; result: Meta }>;
}

/** Runs one request through the part alone, as the room runs it. */
function turn(
  setup: ReturnType<typeof defineState> | undefined,
  values: SentValues = {},
  more: { declared?: JsonObject; extra?: unknown; timer?: StartTimer } = {},
): { held: Promise<void> | undefined; then: Turn } {
  const part = state(setup, more.timer);
  const issues: Issue[] = [];
  const answer = new Answer();
  const faults: unknown[] = [];
  const message = writeRequest({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }, { state: values });
  const call = {
    method: 'tools/call',
    received: readRequest(message, { onIssue: (issue) => issues.push(issue) }),
    declared: 'declared' in more ? more.declared : { state: {} },
    exchange: { extra: more.extra },
    report: (issue: Issue) => issues.push(issue),
    fault: (error: unknown) => faults.push(error),
    answer,
  } as unknown as ServerRequest;
  const held = part.before?.(call) as Promise<void> | undefined;
  const finish: Turn['finish'] = async (result = { content: [] }) => {
    const body = await part.result!(result, call);
    const written = writeResult({ jsonrpc: '2.0', id: 1, result: body }, part.values!('result', body, call) ?? {});
    const read = readResult(written).state;
    const plain = (map: ReadonlyMap<string, Json> | undefined) => Object.fromEntries(map ?? []);
    return { session: plain(read?.session), server: plain(read?.server), result: body };
  };
  return {
    held,
    then: {
      get state() {
        return part.provides!['state']!(call);
      },
      issues,
      get kept() {
        return answer.caching.restriction;
      },
      faults,
      end: () => Object.assign(call, { exchange: undefined }),
      finish,
    },
  };
}
async function ask(...args: Parameters<typeof turn>): Promise<Turn> {
  const { held, then } = turn(...args);
  await held;
  return then;
}
const session = (given: Record<string, Json>): SentValues => ({ session: new Map(Object.entries(given)) });
const problems = ({ issues }: Turn): string[] => issues.map(({ key, problem }) => `${key} ${problem}`);

describe('a defined name', () => {
  it.each([
    ['zod', z.object({ n: z.number() })],
    ['valibot', v.object({ n: v.number() })],
    ['arktype', type({ n: 'number' })],
  ])('it is typed and checked by a schema of %s', async (_name, schema) => {
    const shop = defineState({ count: { scope: 'session', schema: schema as never } });
    const good = await ask(shop, session({ count: { n: 1 } }));
    expect(good.state['count'].get()).toEqual({ n: 1 });
    expect(good.state['count'].set({ n: 2 })).toBe(true);
    expect(good.state['count'].get()).toEqual({ n: 2 });
    expect((await good.finish()).session).toEqual({ count: { n: 2 } });
    expect(() => good.state['count'].set({ n: 'two' })).toThrow(TypeError);
    const bad = await ask(shop, session({ count: { n: 'one' } }));
    expect(bad.state['count'].get()).toBeUndefined();
    expect(problems(bad)).toEqual(['session.count does not fit its schema at n']);
  });

  it('STATE-07: it is overwritten as a whole, deleted with null, and absent until somebody sets it', async () => {
    const request = await ask(defineState({ cart }), session({ cart: ['a'] }));
    expect(request.state['cart'].delete()).toBe(true);
    expect(request.state['cart'].get()).toBeUndefined();
    expect((await request.finish()).session).toEqual({ cart: null });
    expect((await ask(defineState({ cart }))).state['cart'].get()).toBeUndefined();
  });

  it('a value is what JSON makes of it, from the moment it is set', async () => {
    const request = await ask(defineState({ cart }));
    const items = ['a'];
    request.state['cart'].set(items);
    items.push('b');
    expect((await request.finish()).session).toEqual({ cart: ['a'] });
    expect(() => request.state['cart'].set(null)).toThrow(TypeError);
    expect(() => request.state['cart'].set(undefined)).toThrow(TypeError);
  });

  it('migrate carries a value over a change of its schema, so that a deploy does not empty carts', async () => {
    const migrate = (value: Json) => ({ items: Array.isArray(value) ? value : [] });
    const shop = defineState({ cart: { scope: 'session', schema: z.object({ items: z.array(z.string()) }), migrate } });
    const old = await ask(shop, session({ cart: ['a', 'b'] }));
    expect(old.state['cart'].get()).toEqual({ items: ['a', 'b'] });
    expect(old.issues).toEqual([]);
    const bad = await ask(shop, session({ cart: [1] }));
    expect([bad.state['cart'].get(), problems(bad)]).toEqual([
      undefined,
      ['session.cart does not fit its schema at items.0, nor once migrated'],
    ]);
    const failing = defineState({
      cart: {
        ...cart,
        migrate: () => {
          throw new Error('no');
        },
      },
    });
    expect(problems(await ask(failing, session({ cart: 1 })))).toEqual(['session.cart could not be migrated']);
  });

  it('a schema that throws or is asynchronous fails no call', async () => {
    const standard = (validate: (value: unknown) => any) => ({ '~standard': { version: 1 as const, vendor: 'test', validate } });
    const throwing = defineState({
      cart: {
        scope: 'session',
        schema: standard(() => {
          throw new Error('no');
        }),
      },
    });
    expect(problems(await ask(throwing, session({ cart: 1 })))).toEqual(['session.cart could not be checked: its schema failed']);
    const slow = defineState({ cart: { scope: 'session', schema: standard(async (value) => ({ value })) } });
    const { held, then } = turn(slow, session({ cart: 1 }));
    expect(held).toBeInstanceOf(Promise);
    await held;
    expect(then.state['cart'].get()).toBe(1);
    expect(turn(defineState({ cart }), session({ cart: ['a'] })).held).toBeUndefined();
  });
});

describe('names without a definition', () => {
  it('they are read and written through their scope', async () => {
    const request = await ask(undefined, {
      session: new Map<string, Json>([
        ['__proto__', { a: 1 }],
        ['x', 1],
      ]),
      server: new Map([['x', 2]]),
    });
    expect([request.state.session.get('__proto__'), request.state.session.get('x'), request.state.server.get('x')]).toEqual([
      { a: 1 },
      1,
      2,
    ]);
    request.state.session.set('Cart Contents', ['a']);
    request.state.session.delete('x');
    expect(request.state.session.names()).toEqual(['__proto__', 'Cart Contents']);
    expect(await request.finish()).toMatchObject({ session: { 'Cart Contents': ['a'], x: null }, server: {} });
  });

  it('they cannot reach a defined name', async () => {
    const request = await ask(defineState({ cart }), session({ cart: ['a'] }));
    expect(() => request.state.session.get('cart')).toThrow('use state.cart');
    expect(() => request.state.session.set('cart', 1)).toThrow(TypeError);
    expect(request.state.session.names()).toEqual([]);
    expect(request.state.server.get('cart')).toBeUndefined();
  });
});

describe('a client', () => {
  it('STATE-13, D-24: a client that keeps no state gets none, and the handler learns that', async () => {
    const request = await ask(defineState({ cart }), {}, { declared: {} });
    expect(request.state.available).toBe(false);
    expect([request.state['cart'].set(['a']), request.state['cart'].delete(), request.state.session.set('x', 1)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await request.finish()).toEqual({ session: {}, server: {}, result: { content: [] } });
    expect(problems(request)[0]).toBe('session.cart cannot be set: the client of this request keeps no state');
    expect((await ask(undefined, {}, { declared: { experimental: { state: {} } } })).state.available).toBe(true);
  });

  it('D-24: an answer that sets state is private; one that does not stays unchanged', async () => {
    const request = await ask(undefined);
    expect(await request.finish({ tools: [], cacheScope: 'public' })).toMatchObject({ result: { cacheScope: 'public' } });
    expect(request.kept).toBeUndefined();
    request.state.server.set('x', 1);
    expect(await request.finish({ tools: [], cacheScope: 'public' })).toMatchObject({ result: { cacheScope: 'private' } });
    expect(request.kept).toBe('no-store');
    const { result } = await request.finish({ content: [] });
    expect(result).not.toHaveProperty('cacheScope');
  });
});

describe('parallel writes (D-08)', () => {
  const union = (values: readonly (string[] | null)[]): string[] => [...new Set(values.flatMap((value) => value ?? []))];
  const conflicts = (values: Json[], current?: Json): SentValues => ({
    ...(current !== undefined && session({ cart: current })),
    conflicts: { session: new Map([['cart', values]]) },
  });

  it('parallel writes are merged before the handler reads', async () => {
    const shop = defineState({ cart: { ...cart, merge: union } });
    const request = await ask(
      shop,
      conflicts(
        [
          ['a', 'b'],
          ['a', 'c'],
        ],
        ['a', 'c'],
      ),
    );
    expect(request.state['cart'].get()).toEqual(['a', 'b', 'c']);
    expect((await request.finish()).session).toEqual({});
  });

  it('each value is checked by itself, also deletions', async () => {
    const seen: unknown[] = [];
    const shop = defineState({ cart: { ...cart, merge: (values) => (seen.push(values), union(values)) } });
    const request = await ask(shop, conflicts([['a'], 7, null, ['b']], ['b']));
    expect(seen).toEqual([[['a'], null, ['b']]]);
    expect(request.state['cart'].get()).toEqual(['a', 'b']);
    expect(problems(request)).toEqual(['session.cart does not fit its schema']);
    const gone = await ask(defineState({ cart: { ...cart, merge: () => null } }), conflicts([['a'], null]));
    expect(gone.state['cart'].get()).toBeUndefined();
  });

  it('if merge throws, the last to arrive counts, and that is reported', async () => {
    const shop = defineState({
      cart: {
        ...cart,
        merge: () => {
          throw new Error('no');
        },
      },
    });
    const request = await ask(shop, conflicts([['a'], ['b']], ['b']));
    expect([request.state['cart'].get(), problems(request)]).toEqual([
      ['b'],
      ['session.cart could not be merged; the last to arrive counts'],
    ]);
  });

  it('merged names are declared, and ignored if nothing is declared', async () => {
    expect(state(defineState({ cart: { ...cart, merge: union }, other: cart })).declares).toEqual({ merge: ['cart'] });
    expect(state(defineState({ cart })).declares).toEqual({});
    expect((await ask(defineState({ cart }), conflicts([['a'], ['b']], ['b']))).state['cart'].get()).toEqual(['b']);
  });
});

describe.each([
  ['nodeSeal', nodeSeal({ keys, audience }), true],
  ['webSeal', webSeal({ keys, audience }), false],
] as const)('sealed with %s', (_kind, seal, atOnce) => {
  const options: DefineStateOptions = { seal, principal: ({ authInfo }) => (authInfo as { user: string } | undefined)?.user ?? null };
  const shop = defineState({ cart: { ...cart, maxAge: 3600 }, total: { scope: 'server', schema: z.number() } }, options);
  const ann = { extra: { authInfo: { user: 'ann' } } };

  it('D-22: a value comes back to its own user, opened before the handler runs', async () => {
    const first = await ask(shop, {}, ann);
    first.state['cart'].set(['a']);
    const { session: sent } = await first.finish();
    // The fourth part of a token says when it expires.
    expect(sent['cart']).toMatch(/^w1\.[^.]+\.[^.]+\.[^.]+\./);
    const { held, then } = turn(shop, session(sent), ann);
    expect(held === undefined).toBe(atOnce);
    await held;
    expect([then.state['cart'].get(), then.issues]).toEqual([['a'], []]);
  });

  it.each([
    ['another user', { extra: { authInfo: { user: 'bob' } } }, undefined],
    ['nobody', {}, undefined],
    ['the same user, changed', ann, (token: string) => token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')],
    ['the same user, cut', ann, (token: string) => token.slice(0, 40)],
    ['the same user, open', ann, () => ['a']],
  ])('D-22, STATE-43: a value from %s is absent, and reported', async (_who, more, change) => {
    const first = await ask(shop, {}, ann);
    first.state['cart'].set(['a']);
    const { session: sent } = await first.finish();
    const cartSent = change ? change(sent['cart'] as string) : sent['cart']!;
    const request = await ask(shop, session({ cart: cartSent }), more);
    expect(request.state['cart'].get()).toBeUndefined();
    expect(request.issues).toHaveLength(1);
    expect(JSON.stringify(request.issues)).not.toContain('w1.');
  });

  it('a value that was moved to another name or scope is absent', async () => {
    const first = await ask(shop, {}, ann);
    first.state['total'].set(5);
    const { server } = await first.finish();
    const moved = await ask(shop, { session: new Map([['cart', server['total']!]]), server: new Map([['total', server['total']!]]) }, ann);
    expect([moved.state['cart'].get(), moved.state['total'].get()]).toEqual([undefined, 5]);
  });

  it('one name may stay open beside sealed ones', async () => {
    const both = defineState({ cart, open: { ...cart, sealed: false } }, options);
    const first = await ask(both, session({ open: ['a'] }), ann);
    expect(first.state['open'].get()).toEqual(['a']);
    first.state['open'].set(['b']);
    first.state['cart'].set(['c']);
    expect((await first.finish()).session).toEqual({ open: ['b'], cart: expect.stringMatching(/^w1\./) as unknown });
  });

  it('if the principal is unknown, nothing is opened and nothing is sealed', async () => {
    const failing = defineState(
      { cart },
      {
        ...options,
        principal: () => {
          throw new Error('no');
        },
      },
    );
    const request = await ask(failing, session({ cart: 'w1.x' }), ann);
    request.state['cart'].set(['a']);
    expect((await request.finish()).session).toEqual({});
    expect(request.state['cart'].get()).toEqual(['a']);
    expect(problems(request)).toEqual([
      'principal is unknown: the function that returns it failed, see onFault',
      'session.cart was not set: the principal to seal it for is unknown',
    ]);
    expect(request.faults).toEqual([new Error('no')]);
  });

  const misspelt: Record<string, unknown> = {};
  const error = new Error('no user');
  it.each<[string, () => unknown, string]>([
    [
      'undefined, as from a misspelt member',
      () => misspelt['usr'],
      'principal: returned undefined: expected a text, or null for no particular user',
    ],
    ['an empty text', () => '', 'principal: returned an empty text: expected a text, or null for no particular user'],
    ['an object', () => ({ id: 'ann' }), 'principal: returned no text: expected a text, or null for no particular user'],
    ['NaN', () => NaN, 'principal: returned no text: expected a text, or null for no particular user'],
    ['a symbol', () => Symbol('ann'), 'principal: returned no text: expected a text, or null for no particular user'],
    ['a promise', async () => Promise.resolve('ann'), 'principal: returned a promise; return the value itself'],
    ['a thenable', () => thenable('ann'), 'principal: returned a promise; return the value itself'],
    ['a rejected promise', async () => Promise.reject(error), 'principal: returned a promise; return the value itself'],
    ['a rejected thenable', () => failingThenable(error), 'principal: returned a promise; return the value itself'],
  ])('D-35: a principal that is %s is a fault; sealed values stay closed, and none is sealed', async (what, give, message) => {
    const open = await ask(defineState({ cart }, { seal }));
    open.state['cart'].set(['a']);
    const { session: sent } = await open.finish();
    const request = await ask(defineState({ cart, other: cart }, { seal, principal: give as never }), session(sent), ann);
    expect(request.state['cart'].get()).toBeUndefined();
    request.state['other'].set(['b']);
    expect((await request.finish()).session).toEqual({});
    expect(problems(request)).toEqual([
      'principal is unknown: the function that returns it failed, see onFault',
      'session.other was not set: the principal to seal it for is unknown',
    ]);
    expect(request.faults[0]).toEqual(new TypeError(message));
    await vi.waitFor(() => {
      expect(request.faults.slice(1)).toEqual(what.startsWith('a rejected') ? [error] : []);
    });
  });

  it('D-35: null means no particular user; such values are bearer values', async () => {
    const nobody = defineState({ cart }, { seal, principal: () => null });
    const first = await ask(nobody);
    first.state['cart'].set(['a']);
    const second = await ask(defineState({ cart }, { seal }), session((await first.finish()).session));
    expect([second.state['cart'].get(), first.issues, second.issues]).toEqual([['a'], [], []]);
  });

  it('one value that cannot be sealed is not set, and the others are', async () => {
    const seal = options.seal!;
    const failing = {
      ...seal,
      unseal: seal.unseal.bind(seal),
      seal: (text: string, about: Parameters<typeof seal.seal>[1]) => {
        if (about.name === 'cart') throw new Error('no key');
        return seal.seal(text, about);
      },
    };
    const request = await ask(defineState({ cart, other: cart }, { ...options, seal: failing }), {}, ann);
    request.state['cart'].set(['a']);
    request.state['other'].set(['b']);
    request.state.session.set('plain', 1);
    expect((await request.finish()).session).toEqual({ other: expect.stringMatching(/^w1\./) as unknown, plain: 1 });
    expect([problems(request), request.faults]).toEqual([['session.cart was not set: it could not be sealed'], [new Error('no key')]]);
  });

  it('D-22: with a replay guard an older value is absent, and a write retires exactly the one its request carried', async () => {
    const guarded = defineState({ total: { scope: 'server', schema: z.number() } }, { ...options, replayGuard: memoryReplayGuard() });
    const write = async (from: Json | undefined, value: number): Promise<Json> => {
      const request = await ask(guarded, from === undefined ? {} : { server: new Map([['total', from]]) }, ann);
      request.state['total'].set(value);
      return (await request.finish()).server['total']!;
    };
    const read = async (token: Json) => (await ask(guarded, { server: new Map([['total', token]]) }, ann)).state['total'].get();
    const one = await write(undefined, 1);
    const [two, three] = [await write(one, 2), await write(one, 3)];
    expect([await read(one), await read(two), await read(three)]).toEqual([undefined, 2, 3]);
    await write(three, 4);
    expect([await read(two), await read(three)]).toEqual([2, undefined]);
  });

  it('D-22: of two requests that carry the same value at the same time, only one can replace it', async () => {
    const guarded = defineState({ total: { scope: 'server', schema: z.number() } }, { ...options, replayGuard: memoryReplayGuard() });
    const first = await ask(guarded, {}, ann);
    first.state['total'].set(10);
    const carried = { server: new Map([['total', (await first.finish()).server['total']!]]) };
    const both = [await ask(guarded, carried, ann), await ask(guarded, carried, ann)];
    for (const { state: found } of both) found['total'].set(found['total'].get() - 5);
    const [one, two] = [await both[0]!.finish(), await both[1]!.finish()];
    expect([Object.keys(one.server), Object.keys(two.server)]).toEqual([['total'], []]);
    expect(problems(both[1]!)).toEqual(['server.total was not set: another request was first']);
  });
});

describe('a replay guard that fails', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('gone');
      },
    ],
    ['rejects', () => Promise.reject(new Error('gone'))],
  ])('D-22: with %s a value is absent and a new one is not set; the call goes on', async (_how, fail) => {
    let works = true;
    const memory = memoryReplayGuard();
    const guard = {
      isLive: (slot: string, sequence: string) => (works ? memory.isLive(slot, sequence) : (fail() as boolean | Promise<boolean>)),
      replace: (...args: Parameters<typeof memory.replace>) => (works ? memory.replace(...args) : (fail() as boolean | Promise<boolean>)),
    };
    const shop = defineState(
      { total: { scope: 'server', schema: z.number() } },
      { seal: nodeSeal({ keys, audience }), replayGuard: guard },
    );
    const first = await ask(shop);
    first.state['total'].set(1);
    const { server } = await first.finish();
    works = false;
    const second = await ask(shop, { server: new Map(Object.entries(server)) });
    expect(second.state['total'].get()).toBeUndefined();
    second.state['total'].set(2);
    expect((await second.finish()).server).toEqual({});
    expect(problems(second)).toEqual([
      'server.total could not be checked: the replay guard failed',
      'server.total was not set: the replay guard failed',
    ]);
  });
});

describe('D-35: only true is a yes of a replay guard', () => {
  const seal = nodeSeal({ keys, audience });
  const total = { scope: 'server' as const, schema: z.number() };
  const guarded = (guard: object) => defineState({ total }, { seal, replayGuard: guard as ReplayGuard });
  const YES = { isLive: () => true, replace: () => true };
  const sealedTotal = async (): Promise<SentValues> => {
    const first = await ask(guarded(YES));
    first.state['total'].set(1);
    return { server: new Map(Object.entries((await first.finish()).server)) };
  };

  it.each([
    ['a promise', Promise.resolve(true)],
    ['a thenable', thenable(true)],
  ])('%s of true is a yes', async (_what, yes) => {
    const request = await ask(guarded({ isLive: () => yes, replace: () => yes }), await sealedTotal());
    expect(request.state['total'].get()).toBe(1);
    request.state['total'].set(2);
    expect((await request.finish()).server).toHaveProperty('total');
    expect([request.issues, request.faults]).toEqual([[], []]);
  });

  it.each<[string, () => unknown, string | undefined]>([
    ['false', () => false, undefined],
    ['a thenable of false', () => thenable(false), undefined],
    ['0', () => 0, 'returned neither true nor false'],
    ['1', () => 1, 'returned neither true nor false'],
    ['null', () => null, 'returned neither true nor false'],
    ['undefined', () => undefined, 'returned neither true nor false'],
    ['an object', () => ({}), 'returned neither true nor false'],
    ['a promise of undefined', () => Promise.resolve(), 'returned neither true nor false'],
    ['a thenable of 1', () => thenable(1), 'returned neither true nor false'],
    ['a rejected thenable', () => failingThenable(new Error('gone')), 'gone'],
    ['a rejection without a reason', () => failingThenable(undefined), 'no fault'],
  ])('%s opens nothing and sets nothing', async (_what, give, fault) => {
    const request = await ask(guarded({ isLive: give, replace: give }), await sealedTotal());
    expect(request.state['total'].get()).toBeUndefined();
    request.state['total'].set(2);
    expect((await request.finish()).server).toEqual({});
    expect(problems(request)).toEqual(
      fault === undefined
        ? ['server.total was replaced by a newer value', 'server.total was not set: another request was first']
        : ['server.total could not be checked: the replay guard failed', 'server.total was not set: the replay guard failed'],
    );
    const faults = fault === undefined || fault === 'no fault' ? [] : [fault, fault];
    expect(request.faults.map((error) => (error as Error).message.replace(/^replayGuard\.\w+: /, ''))).toEqual(faults);
  });

  it('no answer for 5 s is a no', async () => {
    const waits: number[] = [];
    const timer: StartTimer = (ms, run) => {
      waits.push(ms);
      queueMicrotask(run);
      return () => undefined;
    };
    const silent = (): Promise<never> => new Promise(() => undefined);
    const request = await ask(guarded({ isLive: silent, replace: silent }), await sealedTotal(), { timer });
    expect(request.state['total'].get()).toBeUndefined();
    request.state['total'].set(2);
    expect((await request.finish()).server).toEqual({});
    expect(waits).toEqual([5_000, 5_000]);
    expect(request.faults.map(String)).toEqual([
      'Error: replayGuard.isLive: no answer within 5000 ms',
      'Error: replayGuard.replace: no answer within 5000 ms',
    ]);
  });

  it('a guard that answers leaves no timer behind', async () => {
    let open = 0;
    const timer: StartTimer = () => (open++, () => open--);
    const request = await ask(guarded({ ...YES, isLive: () => thenable(true) }), await sealedTotal(), { timer });
    expect(request.state['total'].get()).toBe(1);
    await vi.waitFor(() => {
      expect(open).toBe(0);
    });
  });
});

describe('D-35: functions of a definition that return thenables', () => {
  const numbers = { scope: 'session' as const, schema: z.number() };
  const standard = (validate: (value: unknown) => any) => ({ '~standard': { version: 1 as const, vendor: 'test', validate } });

  it('a schema and migrate are awaited', async () => {
    const slow = defineState({ count: { scope: 'session', schema: standard((value) => thenable({ value })) } });
    const request = await ask(slow, session({ count: 1 }));
    expect(request.state['count'].get()).toBe(1);
    expect(request.state['count'].set(2)).toBe(true);
    expect(request.state['count'].get()).toBe(2);
    const migrated = defineState({ count: { ...numbers, migrate: (value) => thenable(Number(value)) } });
    expect((await ask(migrated, session({ count: '7' }))).state['count'].get()).toBe(7);
  });

  it('a schema that rejects when a value is set breaks nothing', async () => {
    const failing = defineState({ count: { scope: 'session', schema: standard(() => failingThenable(new Error('no'))) } });
    expect((await ask(failing)).state['count'].set(2)).toBe(true);
  });

  it('merge has to answer at once', async () => {
    const shop = defineState({ count: { ...numbers, merge: (() => thenable(3)) as never } });
    const request = await ask(shop, { conflicts: { session: new Map([['count', [1, 2]]]) } });
    expect(request.state['count'].get()).toBe(2);
    expect(request.faults).toEqual([new TypeError('merge: returned a promise; return the value itself')]);
  });

  it.each([
    ['throws', () => boom()],
    ['rejects', () => failingThenable(new Error('boom'))],
  ])('a seal that %s opens nothing and is reported', async (_how, unseal) => {
    const seal = { ...nodeSeal({ keys, audience }), unseal: unseal as never };
    const request = await ask(defineState({ cart, open: { ...cart, sealed: false } }, { seal }), session({ cart: 'w1.x', open: ['a'] }));
    expect([request.state['cart'].get(), request.state['open'].get()]).toEqual([undefined, ['a']]);
    expect(problems(request)).toEqual(['session.cart could not be opened: the seal failed']);
    expect(request.faults).toEqual([new Error('boom')]);
  });
});

describe('after the request has been answered', () => {
  it('nothing can be set, and that is reported', async () => {
    const request = await ask(defineState({ cart }));
    const { state: found } = request;
    request.end();
    expect([found.session.set('a', 1), found['cart'].set(['b']), found.server.delete('c')]).toEqual([false, false, false]);
    expect(problems(request)).toEqual([
      'session.a cannot be set: the request has been answered',
      'session.cart cannot be set: the request has been answered',
      'server.c cannot be set: the request has been answered',
    ]);
  });
});

describe('wrong definitions fail at construction', () => {
  const seal = nodeSeal({ keys, audience });
  const schema = z.number();
  it.each<[string, Record<string, any>, DefineStateOptions, string]>([
    ['a name that is taken', { session: cart }, {}, 'session: '],
    ['no scope', { x: { schema } }, {}, 'x.scope'],
    ['no schema', { x: { scope: 'server' } }, {}, 'x.schema'],
    ['merge that is no function', { x: { ...cart, merge: true } }, {}, 'x.merge'],
    ['migrate that is no function', { x: { ...cart, migrate: {} } }, {}, 'x.migrate'],
    ['maxAge without a seal', { x: { ...cart, maxAge: 1 } }, {}, 'x.maxAge'],
    ['maxAge on an open name', { x: { ...cart, maxAge: 1, sealed: false } }, { seal }, 'x.maxAge'],
    ['sealed without a seal', { x: { ...cart, sealed: true } }, {}, 'x.sealed'],
    ['maxAge that is none', { x: { ...cart, maxAge: -1 } }, { seal }, 'x.maxAge'],
    ['maxAge below one second', { x: { ...cart, maxAge: 0.999 } }, { seal }, 'x.maxAge: expected a number of seconds, at least 1'],
    ['a replay guard without a seal', {}, { replayGuard: memoryReplayGuard() }, 'replayGuard'],
    ['a replay guard on session scope', { x: cart }, { seal, replayGuard: memoryReplayGuard() }, 'x.scope'],
    [
      'a replay guard beside merge',
      { x: { scope: 'server', schema, merge: () => 1 } },
      { seal, replayGuard: memoryReplayGuard() },
      'x.merge',
    ],
    ['a seal that is none', {}, { seal: {} as never }, 'seal'],
    ['a replay guard that is none', {}, { seal, replayGuard: { isLive: () => true } as never }, 'replayGuard: expected a replay guard'],
    ['a principal that is no function', {}, { principal: 'ann' as never }, 'principal'],
  ])('D-22: %s', (_what, definitions, options, path) => {
    expect(() => defineState(definitions, options)).toThrow(path);
  });

  it('a value that defineState() did not make is no state', () => {
    expect(() => state({ cart } as never)).toThrow(TypeError);
  });
});
