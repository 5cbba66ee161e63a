import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { beforeEach, expect, it, vi } from 'vitest';
import type * as hook from './hook.js';
import type { TransportLike } from './types.js';

setFlagsFromString('--allow-natives-syntax');
const isRecord = runInThisContext('(object) => %HasFastProperties(object)') as (object: object) => boolean;

/** A new one for each test: only the first transport is laid out. */
let hookTransport: typeof hook.hookTransport;
beforeEach(async () => {
  vi.resetModules();
  ({ hookTransport } = await import('./hook.js'));
});

class Bare implements TransportLike {
  declare onmessage?: () => void;
  declare onclose?: () => void;
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

/** As SDK v2 declares its transports. */
class Declared extends Bare {
  override onmessage: () => void = () => undefined;
}

it('a transport whose handler was a value stays a record to the engine', () => {
  hookTransport(new Bare(), {}); // has none, and takes nobody's place
  const transport = hookTransport(new Declared(), {});
  transport.onmessage = () => undefined;
  expect(isRecord(transport)).toBe(true);
});

it('a proxy that refuses heirs is hooked all the same', () => {
  const known = new WeakSet();
  const transport = new Proxy(new Declared(), {
    get(target, name, receiver) {
      if (!known.has(receiver as object)) throw new TypeError('a stranger');
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  known.add(transport);
  expect(hookTransport(transport, {})).toBe(transport);
  expect(transport.onmessage).toBeTypeOf('function');
});
