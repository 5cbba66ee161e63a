import { keys } from 'waybill';
import { memoryStore, type StateStore } from 'waybill/client/jar';
import { expect, test } from 'vitest';
import { openKeeper } from './keeper.js';
import type { Store } from './stores.js';

const STATE = keys.STATE_SPELLINGS.server[0] as string;
const KEPT_FOR = { server: 'shop', principal: 'alice', conversation: undefined };
const call = () => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', _meta: {} } });
const answer = (cart: readonly string[]) => ({ jsonrpc: '2.0', id: 1, result: { _meta: { [STATE]: { cart } } } });

/** A store that other processes share, and of which one call is slower than any request waits. */
function shared(slow: Partial<StateStore>): Store {
  const store = memoryStore();
  return {
    isShared: true,
    open: () => Promise.resolve(Object.assign(Object.create(store) as StateStore, slow)),
    secret: () => Promise.resolve(''),
    check: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
}
const never = () => new Promise<never>(() => undefined);
const told: string[] = [];
const open = (slow: Partial<StateStore>) => openKeeper(shared(slow), (line) => told.push(line), 20);

test('a request whose state is not read in time is refused: it must not go on without its state', async () => {
  const keeper = await open({ load: never });
  await expect(keeper.send(call(), KEPT_FOR)).rejects.toMatchObject({ status: 503 });
});

test('an answer whose state is not written in time is refused: it must not be acknowledged', async () => {
  const keeper = await open({ save: never });
  const carried = await keeper.send(call(), KEPT_FOR);
  await expect(carried.take(answer(['tea']))).rejects.toMatchObject({ status: 503 });
});

test('a store that answers in time is used', async () => {
  const keeper = await open({});
  const carried = await keeper.send(call(), KEPT_FOR);
  expect(await carried.take(answer(['tea']))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});
