import { describe, expect, it } from 'vitest';
import type { Json } from '../../wire/json.js';
import type { StateChanges } from '../../wire/state.js';
import type { JarConversation } from './conversations.js';
import { Jars } from './jars.js';
import { memoryStore } from './memory.js';
import type { StateJar } from './stateJar.js';
import { userJar } from './userJar.js';
import type { StateStore } from './store.js';

const KINDS = [
  ['in memory', () => undefined],
  ['in a store', () => memoryStore()],
] as const;

function setUp(store: StateStore | undefined) {
  const jars = new Jars({ ...(store && { store }) });
  const jar = userJar(jars, { allowHosts: ['shop.example'] });
  /** Sends a request now; its answer comes when the returned function is called. */
  const ask = async (server = 'shop', conversation?: JarConversation) => {
    const { ticket } = await jars.carry('', server, conversation);
    return (changes: StateChanges) => void jars.apply(ticket, changes);
  };
  return { jars, jar, ask };
}
const one = (value: Json): ReadonlyMap<string, Json> => new Map([['x', value]]);
const values = async (jar: StateJar, ...args: Parameters<StateJar['show']>): Promise<readonly Json[]> =>
  (await jar.show(...args)).map(({ value }) => value);

describe.each(KINDS)('clear, %s', (_, makeStore) => {
  it('D-05: clear of one conversation takes nothing from another, also not from answers under way', async () => {
    const { jars, jar, ask } = setUp(makeStore());
    const [cleared, other] = [jars.conversations.begin(''), jars.conversations.begin('')];
    const [late, kept] = [await ask('shop', cleared), await ask('shop', other)];
    await jar.clear({ conversation: cleared });
    late({ session: one(1), server: one(2) });
    kept({ session: one(3) });
    expect(await values(jar, 'shop', { conversation: cleared })).toEqual([]);
    expect(await values(jar, 'shop', { conversation: other })).toEqual([3]);
    expect(await values(jar, 'shop', { scope: 'server' })).toEqual([2]);
    await jar.close();
  });

  it('clear also applies to the answer to the very first request to a server, but not to later requests', async () => {
    const { jar, ask } = setUp(makeStore());
    const late = await ask();
    await jar.clear();
    late({ server: one(1) });
    expect(await values(jar, 'shop')).toEqual([]);
    const next = await ask();
    next({ server: one(2) });
    expect(await values(jar, 'shop')).toEqual([2]);
    await jar.close();
  });

  it('clear of one server takes nothing from another', async () => {
    const { jar, ask } = setUp(makeStore());
    const [late, kept] = [await ask('shop'), await ask('bank')];
    await jar.clear({ server: 'shop' });
    late({ server: one(1) });
    kept({ server: one(2) });
    expect([await values(jar, 'shop'), await values(jar, 'bank')]).toEqual([[], [2]]);
    await jar.close();
  });
});

describe.each(KINDS)('a drawer whose given identity looks like a URL, %s', (_, makeStore) => {
  const URL_NAME = 'https://shop.example/mcp';

  it('it is shown, exported, edited and cleared by the name it is listed under', async () => {
    const store = makeStore();
    const first = setUp(store);
    (await first.ask(URL_NAME))({ server: one(1) });
    (await first.ask('shop.example'))({ server: one(2) });
    await first.jar.flush();
    // A jar that has not read the store yet finds the drawer too.
    const { jar } = store ? setUp(store) : first;
    expect(await values(jar, URL_NAME)).toEqual([1]);
    await jar.edit(URL_NAME, 'x', 3);
    expect(await jar.export({ server: URL_NAME })).toMatchObject({ drawers: [{ server: URL_NAME, items: [{ value: 3 }] }] });
    expect(await jar.clear({ server: URL_NAME })).toBe(1);
    expect((await jar.list()).map(({ server }) => server)).toEqual(['shop.example']);
    // If no drawer has that name, it is taken as the URL of a server.
    expect(await values(jar, URL_NAME)).toEqual([2]);
  });
});

describe('clear of a server given as a URL', () => {
  it('clear forgets at once, even if the store is slow', async () => {
    const never = (): Promise<never> => new Promise(() => undefined);
    const { jars, jar, ask } = setUp({ ...memoryStore(), load: never, drawers: never });
    (await ask('shop.example'))({ server: one(1) });
    // The store never answers, so the promise rejects long after this test.
    jar.clear({ server: 'https://shop.example/mcp' }).catch(() => undefined);
    const { values: sent } = await jars.carry('', 'shop.example', undefined);
    expect(sent.server?.size ?? 0).toBe(0);
  });
});

describe.each(KINDS)('edit, %s', (_, makeStore) => {
  it('D-05: edit rejects for a conversation that has ended, by its object and by its id, and keeps nothing', async () => {
    const { jar } = setUp(makeStore());
    const over = jar.begin();
    await over.end();
    for (const conversation of [over, over.id])
      await expect(jar.edit('shop', 'x', 1, { conversation })).rejects.toThrow('the conversation has ended');
    expect(await jar.list()).toEqual([]);
    // In server scope the conversation does not matter.
    await jar.edit('shop', 'x', 1, { scope: 'server', conversation: over });
    expect(await values(jar, 'shop')).toEqual([1]);
  });

  it('STATE-40: edit rejects for a conversation of another principal', async () => {
    const { jar } = setUp(makeStore());
    const conversation = jar.begin({ principal: 'ann' });
    await expect(jar.edit('shop', 'x', 1, { conversation })).rejects.toThrow(
      'jar.edit.conversation: expected a conversation of this principal',
    );
    await jar.edit('shop', 'x', 1, { conversation, principal: 'ann' });
    expect(await jar.list()).toEqual([]);
    expect(await jar.list({ principal: 'ann' })).toHaveLength(1);
  });
});

it('D-05: edit rejects for a conversation that has ended, even if only the store knows it', async () => {
  const store = memoryStore();
  const { jar } = setUp({ ...store, watch: () => () => undefined });
  const otherProcess = setUp(store).jar.resume('chat');
  await otherProcess.end();
  await expect(jar.edit('shop', 'x', 1, { conversation: 'chat' })).rejects.toThrow('the conversation has ended');
  expect(await jar.list()).toEqual([]);
});
