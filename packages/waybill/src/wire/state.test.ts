import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireOptions } from './concern.js';
import type { Issue } from './issue.js';
import { setOwn, type Json, type Meta } from './json.js';
import { STATE_CONFLICTS, STATE_SPELLINGS } from './keys.js';
import { applyState, declaresState, MAX_CONFLICTS, state, STATE_BOUNDS, type StateChanges, type StateValues } from './state.js';

type Kind = 'request' | 'result';
function read(kind: Kind, meta: Meta) {
  const issues: Issue[] = [];
  const value: StateValues | undefined = state[kind].read(meta, (issue) => issues.push(issue), {});
  return { value, issues, keys: issues.map((issue) => issue.key) };
}
function write(kind: Kind, value: StateValues, options: WireOptions = {}) {
  const issues: Issue[] = [];
  return { meta: state[kind].write(value, (issue) => issues.push(issue), options), issues, keys: issues.map((issue) => issue.key) };
}
const [SESSION, , , SESSION_ALIAS] = STATE_SPELLINGS.session;
const [SERVER, , , SERVER_ALIAS] = STATE_SPELLINGS.server;
const names = (entries: Record<string, Json>) => new Map(Object.entries(entries));
/** Nests an array to this depth without recursion. */
function nested(depth: number): Json {
  let value: Json = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

describe('reading state', () => {
  it('STATE-03: state is dictionaries under the two keys, both in one message', () => {
    const cart = { items: ['cucumber', 'tomato'], price: 100 };
    const { value, issues } = read('result', { [SESSION]: { 'Cart Contents': cart, 'Coupon Code': 'XYZZY' }, [SERVER]: { visits: 3 } });
    expect(value).toEqual({ session: names({ 'Cart Contents': cart, 'Coupon Code': 'XYZZY' }), server: names({ visits: 3 }) });
    expect(issues).toEqual([]);
  });

  it('STATE-04: any JSON value is kept as it is', () => {
    const values = names({ object: { a: { b: [] } }, array: [1, [2]], text: '', number: -0.5, true: true, false: false });
    expect(read('request', { [SESSION]: Object.fromEntries(values) }).value).toEqual({ session: values });
  });

  it.each([
    '',
    ' ',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'toJSON',
    'a\0b',
    'a\r\nb',
    '\uD800',
    '0',
    '-1',
    'Cart Contents',
    '..',
    '\u202E',
  ])('STATE-04: the name %j is a name like any other', (name) => {
    const dictionary: Meta = {};
    setOwn(dictionary, name, { kept: true });
    const { value, issues } = read('request', JSON.parse(JSON.stringify({ [SERVER]: dictionary })));
    expect(issues).toEqual([]);
    expect([...value!.server!]).toEqual([[name, { kept: true }]]);
    expect(JSON.stringify(write('request', value!).meta)).toBe(JSON.stringify({ [SERVER]: dictionary }));
    expect(({} as Meta)['kept']).toBeUndefined();
  });

  it('STATE-22: the same name in both scopes means two items', () => {
    expect(read('request', { [SESSION]: { a: 1 }, [SERVER]: { a: 2 } }).value).toEqual({
      session: names({ a: 1 }),
      server: names({ a: 2 }),
    });
  });

  it('STATE-05: in a result null deletes the name, and a null inside a value is data', () => {
    expect(read('result', { [SESSION]: { gone: null, kept: { inner: null, list: [null] } } })).toEqual({
      value: { session: names({ gone: null, kept: { inner: null, list: [null] } }) },
      issues: [],
      keys: [],
    });
  });

  it('in a request null means nothing is stored: no value, one issue', () => {
    expect(read('request', { [SESSION]: { gone: null, kept: [null] } })).toMatchObject({
      value: { session: names({ kept: [null] }) },
      keys: [`${SESSION}.gone`],
    });
  });

  it('STATE-05: an empty dictionary means nothing; a value that is not an object is ignored and reported', () => {
    expect(read('result', { [SESSION]: {}, [SERVER]: {} })).toEqual({ value: undefined, issues: [], keys: [] });
    for (const bad of [null, 1, 'x', [], [['a', 1]], true])
      expect(read('result', { [SESSION]: bad, [SERVER]: { a: 1 } })).toMatchObject({
        value: { server: names({ a: 1 }) },
        issues: [{ concern: 'state', key: SESSION, problem: 'is not an object' }],
      });
  });

  it('only own properties are read', () => {
    expect(read('request', Object.create({ [SESSION]: { a: 1 } })).value).toBeUndefined();
    expect(read('request', { [SESSION]: Object.create({ a: 1 }) }).value).toBeUndefined();
  });

  it.each(['session', 'server'] as const)('D-02: each spelling of the %s key is read', (scope) => {
    for (const key of STATE_SPELLINGS[scope])
      expect(read('result', { [key]: { a: 1 } })).toEqual({ value: { [scope]: names({ a: 1 }) }, issues: [], keys: [] });
  });

  it('D-02: the first spelling in the list wins, in any order of keys, and each other one is an issue', () => {
    for (const [first, key] of STATE_SPELLINGS.session.entries()) {
      const present = STATE_SPELLINGS.session.slice(first);
      const meta = Object.fromEntries([...present].reverse().map((spelling) => [spelling, { from: spelling }]));
      const { value, keys } = read('result', meta);
      expect(value).toEqual({ session: names({ from: key }) });
      expect(keys).toEqual(present.slice(1));
    }
  });

  it('D-02: a malformed first spelling still wins: the choice does not depend on content', () => {
    expect(read('result', { [SESSION]: 'x', [SESSION_ALIAS]: { a: 1 } })).toMatchObject({
      value: undefined,
      keys: [SESSION_ALIAS, SESSION],
    });
  });

  it('STATE-02: state is read from results and requests, not from errors', () => {
    expect([state.request, state.result].every(Boolean)).toBe(true);
    expect(state.error).toBeUndefined();
  });

  it('STATE-10: there is no state in notifications', () => {
    expect(state.notification).toBeUndefined();
  });
});

describe('too much state', () => {
  it('a value that is too deep, too long or too large is dropped alone, with one issue that names it', () => {
    const { value, issues } = read('request', {
      [SESSION]: {
        deep: nested(1000),
        long: 'x'.repeat(10_000_000),
        wide: Array.from({ length: 200_000 }, () => 0),
        fine: nested(STATE_BOUNDS.value.depth),
      },
    });
    expect([...value!.session!.keys()]).toEqual(['fine']);
    expect(issues.map(({ key, problem }) => [key, problem])).toEqual([
      [`${SESSION}.deep`, 'is nested deeper than 512'],
      [`${SESSION}.long`, 'holds more than 1048576 characters'],
      [`${SESSION}.wide`, 'holds more than 100000 values'],
    ]);
  });

  it('a depth that would break a recursive reader is only an issue', () => {
    expect(read('request', { [SESSION]: { deep: nested(1_000_000) } }).keys).toEqual([`${SESSION}.deep`]);
  });

  it('a name of ten million characters is dropped, and its issue is short and on one line', () => {
    const long = `a\r\n\uD800${'x'.repeat(10_000_000)}`;
    const { value, issues } = read('request', { [SESSION]: { [long]: 1, short: 2 } });
    expect([...value!.session!.keys()]).toEqual(['short']);
    expect(issues).toHaveLength(1);
    expect(issues[0]!.key).toMatch(/^modelcontextprotocol\.io\/state\/session\.a\uFFFD{3}x{60}…$/);
  });

  it('100,000 names are read; all further ones are one issue', () => {
    const many = Object.fromEntries(Array.from({ length: STATE_BOUNDS.names + 5 }, (_, i) => [`n${i}`, i]));
    const { value, issues } = read('request', { [SESSION]: many });
    expect(value!.session!.size).toBe(STATE_BOUNDS.names);
    expect(issues).toEqual([{ concern: 'state', key: SESSION, problem: 'holds more than 100000 names' }]);
  });

  it('each value is checked once, however many names there are', () => {
    const looks = (count: number): number => {
      let seen = 0;
      const dictionary = {};
      for (let i = 0; i < count; i++) Object.defineProperty(dictionary, `n${i}`, { enumerable: true, get: () => ((seen += 1), { i }) });
      read('request', { [SESSION]: dictionary });
      return seen;
    };
    expect(looks(20_000)).toBe(10 * looks(2_000));
  });

  it('an issue never contains a value', () => {
    const { issues } = read('request', {
      [SESSION]: { a: ['secret', nested(1000)], b: null },
      [STATE_CONFLICTS]: { session: { a: 'secret' } },
    });
    expect(issues).toHaveLength(3);
    expect(JSON.stringify(issues)).not.toContain('secret');
  });
});

describe('writing state', () => {
  const values: StateChanges = { session: names({ a: 1 }), server: names({ b: [2] }) };

  it('D-02: state is written in one spelling, the seed’s or the alias', () => {
    expect(write('result', values).meta).toEqual({ [SESSION]: { a: 1 }, [SERVER]: { b: [2] } });
    expect(write('request', values, { stateKeys: 'seed' }).meta).toEqual({ [SESSION]: { a: 1 }, [SERVER]: { b: [2] } });
    expect(write('request', values, { stateKeys: 'alias' }).meta).toEqual({ [SESSION_ALIAS]: { a: 1 }, [SERVER_ALIAS]: { b: [2] } });
  });

  it('STATE-09: an empty scope is not written', () => {
    expect(write('request', { session: new Map(), server: names({ b: 1 }), conflicts: { session: new Map() } }).meta).toEqual({
      [SERVER]: { b: 1 },
    });
    expect(write('result', {}).meta).toEqual({});
  });

  it('values that are not JSON or out of bounds are reported and not written', () => {
    const cycle: Json[] = [];
    cycle.push(cycle);
    const bad = new Map<string, unknown>([
      ['cycle', cycle],
      ['nan', Number.NaN],
      ['undefined', undefined],
      ['function', () => 1],
      ['bigint', 1n],
      ['deep', nested(1000)],
      ['fine', 1],
    ]) as ReadonlyMap<string, Json>;
    const { meta, keys } = write('result', { session: bad });
    expect(meta).toEqual({ [SESSION]: { fine: 1 } });
    expect(keys).toEqual(['cycle', 'nan', 'undefined', 'function', 'bigint', 'deep'].map((name) => `${SESSION}.${name}`));
  });

  it('a deletion is written in a result and refused in a request', () => {
    expect(write('result', { server: names({ gone: null }) }).meta).toEqual({ [SERVER]: { gone: null } });
    expect(write('request', { server: names({ gone: null }) })).toMatchObject({ meta: {}, keys: [`${SERVER}.gone`] });
  });

  it('every key belongs to the concern', () => {
    expect(state.keys({})).toEqual([...STATE_SPELLINGS.session, ...STATE_SPELLINGS.server, STATE_CONFLICTS]);
  });
});

describe('concurrent values', () => {
  it('concurrent values travel beside the state, in arrival order, with null for a deletion', () => {
    const value: StateValues = {
      session: names({ cart: [2] }),
      conflicts: {
        session: new Map<string, Json[]>([['cart', [[1], null, [2]]]]),
        server: new Map<string, Json[]>([['__proto__', [1, 2]]]),
      },
    };
    const { meta, issues } = write('request', value);
    expect(JSON.stringify(meta[STATE_CONFLICTS])).toBe('{"session":{"cart":[[1],null,[2]]},"server":{"__proto__":[1,2]}}');
    expect(issues).toEqual([]);
    expect(read('request', meta)).toEqual({ value, issues: [], keys: [] });
  });

  it('results carry no concurrent values', () => {
    expect(read('result', { [STATE_CONFLICTS]: { session: { a: [1, 2] } } })).toEqual({ value: undefined, issues: [], keys: [] });
    expect(write('result', { conflicts: { session: new Map([['a', [1, 2]]]) } }).meta).toEqual({});
  });

  it('one value above the limit drops the oldest, reported once', () => {
    const list = Array.from({ length: MAX_CONFLICTS + 1 }, (_, i) => i);
    const { value, keys } = read('request', { [STATE_CONFLICTS]: { server: { a: list, b: list.slice(1) } } });
    expect(value!.conflicts!.server).toEqual(
      new Map([
        ['a', list.slice(1)],
        ['b', list.slice(1)],
      ]),
    );
    expect(keys).toEqual([`${STATE_CONFLICTS}.server.a`]);
  });

  it('concurrent values in the wrong shape are dropped piece by piece', () => {
    for (const bad of [null, 1, 'x', []])
      expect(read('request', { [STATE_CONFLICTS]: bad })).toMatchObject({ value: undefined, keys: [STATE_CONFLICTS] });
    const { value, keys } = read('request', {
      [STATE_CONFLICTS]: { session: 'x', server: { a: 1, b: [], c: [1, nested(1000), null] }, other: 7 },
    });
    expect(value).toEqual({ conflicts: { server: new Map([['c', [1, null]]]) } });
    expect(keys).toEqual([`${STATE_CONFLICTS}.session`, `${STATE_CONFLICTS}.server.a`, `${STATE_CONFLICTS}.server.c`]);
  });

  it.each<[string, unknown]>([
    ['no object', 'x'],
    ['no list', { session: { cart: 7 } }],
    ['an empty list', { session: { cart: [] } }],
    ['a list of other values', { session: { cart: [7, 8] } }],
    ['a list that ends with another value', { session: { cart: [['a'], ['b'], 7] } }],
    ['a list that ends with a deletion', { session: { cart: [['a'], null] } }],
    ['a list whose values cannot be read', { session: { cart: [nested(1000)] } }],
  ])('D-08: malformed concurrent values are dropped alone, and the current value stays: %s', (_, conflicts) => {
    const current = { [SESSION]: { cart: ['b'], other: 1 } };
    const { value } = read('request', { ...current, [STATE_CONFLICTS]: conflicts });
    expect(value).toEqual({ session: names({ cart: ['b'], other: 1 }) });
    const { value: both } = read('request', { ...current, [STATE_CONFLICTS]: { session: { cart: 7, other: [2, 1] } } });
    expect(both?.conflicts).toEqual({ session: new Map([['other', [2, 1]]]) });
  });

  it.each(['session', 'server'] as const)('D-08: an issue of concurrent values that cannot be written names the scope %s', (scope) => {
    const conflicts = { [scope]: new Map<string, Json[]>([['cart', [1, undefined as never]]]) };
    expect(write('request', { conflicts }).keys).toEqual([`${STATE_CONFLICTS}.${scope}.cart`]);
  });

  it('D-08: concurrent values that do not end with the current value are reported', () => {
    const { keys } = read('request', { [SESSION]: { cart: ['b'] }, [STATE_CONFLICTS]: { session: { cart: [7, 8] } } });
    expect(keys).toEqual([`${STATE_CONFLICTS}.session.cart`]);
  });
});

const anyName = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', 'toString', '', '0'));
/** Through JSON, because -0 and similar values cannot cross a wire. */
const anyJson = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);
const stored = fc
  .array(
    fc.tuple(
      anyName,
      anyJson.filter((value) => value !== null),
    ),
    { minLength: 1 },
  )
  .map((entries) => new Map(entries));
const changed = fc.array(fc.tuple(anyName, anyJson), { minLength: 1 }).map((entries) => new Map(entries));
const listed = fc.array(fc.tuple(anyName, fc.array(anyJson, { minLength: 1 })), { minLength: 1 }).map((entries) => new Map(entries));

describe('state in general', () => {
  it('written state is read back, through JSON, in either spelling', () => {
    const requests = fc.record(
      { session: stored, server: stored, conflicts: fc.record({ session: listed, server: listed }, { requiredKeys: ['session'] }) },
      { requiredKeys: ['server'] },
    ) as fc.Arbitrary<StateValues>;
    /** As a client writes it: a list ends with the current value (D-08). */
    const consistent = ({ conflicts, ...values }: StateValues): StateValues => {
      if (conflicts === undefined) return values;
      const ended = (scope: 'session' | 'server'): ReadonlyMap<string, readonly Json[]> =>
        new Map([...(conflicts[scope] ?? [])].map(([name, list]) => [name, [...list.slice(1), values[scope]?.get(name) ?? list[0]!]]));
      return { ...values, conflicts: { session: ended('session'), ...(conflicts.server && { server: ended('server') }) } };
    };
    fc.assert(
      fc.property(requests.map(consistent), fc.constantFrom('seed' as const, 'alias' as const), (value, stateKeys) => {
        const meta = JSON.parse(JSON.stringify(write('request', value, { stateKeys }).meta));
        expect(read('request', meta)).toEqual({ value, issues: [], keys: [] });
      }),
    );
    fc.assert(
      fc.property(changed, (session) => {
        const meta = JSON.parse(JSON.stringify(write('result', { session }).meta));
        expect(read('result', meta)).toEqual({ value: { session }, issues: [], keys: [] });
      }),
    );
  });

  it('any JSON in any place is read without throwing, polluting or changing it', () => {
    const dictionary = fc.oneof(fc.dictionary(anyName, fc.jsonValue()), fc.jsonValue());
    const meta = fc.dictionary(
      fc.constantFrom(...state.keys({})),
      fc.oneof(dictionary, fc.record({ session: dictionary, server: dictionary })),
    );
    fc.assert(
      fc.property(meta, (given) => {
        const before = JSON.stringify(given);
        for (const kind of ['request', 'result'] as const) {
          const { value } = read(kind, given);
          if (value) expect(write(kind, value).issues).toEqual([]);
        }
        expect(JSON.stringify(given)).toBe(before);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });
});

describe('applying a result', () => {
  it('STATE-06: names that are not mentioned stay', () => {
    expect(applyState(names({ a: 1, b: 2 }), names({ c: 3 }))).toEqual(names({ a: 1, b: 2, c: 3 }));
  });

  it('STATE-07: a name in the result loses its whole old value', () => {
    expect(applyState(names({ a: { x: 1, y: 2 } }), names({ a: { y: 3 } }))).toEqual(names({ a: { y: 3 } }));
  });

  it('STATE-05: null deletes a name, also an unknown one, and the old map is not changed', () => {
    const current = names({ a: 1, b: { c: null } });
    expect(applyState(current, names({ a: null, unknown: null }))).toEqual(names({ b: { c: null } }));
    expect(current).toEqual(names({ a: 1, b: { c: null } }));
  });

  it('applying twice equals applying once, two steps equal one, and an empty result changes nothing', () => {
    fc.assert(
      fc.property(stored, changed, changed, (current, first, second) => {
        const once = applyState(current, first);
        expect(applyState(once, first)).toEqual(once);
        expect(applyState(once, second)).toEqual(applyState(current, new Map([...first, ...second])));
        expect(applyState(current, new Map())).toEqual(current);
        expect([...once.values()]).not.toContain(null);
      }),
    );
  });
});

describe('the capability', () => {
  it.each([
    [{ state: {} }, true],
    [{ experimental: { state: {} } }, true],
    [{ state: { future: 1 } }, true],
    [{ state: true }, false],
    [{ state: null }, false],
    [{ state: [] }, false],
    [{ experimental: { state: 'yes' } }, false],
    [{ experimental: null }, false],
    [{}, false],
    [undefined, false],
    ['state', false],
    [[{ state: {} }], false],
  ])('D-04: %j declares state: %s', (capabilities, declared) => {
    expect(declaresState(capabilities)).toBe(declared);
  });

  it('D-04: an inherited member declares nothing', () => {
    expect(declaresState(Object.create({ state: {} }))).toBe(false);
  });
});
