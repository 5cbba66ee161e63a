/** The tools of every check of a gateway. The kit stands on both sides: it sends a request to the gateway and sees what reaches the upstream. */
import { type Check, expect } from '../../check.js';
import { expectResult, type ServerPeer } from '../../runner/servers.js';
import type { Received } from '../../scenarios/received.js';
import type { Exchange } from '../../wire/exchange.js';
import { at, isObject } from '../../wire/json.js';
import type { Ask } from '../../wire/session.js';

export interface GatewayTrial {
  readonly peer: ServerPeer;
  /** A second caller, with connections of its own. */
  readonly other: ServerPeer;
  /** Everything that reached the upstream so far. */
  readonly received: readonly Received[];
  readonly upstream: 'stdio' | 'http';
}

export type GatewayCheck = Check<GatewayTrial>;

export interface Passed {
  readonly exchange: Exchange;
  readonly arrived: Received | undefined;
}

export const metaOf = (arrived: Received | undefined, ...path: string[]): unknown => at(arrived?.message, 'params', '_meta', ...path);
let marks = 0;

/** Calls a tool through the gateway and finds the request at the upstream by a mark in its arguments. */
export async function pass({ peer, received }: GatewayTrial, name: string, ask: Ask = {}, caller = peer): Promise<Passed> {
  const mark = ++marks;
  const args = ask.params?.['arguments'];
  const params = { ...ask.params, name, arguments: { ...(isObject(args) && args), mark } };
  const exchange = await caller.request('tools/call', { ...ask, params });
  return { exchange, arrived: received.find(({ message }) => at(message, 'params', 'arguments', 'mark') === mark) };
}

/** A list through the gateway; it may be answered from a cache, so that nothing arrives. */
export async function passList({ peer, received }: GatewayTrial, ask: Ask): Promise<Passed> {
  const before = received.length;
  const exchange = await peer.request('tools/list', ask);
  return { exchange, arrived: received.slice(before).findLast(({ message }) => message['method'] === 'tools/list') };
}

/** A preference that no list was asked for before, so that a cache has nothing for it. */
export const freshLanguage = (): string => `en-x-kit${++marks}`;

/** The request that reached the upstream. A gateway that answers a call by itself fails the check. */
export function arrivedOf({ exchange, arrived }: Passed): Received {
  expectResult(exchange, 'through the gateway');
  expect(arrived !== undefined, 'the call was answered, but did not reach the upstream', exchange);
  return arrived;
}

/** Shows the exchange with the message that reached the upstream beside it. */
const beside = ({ exchange, arrived }: Passed): Exchange => ({
  ...exchange,
  others: [...exchange.others, ...(arrived ? [arrived.message] : [])],
});

export function expectArrived(ok: boolean, observed: string, passed: Passed): asserts ok {
  expect(ok, observed, beside(passed), ['others', passed.exchange.others.length, 'params', '_meta']);
}
