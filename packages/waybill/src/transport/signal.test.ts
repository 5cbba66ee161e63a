import { describe, expect, it } from 'vitest';
import { hookTransport, pendingOf } from './hook.js';
import { Pending } from './pending.js';
import type { Exchange, Hooks, TransportLike } from './types.js';

/** A transport that answers nothing. On revision 2026-07-28 over HTTP a call is aborted by its own signal. */
function silent(hooks: Hooks = {}): { transport: TransportLike; ask(id: number): Promise<AbortController> } {
  const transport: TransportLike = { send: () => Promise.resolve(), close: () => Promise.resolve() };
  hookTransport(transport, hooks);
  return {
    transport,
    async ask(id) {
      const giveUp = new AbortController();
      await transport.send({ jsonrpc: '2.0', id, method: 'tools/call' } as never, { requestSignal: giveUp.signal } as never);
      return giveUp;
    },
  };
}

describe('calls that are aborted by a signal', () => {
  it('they leave nothing behind, also without an observer', async () => {
    const { transport, ask } = silent();
    const kept = await ask(0);
    for (let id = 1; id <= 1000; id++) (await ask(id)).abort();
    expect(pendingOf(transport)).toBe(1);
    kept.abort();
    expect(pendingOf(transport)).toBe(0);
  });

  it('their end is reported at once to those who wait for it', async () => {
    const ends: [unknown, unknown][] = [];
    const observers = new Set([
      () =>
        ({ id, outcome }: Exchange) =>
          void ends.push([id, outcome]),
    ]);
    const { ask } = silent({ observers });
    const [one] = [await ask(1), await ask(2)];
    one.abort();
    expect(ends).toEqual([[1, 'cancelled']]);
  });

  it('they are searched while the table grows, so that it holds at most twice the open calls', () => {
    const pending = new Pending('us', undefined, () => undefined);
    const given: number[] = [];
    for (let id = 0; id < 20_000; id++) {
      const giveUp = new AbortController();
      pending.watch(pending.begin({ id, method: 'x' }, undefined), giveUp.signal);
      if (id % 200 !== 0) giveUp.abort();
      if (id % 1000 === 999) given.push(Array.from({ length: id }, (_, n) => n).filter((n) => pending.get(n) !== undefined).length);
    }
    expect(Math.max(...given)).toBeLessThanOrEqual(256);
    expect(pending.size).toBe(100);
  });

  it('a signal that was aborted before is not watched', async () => {
    const { transport } = silent();
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'x' } as never, { requestSignal: AbortSignal.abort() } as never);
    expect(pendingOf(transport)).toBe(0);
  });
});
