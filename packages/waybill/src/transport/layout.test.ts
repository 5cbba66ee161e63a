import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';
import { hookTransport } from './hook.js';
import type { TransportLike } from './types.js';

setFlagsFromString('--allow-natives-syntax');
const isRecord = runInThisContext('(object) => %HasFastProperties(object)') as (object: object) => boolean;

class Declared implements TransportLike {
  onmessage: (() => void) | undefined = undefined;
  onclose: (() => void) | undefined = undefined;
  readonly #error = () => undefined;
  /** Throws for whoever is none of its class. */
  get onerror(): () => undefined {
    return this.#error;
  }
  send(): Promise<void> {
    return Promise.resolve();
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

it('the first transport of a process stays a record to the engine, the others share the table that they are', () => {
  const [first, second] = [new Declared(), new Declared()];
  for (const transport of [first, second]) {
    hookTransport(transport, {});
    transport.onmessage = () => undefined;
  }
  expect([isRecord(first), isRecord(second)]).toEqual([true, false]);
});
