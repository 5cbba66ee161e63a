import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Issue } from '../../wire/issue.js';
import type { Json } from '../../wire/json.js';
import { jar as openJar } from './open.js';
import { Jars, type StateToSend } from './jars.js';
import type { JarOptions } from './open.js';
import { memoryStore } from './memory.js';
import { userJar } from './userJar.js';
import type { StateStore } from './store.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Mood = 'well' | 'failing' | 'hanging';

/** A store that can be told to fail or hang, and the calls it got. */
function moody(store: StateStore = memoryStore()) {
  const calls: string[] = [];
  const state = { mood: 'well' as Mood };
  const through =
    <A extends readonly unknown[], R>(name: string, run: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      calls.push(name);
      if (state.mood === 'hanging') return new Promise(() => undefined);
      return state.mood === 'failing' ? Promise.reject(new Error('connection refused')) : run(...args);
    };
  const made: StateStore = {
    ...store,
    load: through('load', store.load),
    save: through('save', store.save),
    end: through('end', store.end),
    drawers: through('drawers', store.drawers),
    principals: through('principals', store.principals),
  };
  return { store: made, state, calls };
}

function client(store: StateStore, options: JarOptions = {}) {
  const issues: Issue[] = [];
  const jars = new Jars({ store, ...options }, (issue) => issues.push(issue));
  const jar = userJar(jars, {});
  const carry = () => jars.carry('', 'a.example', undefined);
  const set = (name: string, value: Json, { ticket }: StateToSend) => jars.apply(ticket, { server: new Map([[name, value]]) });
  const values = ({ values: sent }: StateToSend) => Object.fromEntries(sent.server ?? []);
  return { jars, jar, issues, carry, set, values, problems: () => issues.map(({ problem }) => problem) };
}

type Client = ReturnType<typeof client>;

/** Lets everything run that needs no time. */
const soon = () => vi.advanceTimersByTimeAsync(0);
async function stored(store: StateStore): Promise<Record<string, Json>> {
  const { rows } = await store.load({ principal: '', server: 'a.example' });
  return Object.fromEntries(rows.map(({ name, body }) => [name, (JSON.parse(body) as { values: [string, Json][] }).values.at(-1)![1]]));
}

describe('D-23: relaxed', () => {
  it('memory changes at once, the store within 50 ms; changes of one moment go together, and no request waits', async () => {
    const { store, calls } = moody();
    const { carry, set, values } = client(store);
    const first = await carry();
    expect(set('x', 1, first)).toBeUndefined();
    void set('y', 2, first);
    const next = carry();
    expect(next).not.toBeInstanceOf(Promise);
    expect(values(next as StateToSend)).toEqual({ x: 1, y: 2 });
    expect(calls.filter((name) => name === 'save')).toEqual([]);
    await vi.advanceTimersByTimeAsync(49);
    expect(await stored(store)).toEqual({ x: 1, y: 2 });
    expect(calls.filter((name) => name === 'save')).toEqual(['save']);
  });

  it('STATE-05: deleting an unknown name leaves nothing behind, and nothing is written', async () => {
    const { store, calls } = moody();
    const { jars, carry, set } = client(store);
    void set('unknown', null, await carry());
    await vi.advanceTimersByTimeAsync(60);
    expect(calls).not.toContain('save');
    expect(jars.open('', 'a.example').item(null, 'unknown')).toBeUndefined();
  });

  it('D-05: the store learns the end of a conversation that it may keep, never that of a connection’s own one', async () => {
    const { store, calls } = moody();
    const { jars } = client(store);
    await jars.conversations.beginVolatile('').end();
    expect(calls).toEqual([]);
    await jars.conversations.begin('').end();
    expect(calls).toEqual(['end']);
  });

  it('a drawer in memory asks nothing of the store', async () => {
    const { store, calls, state } = moody();
    const { carry } = client(store);
    await carry();
    calls.length = 0;
    state.mood = 'hanging';
    for (let n = 0; n < 10; n++) expect(carry()).not.toBeInstanceOf(Promise);
    expect(calls).toEqual([]);
  });

  it('a store that hangs delays the first requests by less than 50 ms and the next not at all, and all go on', async () => {
    const { store, state } = moody();
    state.mood = 'hanging';
    const { carry, set, values, problems } = client(store);
    const waiting = [carry(), carry()] as Promise<StateToSend>[];
    let done = 0;
    for (const one of waiting) void one.then(() => done++);
    await vi.advanceTimersByTimeAsync(30);
    expect(done).toBe(0);
    await vi.advanceTimersByTimeAsync(19);
    expect(done).toBe(2);
    expect(problems()).toEqual(['did not answer in time; requests go on without its state']);
    void set('x', 1, await waiting[0]!);
    const next = carry();
    expect(next).not.toBeInstanceOf(Promise);
    expect(values(next as StateToSend)).toEqual({ x: 1 });
  });

  it('requests wait for a store that starts, but no longer than two seconds', async () => {
    const inner = memoryStore();
    const earlier = client(inner);
    void earlier.set('old', 1, await earlier.carry());
    await earlier.jar.flush();
    const { store, state } = moody(inner);
    const started = new Promise((resolve) => setTimeout(resolve, 300));
    const { carry, values, problems } = client({
      ...store,
      starting: started,
      load: async (drawer) => (await started, store.load(drawer)),
    });
    const first = carry();
    await vi.advanceTimersByTimeAsync(300);
    expect([values(await first), problems()]).toEqual([{ old: 1 }, []]);

    state.mood = 'hanging';
    const never = client({ ...store, starting: new Promise(() => undefined) });
    let done = 0;
    void (never.carry() as Promise<StateToSend>).then(() => done++);
    await vi.advanceTimersByTimeAsync(1_900);
    expect(done).toBe(0);
    await vi.advanceTimersByTimeAsync(200);
    expect(done).toBe(1);
  });

  it('a store with a lazy start is asked with the first request, not before', async () => {
    let started = 0;
    const store: StateStore = {
      ...memoryStore(),
      get starting() {
        started++;
        return Promise.reject(new Error('not there'));
      },
    };
    const { carry } = client(store);
    expect(started).toBe(0);
    await carry();
    expect(started).toBe(1);
  });

  it('a store that could not be read is asked again, even if the clock was set back', async () => {
    const { store, state, calls } = moody();
    state.mood = 'failing';
    const { carry } = client(store);
    await carry();
    state.mood = 'well';
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(200);
    calls.length = 0;
    await carry();
    expect(calls).toContain('load');
  });

  it('D-09: if one answer sets thousands of names, only the limit is kept, and the store gets exactly those', async () => {
    const { store } = moody();
    const { jars, jar, carry } = client(store, { limits: { drawerItems: 20 } });
    const { ticket } = await carry();
    const names = Array.from({ length: 2_000 }, (_, n): [string, Json] => [`n${n}`, n]);
    void jars.apply(ticket, { server: new Map(names) });
    expect(jars.drawer('', 'a.example')?.shelves.get(null)?.byName.size).toBeLessThanOrEqual(41);
    await jar.flush();
    expect(await stored(store)).toEqual(Object.fromEntries(names.slice(-20)));
  });

  it('D-09: an item that is dropped while it is being written disappears from the store too', async () => {
    const store = memoryStore();
    const save: StateStore['save'] = async (batch) => {
      const saved = await store.save(batch);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return saved;
    };
    // This store does not report our own changes either.
    const { jars, jar, carry } = client({ ...store, save, watch: () => () => undefined }, { limits: { drawerItems: 20 } });
    const { ticket } = await carry();
    const set = (from: number, to: number): void =>
      void jars.apply(ticket, { server: new Map(Array.from({ length: to - from }, (_, n): [string, Json] => [`n${from + n}`, n])) });
    set(0, 20);
    const saving = jar.flush();
    await vi.advanceTimersByTimeAsync(5);
    expect(Object.keys(await stored(store))).toContain('n0');
    set(20, 200);
    const all = Promise.all([saving, jar.flush()]);
    await vi.advanceTimersByTimeAsync(100);
    await all;
    expect(Object.keys(await stored(store)).sort()).toEqual(Array.from({ length: 20 }, (_, n) => `n${180 + n}`));
  });

  it('D-09: items that a server deleted while the store was unreachable, and before the drawer was read, do not come back', async () => {
    const { store, state } = moody();
    const earlier = client(store, { limits: { drawerItems: 40 } });
    const names = Array.from({ length: 30 }, (_, n) => `n${n}`);
    void earlier.jars.apply((await earlier.carry()).ticket, { server: new Map(names.map((name): [string, Json] => [name, 'secret'])) });
    await earlier.jar.flush();
    state.mood = 'failing';
    const { jars, carry, values } = client(store, { limits: { drawerItems: 20 } });
    const { ticket } = await carry();
    for (const value of [1, null]) void jars.apply(ticket, { server: new Map(names.map((name): [string, Json] => [name, value])) });
    state.mood = 'well';
    await vi.advanceTimersByTimeAsync(10_000);
    expect(values(await carry())).toEqual({});
    expect(await stored(store)).toEqual({});
  });

  it('D-23: a value that the store took without an answer is not taken for another process’s', async () => {
    const store = memoryStore();
    let lost = true;
    const save: StateStore['save'] = async (batch) => {
      const saved = await store.save(batch);
      if (!lost) return saved;
      throw new Error('connection reset');
    };
    const { jars, jar, carry, values, problems } = client({ ...store, save, watch: () => () => undefined });
    const put = async (cart: Json): Promise<void> =>
      jars.apply((await carry()).ticket, { server: new Map([['cart', cart]]) }, new Set(['cart']));
    await put(['a']);
    await expect(jar.flush()).rejects.toThrow();
    await put(['a', 'b']);
    lost = false;
    await jar.flush();
    expect([values(await carry()), await stored(store)]).toEqual([{ cart: ['a', 'b'] }, { cart: ['a', 'b'] }]);
    expect((await carry()).values.conflicts).toBeUndefined();
    expect(problems().filter((problem) => problem.includes('two answers'))).toEqual([]);
  });

  it('D-23: a value that changes while the store writes it is written again', async () => {
    const store = memoryStore();
    const save: StateStore['save'] = async (batch) => {
      const saved = await store.save(batch);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return saved;
    };
    const { carry, set } = client({ ...store, save, watch: () => () => undefined });
    void set('x', 1, await carry());
    await vi.advanceTimersByTimeAsync(10);
    expect(await stored(store)).toEqual({ x: 1 });
    void set('x', 2, await carry());
    await vi.advanceTimersByTimeAsync(60);
    expect(await stored(store)).toEqual({ x: 2 });
  });

  it('D-23: a value that another process adds while ours is written, and settles later, does not come back', async () => {
    const inner = memoryStore();
    const at = { principal: '', server: 'a.example' };
    let changed = (): void => undefined;
    const here = client({
      ...inner,
      save: async (batch) => {
        const saved = await inner.save(batch);
        await new Promise((resolve) => setTimeout(resolve, 20));
        return saved;
      },
      watch: (watcher) => {
        changed = () => {
          watcher.changed(at);
        };
        return () => undefined;
      },
    });
    const changeInStore = async (change: (values: [string, Json][]) => [string, Json][]): Promise<void> => {
      const [row] = (await inner.load(at)).rows;
      const { written, values } = JSON.parse(row!.body) as { written: number; values: [string, Json][] };
      const body = JSON.stringify({ written, values: change(values) });
      await inner.save([{ ...at, epoch: undefined, changes: [{ place: null, name: 'cart', expected: row!.revision, body }] }]);
      changed();
      await soon();
    };
    void here.jars.apply((await here.carry()).ticket, { server: new Map([['cart', 'a']]) }, new Set(['cart']));
    await vi.advanceTimersByTimeAsync(10);
    await changeInStore((values) => [...values, ['other-1', 'b']]);
    await vi.advanceTimersByTimeAsync(60);
    await changeInStore(() => [['other-2', 'c']]);
    await vi.advanceTimersByTimeAsync(60);
    const sent = await here.carry();
    expect([here.values(sent), sent.values.conflicts, here.problems()]).toEqual([{ cart: 'c' }, undefined, []]);
    expect(await stored(inner)).toEqual({ cart: 'c' });
  });

  it('D-23: a value that was settled here and that another process adds again is deleted from the store', async () => {
    const inner = memoryStore();
    const at = { principal: '', server: 'a.example' };
    const read = async () => {
      const [row] = (await inner.load(at)).rows;
      return { row: row!, values: (JSON.parse(row!.body) as { values: [string, Json][] }).values };
    };
    let loses = false;
    const { jar, carry, set } = client({
      ...inner,
      save: async (batch) => {
        const saved = await inner.save(batch);
        if (loses) throw new Error('connection lost');
        return saved;
      },
      watch: () => () => undefined,
    });
    await client(inner).jar.edit('a.example', 'x', 'theirs');
    const theirs = await read();
    const first = await carry();
    loses = true;
    void set('x', 'ours', first);
    await jar.flush().catch(() => undefined);
    loses = false;
    // The other process had no answer to its write either, so it writes its value again, after ours.
    const { row, values } = await read();
    const body = JSON.stringify({ written: Date.now(), values: [...values, ...theirs.values] });
    await inner.save([{ ...at, epoch: undefined, changes: [{ place: null, name: 'x', expected: row.revision, body }] }]);
    await jar.flush();
    expect((await read()).values.map(([, value]) => value)).toEqual(['ours']);
  });

  it('a store whose member starting throws breaks no request', async () => {
    const store: StateStore = {
      ...memoryStore(),
      get starting(): Promise<unknown> {
        throw new Error('not today');
      },
    };
    const { carry, set, values } = client(store);
    void set('x', 1, await carry());
    expect(values(await carry())).toEqual({ x: 1 });
  });

  it('D-09: the item that was written last stays, even if the clock was set back', async () => {
    const { jars, carry, values } = client(memoryStore(), { limits: { drawerItems: 20 } });
    const { ticket } = await carry();
    for (let n = 10; n < 60; n++) {
      void jars.apply(ticket, { server: new Map([[`n${n}`, 1]]) });
      vi.setSystemTime(Date.now() - 60_000);
    }
    expect(Object.keys(values(await carry()))).toEqual(Array.from({ length: 20 }, (_, n) => `n${40 + n}`));
  });

  it('a failing store is reported once, and gets what is in memory when it is back', async () => {
    const inner = memoryStore();
    const { store, state } = moody(inner);
    const { carry, set, values, problems } = client(store);
    void set('before', 0, await carry());
    await vi.advanceTimersByTimeAsync(50);
    state.mood = 'failing';
    for (let n = 0; n < 3; n++) {
      void set(`during ${n}`, n, await carry());
      await vi.advanceTimersByTimeAsync(300);
    }
    expect(problems()).toEqual(['could not be written; its changes stay in memory: connection refused']);
    expect(await stored(inner)).toEqual({ before: 0 });
    state.mood = 'well';
    await vi.advanceTimersByTimeAsync(2_100);
    expect(await stored(inner)).toEqual({ before: 0, 'during 0': 0, 'during 1': 1, 'during 2': 2 });
    expect(problems().at(-1)).toBe('is back, and has what was in memory');
    expect(values(await carry())).toEqual({ before: 0, 'during 0': 0, 'during 1': 1, 'during 2': 2 });
  });

  it('rows that could not be read arrive later, beside what was set meanwhile', async () => {
    const inner = memoryStore();
    const earlier = client(inner);
    void earlier.set('old', 1, await earlier.carry());
    void earlier.set('both', 'old', await earlier.carry());
    await earlier.jar.flush();
    const { store, state } = moody(inner);
    state.mood = 'failing';
    const { carry, set, values, problems } = client(store);
    const first = await carry();
    expect(values(first)).toEqual({});
    void set('both', 'new', first);
    state.mood = 'well';
    await vi.advanceTimersByTimeAsync(2_100);
    expect(values(await carry())).toEqual({ old: 1, both: 'new' });
    expect(problems()).toContain('was set by two answers, and neither request carried the value of the other; the last to arrive counts');
    expect(await stored(inner)).toEqual({ old: 1, both: 'new' });
  });
});

describe('D-23: strict', () => {
  it('an answer waits for the store', async () => {
    const { store, calls } = moody();
    const { carry, set } = client(store, { durability: 'strict' });
    const kept = set('x', 1, await carry());
    expect(kept).toBeInstanceOf(Promise);
    await kept;
    expect(calls).toContain('save');
    expect(await stored(store)).toEqual({ x: 1 });
  });

  it('an answer does not wait for ever: it goes on with an issue', async () => {
    const { store, state } = moody();
    const { carry, set, problems } = client(store, { durability: 'strict', storeTimeout: 5_000 });
    const first = await carry();
    state.mood = 'hanging';
    let over = false;
    void set('x', 1, first)!.then(() => (over = true));
    await vi.advanceTimersByTimeAsync(4_900);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(over).toBe(true);
    expect(problems().some((problem) => problem.includes('in time'))).toBe(true);
    state.mood = 'well';
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await stored(store)).toEqual({ x: 1 });
  });
});

describe('flush and the other explicit calls', () => {
  it('D-23: they resolve when the store has the state, and reject with the cause if it fails', async () => {
    const { store, state } = moody();
    const { carry, set, jar } = client(store);
    const first = await carry();
    state.mood = 'failing';
    void set('x', 1, first);
    const failed = await jar.flush().catch((error: unknown) => error as Error);
    expect(failed).toBeInstanceOf(Error);
    expect(((failed as Error).cause as Error).message).toBe('connection refused');
    await expect(jar.list()).rejects.toThrow('connection refused');
    await expect(jar.clear()).rejects.toThrow();
    await expect(jar.begin().end()).rejects.toThrow();
    state.mood = 'well';
    await jar.flush();
    // Items that were cleared while the store was unreachable are cleared there too.
    expect(await stored(store)).toEqual({});
    await jar.close();
  });

  it('D-23: flush waits for changes from before the call, not for later ones', async () => {
    const { store } = moody();
    const save: StateStore['save'] = async (batch) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return store.save(batch);
    };
    const { carry, set, jar } = client({ ...store, save });
    const first = await carry();
    let last = 0;
    const changing = setInterval(() => void set('x', ++last, first), 5);
    await vi.advanceTimersByTimeAsync(100);
    const then = last;
    let flushed: number | undefined;
    void jar.flush().then(() => (flushed = last));
    await vi.advanceTimersByTimeAsync(100);
    expect(flushed).toBeGreaterThan(then);
    expect((await stored(store))['x']).toBeGreaterThanOrEqual(then);
    clearInterval(changing);
    await vi.advanceTimersByTimeAsync(100);
    expect(await stored(store)).toEqual({ x: last });
  });

  it('close() says why something was not written, even if the store cannot be closed either, and does not wait for ever', async () => {
    const { store, state } = moody();
    const { carry, set, jar } = client({ ...store, close: () => Promise.reject(new Error('no closing')) });
    void set('x', 1, await carry());
    state.mood = 'failing';
    await expect(jar.close()).rejects.toThrow('the state store could not be written');
    const hung = client({ ...memoryStore(), close: () => new Promise(() => undefined), principals: () => new Promise(() => undefined) });
    const late = [hung.jar.close(), hung.jar.principals()].map((one) => expect(one).rejects.toThrow('no answer within 5000 ms'));
    await vi.advanceTimersByTimeAsync(5_000);
    await Promise.all(late);
  });

  it('a conversation that ended while the store was unreachable is forgotten there when it is back', async () => {
    const { store, state } = moody();
    const { jars, jar } = client(store);
    const conversation = jar.begin();
    const { ticket } = await jars.carry('', 'a.example', conversation as never);
    void jars.apply(ticket, { session: new Map([['x', 1]]) });
    await jar.flush();
    state.mood = 'failing';
    await conversation.end().catch(() => undefined);
    state.mood = 'well';
    await vi.advanceTimersByTimeAsync(2_100);
    expect(await store.load({ principal: '', server: 'a.example' })).toMatchObject({ rows: [] });
  });
});

describe('while a conversation is being ended', () => {
  it('D-23: values that are set meanwhile reach the store before flush resolves', async () => {
    const store = memoryStore();
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    const { carry, set, jar } = client({ ...store, end: (...given) => held.then(() => store.end(...given)) });
    const first = await carry();
    const ended = jar.begin().end();
    void set('x', 1, first);
    end();
    await ended;
    await jar.flush();
    expect(await stored(store)).toEqual({ x: 1 });
  });

  it('if the store fails, values that are set meanwhile are written when it is back', async () => {
    const inner = memoryStore();
    const { store, state } = moody(inner);
    const { carry, set, jar } = client(store);
    const first = await carry();
    state.mood = 'failing';
    const ended = jar.begin().end();
    void set('x', 1, first);
    await expect(ended).rejects.toThrow('could not be written');
    state.mood = 'well';
    await jar.flush();
    expect(await stored(inner)).toEqual({ x: 1 });
  });
});

describe('a value that is not a store, or a store that throws at once', () => {
  it.each([
    ['a path', 'state.db', 'jar.store: expected a store, such as sqliteStore(file)'],
    ['no path', '', 'jar.store: expected a store, such as sqliteStore(file)'],
    ['a function that was not called', memoryStore, 'jar.store: expected a store, such as sqliteStore(file)'],
    ['an object', {}, 'jar.store: expected a store; the method load is missing'],
    [
      'a start that is not a promise',
      { ...memoryStore(), starting: true },
      'jar.store: expected a store; the member starting must be a promise',
    ],
    ['half a store', { ...memoryStore(), watch: undefined }, 'jar.store: expected a store; the method watch is missing'],
  ])('%s fails when the jar is made', (_, store, problem) => {
    expect(() => openJar({ store: store as never })).toThrow(new TypeError(problem));
  });

  it.each(['load', 'save', 'end', 'drawers', 'principals'] as const)('D-23: %s that throws fails as if it rejected', async (method) => {
    const thrown = (): never => {
      throw new Error('not today');
    };
    const outcome = async (store: StateStore): Promise<readonly unknown[]> => {
      const { carry, set, values, jar, problems } = client(store);
      void set('x', 1, await carry());
      expect(values(await carry())).toEqual({ x: 1 });
      const calls = [jar.flush(), jar.list(), jar.begin().end(), jar.principals()];
      const settled = await Promise.allSettled(calls);
      return [settled, problems()];
    };
    const [throwing, rejecting] = [thrown, () => Promise.resolve().then(thrown)].map((fail) => ({ ...memoryStore(), [method]: fail }));
    expect(await outcome(throwing as StateStore)).toEqual(await outcome(rejecting as StateStore));
  });

  it('if drawers() fails, only the limit of a whole jar is not applied', async () => {
    const { carry, set, values } = client({ ...memoryStore(), drawers: () => Promise.resolve([null] as never) });
    void set('x', 1, await carry());
    await soon();
    expect(values(await carry())).toEqual({ x: 1 });
  });

  it('a watch() that throws is reported once, and the rest goes on', async () => {
    const store: StateStore = {
      ...memoryStore(),
      watch: () => {
        throw new Error('no watching');
      },
    };
    const { carry, set, jar, problems } = client(store);
    void set('x', 1, await carry());
    await jar.flush();
    await jar.list();
    expect(await stored(store)).toEqual({ x: 1 });
    expect(problems()).toEqual(['does not report changes of others: no watching']);
    await jar.close();
  });
});

describe('a change that comes while a drawer is being read', () => {
  /** A store that holds back its answers until they are let through; an answer has the rows of the time of the question. */
  function slow() {
    const inner = memoryStore();
    const held: (() => void)[] = [];
    const store: StateStore = {
      ...inner,
      load: async (drawer) => {
        const found = await inner.load(drawer);
        await new Promise<void>((resolve) => held.push(resolve));
        return found;
      },
    };
    const arrive = async (): Promise<void> => {
      await soon();
      for (const release of held.splice(0)) release();
      await soon();
    };
    return { inner, store, held, arrive };
  }

  it.each(['first', 'again'])('D-23: the change is not missed if the drawer is read %s', async (when) => {
    const { inner, store, held, arrive } = slow();
    const [here, there] = [client(store), client(inner)];
    if (when === 'again') {
      void here.carry();
      await arrive();
    } else void here.carry();
    await soon();
    await there.jar.edit('a.example', 'x', 1);
    await soon();
    await there.jar.edit('a.example', 'x', 2);
    await arrive();
    await arrive();
    expect(here.values(await here.carry())).toEqual({ x: 2 });
    await soon();
    expect(held).toEqual([]);
  });

  it('D-23: the change is not missed if the changed drawer is not known', async () => {
    const { inner, store, arrive } = slow();
    let changed = (): void => undefined;
    const here = client({
      ...store,
      watch: (watcher) => {
        changed = () => {
          watcher.changed(undefined);
        };
        return () => undefined;
      },
    });
    void here.carry();
    await soon();
    await client(inner).jar.edit('a.example', 'x', 1);
    changed();
    await arrive();
    await arrive();
    expect(here.values(await here.carry())).toEqual({ x: 1 });
  });
});

describe('a shared store', () => {
  it('D-05: a fork gets what only the store keeps, also from a drawer that is open and not read yet', async () => {
    const store = memoryStore();
    const parent = client(store).jar.begin();
    await client(store).jar.edit('a.example', 'x', 1, { conversation: parent.id });
    const { jars, jar } = client(store);
    jars.open('', 'a.example');
    const child = await jar.resume(parent.id).fork();
    expect(await jar.show('a.example', { conversation: child })).toMatchObject([{ name: 'x', value: 1 }]);
  });

  it('D-23: each host sees what the other writes or deletes', async () => {
    const store = memoryStore();
    const [one, other] = [client(store), client(store)];
    await other.carry();
    void one.set('x', 1, await one.carry());
    await one.jar.flush();
    await soon();
    expect(other.values(await other.carry())).toEqual({ x: 1 });
    void one.set('x', null, await one.carry());
    await one.jar.flush();
    await soon();
    expect(other.values(await other.carry())).toEqual({});
  });

  it.each([
    ['its next write', async ({ carry, set }: Client) => void set('y', 2, await carry()), { x: 1, y: 2 }],
    ['its next read', (_: Client, reread: () => void) => reread(), { x: 1 }],
  ])('a store that has lost everything gets what is in memory with %s', async (_, next, expected) => {
    let inner = memoryStore();
    let epoch = 'one';
    let reread = (): void => undefined;
    const aged = <T extends { epoch: string | undefined }>(given: T): T => ({ ...given, epoch });
    const store: StateStore = {
      ...inner,
      load: async (drawer) => aged(await inner.load(drawer)),
      save: async (batch) => {
        if (batch.some(({ epoch: known }) => known !== undefined && known !== epoch))
          return batch.map(() => ({ epoch, outcomes: undefined }));
        return (await inner.save(batch.map((one) => ({ ...one, epoch: undefined })))).map(aged);
      },
      watch: ({ changed }) => {
        reread = () => {
          changed({ principal: '', server: 'a.example' });
        };
        return () => undefined;
      },
    };
    const here = client(store);
    void here.set('x', 1, await here.carry());
    await here.jar.flush();
    [inner, epoch] = [memoryStore(), 'two'];
    await next(here, reread);
    await soon();
    await here.jar.flush();
    expect(await stored(inner)).toEqual(expected);
    expect(here.values(await here.carry())).toEqual(expected);
    expect(here.problems()).toEqual(['has lost its rows; what is in memory is written again']);
  });

  it('D-09: a drawer that is not in memory counts for the limit of a jar', async () => {
    const store = memoryStore();
    const limits = { jarItems: 300 };
    const first = client(store, { limits });
    for (let host = 0; host < 5; host++) {
      const { ticket } = await first.jars.carry('', `h${host}.example`, undefined);
      void first.jars.apply(ticket, { server: new Map(Array.from({ length: 60 }, (_, at) => [`n${at}`, at])) });
    }
    await first.jar.flush();
    const second = client(store, { limits });
    const { ticket } = await second.jars.carry('', 'new.example', undefined);
    await soon();
    void second.jars.apply(ticket, { server: new Map([['x', 1]]) });
    await soon();
    await second.jar.flush();
    const sizes = await store.drawers('');
    expect(sizes.reduce((sum, { items }) => sum + items, 0)).toBe(300);
    expect(sizes.find(({ server }) => server === 'new.example')).toEqual({ server: 'new.example', items: 1 });
  });

  it('D-09: an item written before the store answered is newer than the stored ones', async () => {
    const inner = memoryStore();
    const first = client(inner);
    for (let n = 0; n < 64; n++) {
      void first.set(`n${n}`, n, await first.carry());
      vi.setSystemTime(Date.now() + 1);
    }
    await first.jar.flush();
    const { store, state } = moody(inner);
    state.mood = 'failing';
    const second = client(store);
    void second.set('new', 1, await second.carry());
    state.mood = 'well';
    await vi.advanceTimersByTimeAsync(2_100);
    const values = second.values(await second.carry());
    expect(Object.keys(values)).toHaveLength(64);
    expect(values).toHaveProperty('new');
    expect(values).not.toHaveProperty('n0');
  });
});
