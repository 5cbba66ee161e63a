// @ts-check
import { InMemoryTransport as MemoryV2 } from '@modelcontextprotocol/client';
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { hookTransport } from 'waybill/adapter';
import { difference, race } from './harness.mjs';

const call = { jsonrpc: /** @type {const} */ ('2.0'), method: 'tools/call', params: { name: 'echo', arguments: {} } };

/** A bare in-memory pair of an SDK, its client end hooked or not; the peer answers each request. @param {any} Memory @param {boolean} hooked */
async function pair(Memory, hooked) {
  const [near, far] = Memory.createLinkedPair();
  far.onmessage = (/** @type {any} */ m) => void far.send({ jsonrpc: '2.0', id: m.id, result: {} });
  if (hooked) hookTransport(near, { request: (m) => m, answer: (m) => m, notification: (m) => m });
  near.onmessage = () => {};
  await Promise.all([near.start(), far.start()]);
  let id = 0;
  return async (/** @type {number} */ n) => {
    for (let i = 0; i < n; i++) await near.send({ ...call, id: id++ });
  };
}

/** Each operation is two messages, a request and its answer. @param {any} Memory */
const perMessage = (Memory) => async (/** @type {import('./harness.mjs').Options} */ options) => {
  const arms = { ours: await pair(Memory, true), peer: await pair(Memory, false) };
  return difference(await race(arms, { ...options, ratio: 'ours/peer' }), 2, 'µs a message');
};

export const title = 'Transport: an empty hook';

export const rows = [
  {
    name: 'empty hook, µs a message, SDK v2 in memory',
    peer: 'the bare InMemoryTransport v2',
    ratio: 'ours/peer',
    target: 1,
    measure: perMessage(MemoryV2),
  },
  {
    name: 'empty hook, µs a message, SDK v1 in memory',
    peer: 'the bare InMemoryTransport v1',
    ratio: 'ours/peer',
    target: 1,
    measure: perMessage(MemoryV1),
  },
];
