import { describe, expect, it, vi } from 'vitest';
import { thenable } from '../../../../test/support/thenable.js';
import { ContextError } from '../wire/errors.js';
import { exchangeOf, hookTransport, pendingOf } from './hook.js';
import type { Exchange, Hooks, Message, Observer, SendOptions } from './types.js';

/** A transport as plain as the interface allows; `deliver` acts as the peer. */
class Plain {
  sent: [unknown, SendOptions | undefined][] = [];
  declare onmessage?: (message: unknown, extra?: unknown) => void;
  onclose?: () => void;
  failing = false;
  async send(message: unknown, options?: SendOptions): Promise<void> {
    await Promise.resolve();
    if (this.failing) throw new Error('broken pipe');
    this.sent.push([message, options]);
  }
  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
  deliver(message: unknown, extra?: unknown): void {
    this.onmessage?.(message, extra);
  }
  messages(): unknown[] {
    return this.sent.map(([message]) => message);
  }
}
/** Has the shape of the SDKs' Node HTTP transports: the handler is in an inner transport behind a prototype accessor. */
class Forwarding extends Plain {
  inner: { onmessage?: ((message: unknown, extra?: unknown) => void) | undefined } = {};
}
Object.defineProperty(Forwarding.prototype, 'onmessage', {
  configurable: true,
  get(this: Forwarding) {
    return this.inner.onmessage;
  },
  set(this: Forwarding, handler: Plain['onmessage']) {
    this.inner.onmessage = handler;
  },
});

const call = (id: number, params: Message = {}): Message => ({ jsonrpc: '2.0', id, method: 'tools/call', params });
const result = (id: number): Message => ({ jsonrpc: '2.0', id, result: { ok: true } });
const cancel = (requestId: number): Message => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const mark = (message: Message): Message => ({ ...message, marked: true });

describe('hookTransport', () => {
  it('hookTransport keeps the object, its prototype and its own members', () => {
    const transport = new Plain();
    const hooked = hookTransport(transport, {});
    expect(hooked).toBe(transport);
    expect(Object.getPrototypeOf(hooked)).toBe(Plain.prototype);
    expect(hooked).toBeInstanceOf(Plain);
  });

  it('hookTransport does nothing the second time with the same hooks, and fails for a second owner', async () => {
    const transport = new Plain();
    const hooks: Hooks = { request: mark };
    hookTransport(hookTransport(transport, hooks), hooks);
    await transport.send(call(1));
    expect(transport.messages()).toEqual([mark(call(1))]);
    expect(() => hookTransport(transport, {})).toThrow(/already belongs to another context/);
  });

  it('every kind of message passes its hook, in both directions', async () => {
    const seen: string[] = [];
    const transport = hookTransport(new Plain(), {
      request: (message, exchange) => (seen.push(`request ${exchange.sender}`), message),
      answer: (message, exchange, direction) => (seen.push(`answer ${direction} to ${exchange?.method ?? 'nothing'}`), message),
      notification: (message, { direction }) => (seen.push(`notification ${direction}`), message),
    });
    transport.onmessage = () => undefined;
    await transport.send(call(1));
    transport.deliver(result(1));
    transport.deliver(call(1));
    await transport.send(result(1));
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
    transport.deliver(result(99));
    expect(seen).toEqual([
      'request us',
      'answer in to tools/call',
      'request them',
      'answer out to tools/call',
      'notification out',
      'notification in',
      'answer in to nothing',
    ]);
  });

  it('D-35: hooks that return thenables are awaited, in both directions', async () => {
    const later = (message: Message): never => thenable(mark(message)) as never;
    const transport = hookTransport(new Plain(), { request: later, answer: later, notification: later });
    const seen: unknown[] = [];
    transport.onmessage = (message) => seen.push(message);
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
    for (const message of [call(1), note]) await transport.send(message);
    for (const message of [result(1), call(2), note]) transport.deliver(message);
    await vi.waitFor(() => {
      expect(seen).toHaveLength(3);
    });
    await transport.send(result(2));
    expect(transport.messages()).toEqual([call(1), note, result(2)].map(mark));
    expect(seen).toEqual(expect.arrayContaining([result(1), call(2), note].map(mark)));
  });

  it('a value that is not a message, and unknown options, pass unchanged', async () => {
    const transport = hookTransport(new Plain(), { request: mark });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    const options = { relatedRequestId: 4, resumptionToken: 'x' } as SendOptions;
    await transport.send('ping', options);
    transport.deliver(null);
    transport.deliver({ jsonrpc: '2.0' });
    expect(transport.sent).toEqual([['ping', options]]);
    expect(received).toEqual([null, { jsonrpc: '2.0' }]);
  });

  it('a batch that cannot be sent leaves nothing open', async () => {
    const ends: unknown[] = [];
    const observers = new Set<Observer>([
      () => (exchange) => ends.push([exchange.id, exchange.outcome, (exchange.failure as Error).message]),
    ]);
    const transport = hookTransport(new Plain(), { observers });
    transport.failing = true;
    await expect(transport.send([call(1), call(2), cancel(9)])).rejects.toThrow('broken pipe');
    expect([pendingOf(transport), ends]).toEqual([
      0,
      [
        [1, 'failed', 'broken pipe'],
        [2, 'failed', 'broken pipe'],
      ],
    ]);
  });

  it.each([
    ['at once', false],
    ['later', true],
  ])('a refusal replaces the answer that a hook refuses, %s, and a refused notification is not sent', async (_, later) => {
    const refuse = (): never => {
      throw new ContextError('invalid-context', { path: 'x' });
    };
    const hook = later ? async (): Promise<never> => refuse() : refuse;
    const transport = hookTransport(new Plain(), { answer: hook, notification: hook });
    transport.onmessage = () => undefined;
    transport.deliver(call(5));
    await transport.send(result(5));
    expect(transport.messages()).toMatchObject([{ id: 5, error: { code: -32602, data: { path: 'x' } } }]);
    expect(pendingOf(transport)).toBe(0);
    const sending = transport.send(cancel(9));
    await expect(sending).rejects.toThrow(ContextError);
  });

  it('an error that a handler throws after a slow hook is reported, and ends nothing', async () => {
    const told: unknown[] = [];
    const transport = hookTransport(new Plain(), { request: async (message) => message, onFault: (error) => told.push(error) });
    transport.onmessage = () => {
      throw new Error('a handler');
    };
    transport.deliver(call(5));
    await settled();
    expect(told).toEqual([new Error('a handler')]);
  });

  it('an answer whose id is the number as text belongs to the request, as in both SDKs, and so does its progress', async () => {
    const about: unknown[] = [];
    const transport = hookTransport(new Plain(), {
      answer: (message, exchange) => (about.push(exchange?.id), message),
      notification: (message, { exchange }) => (about.push(exchange?.id), message),
    });
    transport.onmessage = () => undefined;
    await transport.send(call(1, { _meta: { progressToken: 1 } }));
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: '1' } });
    transport.deliver({ ...result(1), id: '1' });
    expect([about, pendingOf(transport)]).toEqual([[1, 1], 0]);
  });

  it.each([1, '1'])('a second answer does not overtake the first while a hook works on that one: %j', async (id) => {
    const gate = withResolvers();
    const issues: string[] = [];
    const received: unknown[] = [];
    const transport = hookTransport(new Plain(), {
      answer: async (message) => (await gate.promise, mark(message)),
      onIssue: ({ problem }) => issues.push(problem),
    });
    transport.onmessage = (message) => received.push(message);
    await transport.send(call(1));
    transport.deliver(result(1));
    transport.deliver({ ...result(1), id, result: { second: true } });
    gate.resolve(undefined);
    await settled();
    expect([received, issues]).toEqual([[mark(result(1))], ['belongs to a request that has been answered']]);
  });

  it('an error without an id answers no request, also while the answer to request 0 waits', async () => {
    const gate = withResolvers();
    const received: unknown[] = [];
    const transport = hookTransport(new Plain(), { answer: async (message) => (await gate.promise, message) });
    transport.onmessage = (message) => received.push(message);
    await transport.send(call(0));
    transport.deliver(result(0));
    const parseError = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };
    transport.deliver(parseError);
    gate.resolve(undefined);
    await settled();
    expect(received).toEqual(expect.arrayContaining([parseError, result(0)]));
  });

  it('a call that is aborted before it is sent is over for observers', async () => {
    const ends: unknown[] = [];
    const observers = new Set<Observer>([() => (exchange) => ends.push(exchange.outcome)]);
    const transport = hookTransport(new Plain(), { observers });
    await transport.send(call(1), { requestSignal: AbortSignal.abort() });
    expect([pendingOf(transport), ends]).toEqual([0, ['cancelled']]);
  });

  it('a call that is aborted while a hook works on it begins and ends for observers, alone and in a batch', async () => {
    for (const sent of [call(1), [call(1), call(2)]]) {
      const seen: unknown[] = [];
      const observers = new Set<Observer>([({ id }) => (seen.push(['begun', id]), ({ outcome }) => seen.push([outcome, id]))]);
      const gate = withResolvers();
      const transport = hookTransport(new Plain(), { observers, request: (message) => gate.promise.then(() => message) });
      const sending = transport.send(sent);
      await transport.close();
      gate.resolve(undefined);
      await expect(sending).rejects.toThrow('not sent, because it was closed before');
      const ids = Array.isArray(sent) ? [1, 2] : [1];
      expect(seen.sort()).toEqual([...ids.map((id) => ['begun', id]), ...ids.map((id) => ['closed', id])]);
      expect([transport.sent, pendingOf(transport)]).toEqual([[], 0]);
    }
  });

  it('each observer sees one end, also if one of them ends the connection at the beginning', async () => {
    const seen: string[] = [];
    const transport: Plain = hookTransport(new Plain(), {
      observers: new Set<Observer>([
        () =>
          ({ outcome }) =>
            seen.push(`first ${outcome}`),
        () => {
          void transport.close();
          return ({ outcome }) => seen.push(`second ${outcome}`);
        },
      ]),
    });
    await expect(transport.send(call(1))).rejects.toThrow('not sent');
    expect(seen).toEqual(['first closed', 'second closed']);
  });

  it('each message of a batch is handled as a message, in both directions', async () => {
    const transport = hookTransport(new Plain(), { request: mark, answer: mark });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    await transport.send([call(1), call(2)]);
    transport.deliver([result(1), result(2)]);
    expect(transport.messages()).toEqual([[mark(call(1)), mark(call(2))]]);
    expect(received).toEqual([mark(result(1)), mark(result(2))]);
    expect(pendingOf(transport)).toBe(0);
  });
});

describe('the handler a transport calls', () => {
  it.each([
    ['a plain property', Plain],
    ['a prototype accessor (Node HTTP transports)', Forwarding],
  ])('the handler is hooked behind %s', (_, Transport) => {
    const transport = hookTransport(new Transport(), { answer: mark });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    transport.deliver(result(1));
    if (transport instanceof Forwarding) transport.inner.onmessage?.(result(2));
    expect(received).toEqual(transport instanceof Forwarding ? [mark(result(1)), mark(result(2))] : [mark(result(1))]);
  });

  it.each([
    ['set before the hook', true],
    ['set after the hook', false],
  ])('a handler chained by connect sees each message once, %s', (_, early) => {
    const transport = new Plain();
    const seen: string[] = [];
    let hooked = 0;
    const before = (message: unknown): void => void seen.push(`first ${JSON.stringify(message)}`);
    if (early) transport.onmessage = before;
    hookTransport(transport, { answer: (message) => (hooked++, mark(message)) });
    if (!early) transport.onmessage = before;
    const saved = transport.onmessage;
    transport.onmessage = (message, extra) => {
      saved?.(message, extra);
      seen.push(`second ${JSON.stringify(message)}`);
    };
    transport.deliver(result(1));
    expect(hooked).toBe(1);
    expect(seen).toEqual([`first ${JSON.stringify(mark(result(1)))}`, `second ${JSON.stringify(mark(result(1)))}`]);
  });

  it('a handler chained by connect sees each message once, also if another one arrives while it works', () => {
    const transport = new Plain();
    let hooked = 0;
    hookTransport(transport, { notification: (message) => (hooked++, message) });
    const seen: unknown[] = [];
    transport.onmessage = (message) => seen.push(message);
    const saved = transport.onmessage;
    const [first, second] = ['first', 'second'].map((name) => ({ jsonrpc: '2.0', method: `notifications/${name}` }));
    transport.onmessage = (message) => {
      // A peer in the same process answers in the same turn.
      if (message === first) transport.deliver(second);
      saved(message);
    };
    transport.deliver(first);
    expect([hooked, seen]).toEqual([2, [second, first]]);
  });

  it('a handler that is saved, replaced and restored (the v2 probe) is not wrapped twice', () => {
    let hooked = 0;
    const transport = hookTransport(new Plain(), { answer: (message) => (hooked++, message) });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    const saved = transport.onmessage;
    transport.onmessage = () => undefined;
    if (saved) transport.onmessage = saved;
    transport.deliver(result(1));
    expect([hooked, received.length]).toEqual([1, 1]);
  });
});

describe('a slow hook', () => {
  it('it holds back the cancellation of the request it works on, and nothing else', async () => {
    const gate = withResolvers();
    const transport = hookTransport(new Plain(), {
      request: async (message) => (message['id'] === 1 ? (await gate.promise, message) : message),
    });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    transport.deliver(call(1));
    transport.deliver(cancel(1));
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/message' });
    await settled();
    expect(received).toEqual([{ jsonrpc: '2.0', method: 'notifications/message' }]);
    gate.resolve(undefined);
    await settled();
    expect(received.slice(1)).toEqual([call(1), cancel(1)]);
    expect(pendingOf(transport)).toBe(0);
  });

  it('neither a request that is cancelled while a hook works on it nor the cancellation is sent', async () => {
    const gate = withResolvers();
    const outcomes: unknown[] = [];
    const observers = new Set<Observer>([
      () =>
        ({ outcome }) =>
          void outcomes.push(outcome),
    ]);
    const transport = hookTransport(new Plain(), { request: async (message) => (await gate.promise, message), observers });
    const sending = transport.send(call(1));
    await transport.send(cancel(1));
    gate.resolve(undefined);
    await expect(sending).rejects.toThrow('tools/call: not sent, because it was cancelled before');
    await transport.send(call(2));
    await transport.send(cancel(2));
    expect(transport.messages()).toEqual([call(2), cancel(2)]);
  });

  it('a request is not sent on a later connection than the one it was made for', async () => {
    const gate = withResolvers();
    const transport = hookTransport(new Plain(), {
      request: (message) => (message['id'] === 1 ? gate.promise.then(() => message) : message),
    });
    transport.onclose = () => undefined;
    const sending = transport.send(call(1));
    await transport.close();
    await transport.send(call(2));
    gate.resolve(undefined);
    await expect(sending).rejects.toThrow('tools/call: not sent, because it was closed before');
    expect(transport.messages()).toEqual([call(2)]);
  });

  it('an answer that a hook still holds when the connection ends does not hold back those of the next one', async () => {
    const gate = withResolvers();
    const issues: unknown[] = [];
    const slow = (message: Message): Promise<Message> | Message => (message['held'] === true ? gate.promise.then(() => message) : message);
    const transport = hookTransport(new Plain(), { answer: slow, onIssue: (issue) => issues.push(issue) });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    transport.onclose = () => undefined;
    await transport.send(call(1));
    transport.deliver({ ...result(1), held: true });
    await transport.close();
    await transport.send(call(1));
    transport.deliver(result(1));
    expect([received, issues]).toEqual([[result(1)], []]);
  });

  it('progress stays before its answer, in both directions, and holds up no other call', async () => {
    const gate = withResolvers();
    const slow = async (message: Message): Promise<Message> => (await gate.promise, message);
    const transport = hookTransport(new Plain(), { notification: slow });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    const progress = (progressToken: number): Message => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken } });
    await transport.send(call(1, { _meta: { progressToken: 1 } }));
    await transport.send(call(2));
    for (const message of [progress(1), result(1), result(2)]) transport.deliver(message);
    await settled();
    expect(received).toEqual([result(2)]);
    transport.deliver(call(5));
    const sending = [transport.send(progress(9), { relatedRequestId: 5 }), transport.send(result(5))];
    gate.resolve(undefined);
    await Promise.all(sending);
    expect(received).toEqual([result(2), call(5), progress(1), result(1)]);
    expect(transport.messages().slice(2)).toEqual([progress(9), result(5)]);
  });

  it('notifications that belong to no request keep their order, however long each takes', async () => {
    const gates = new Map([1, 2].map((n) => [n, withResolvers()]));
    const transport = hookTransport(new Plain(), {
      notification: (message) => {
        const gate = gates.get((message['params'] as { n: number }).n);
        return gate === undefined ? message : gate.promise.then(() => message);
      },
    });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push((message as { params: { n: number } }).params.n);
    const tell = (n: number): void => transport.deliver({ jsonrpc: '2.0', method: 'notifications/message', params: { n } });
    tell(1);
    tell(2);
    gates.get(1)?.resolve(undefined);
    await settled();
    // The hook still works on the second, so the third waits for it.
    tell(3);
    await settled();
    expect(received).toEqual([1]);
    gates.get(2)?.resolve(undefined);
    await settled();
    expect(received).toEqual([1, 2, 3]);
    tell(4);
    expect(received).toEqual([1, 2, 3, 4]);
  });

  it('a request that is cancelled before it leaves is left out of a batch', async () => {
    const gate = withResolvers();
    const transport = hookTransport(new Plain(), {
      request: (message) => (message['id'] === 1 ? Promise.resolve(message) : gate.promise.then(() => message)),
    });
    void transport.send([call(1), call(2)]);
    await settled();
    void transport.send(cancel(1));
    await settled();
    expect(transport.messages()).toEqual([]);
    gate.resolve(undefined);
    await settled();
    expect(transport.messages()).toEqual([[call(2)]]);
  });

  it('nothing is delivered after the connection has closed', async () => {
    const gate = withResolvers();
    const transport = hookTransport(new Plain(), { request: async (message) => (await gate.promise, message) });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    transport.onclose = () => undefined;
    transport.deliver(call(1));
    await transport.close();
    gate.resolve(undefined);
    await settled();
    expect(received).toEqual([]);
  });
});

describe('refusals and faults', () => {
  const missing = new ContextError('missing-capability', { requiredCapabilities: { sampling: {} } });
  const refuse = (): never => {
    throw missing;
  };

  it('a refused request is answered with the error and never delivered', async () => {
    const transport = hookTransport(new Plain(), { request: refuse, answer: mark });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    transport.deliver(call(7));
    await settled();
    expect(received).toEqual([]);
    expect(transport.messages()).toEqual([
      { jsonrpc: '2.0', id: 7, error: { code: -32021, message: missing.message, data: missing.data }, marked: true },
    ]);
    expect(pendingOf(transport)).toBe(0);
  });

  it('a refused request of our own fails its send, and a refused answer becomes an error', async () => {
    const transport = hookTransport(new Plain(), { request: refuse, answer: refuse });
    const received: Message[] = [];
    transport.onmessage = (message) => received.push(message as Message);
    await expect(transport.send(call(1))).rejects.toBe(missing);
    transport.deliver(result(1));
    expect(received[0]?.['error']).toMatchObject({ code: -32021 });
    expect(transport.sent).toEqual([]);
  });

  it.each([
    [
      'at once',
      (): never => {
        throw new Error('bug');
      },
    ],
    ['later', () => Promise.reject(new Error('bug'))],
  ])('a fault of the layer, %s, is reported and the message goes on unchanged', async (_, broken) => {
    const faults: unknown[] = [];
    const transport = hookTransport(new Plain(), {
      request: broken,
      answer: broken,
      notification: broken,
      onFault: (error) => faults.push(error),
    });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    await transport.send(call(1));
    transport.deliver(result(1));
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/message' });
    await settled();
    expect(transport.messages()).toEqual([call(1)]);
    expect(received).toEqual([result(1), { jsonrpc: '2.0', method: 'notifications/message' }]);
    expect(faults).toHaveLength(3);
  });

  it('an error that a handler throws at a delayed message is reported, since no transport is left to get it', async () => {
    const faults: unknown[] = [];
    const transport = hookTransport(new Plain(), { notification: async (message) => message, onFault: (error) => faults.push(error) });
    const broken = new Error('handler');
    transport.onmessage = () => {
      throw broken;
    };
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/message' });
    await settled();
    expect(faults).toEqual([broken]);
  });
});

describe('serve', () => {
  it('serve surrounds the delivery of a request, and a fault in it breaks nothing', () => {
    const order: string[] = [];
    const faults: unknown[] = [];
    const around = hookTransport(new Plain(), {
      serve: (exchange, deliver) => {
        order.push(`before ${exchange.method}`);
        deliver();
        order.push('after');
      },
    });
    const broken = hookTransport(new Plain(), {
      serve: () => {
        throw new Error('bug');
      },
      onFault: (error) => faults.push(error),
    });
    const silent = hookTransport(new Plain(), { serve: () => undefined });
    for (const transport of [around, broken, silent]) {
      transport.onmessage = () => order.push('handler');
      transport.deliver(call(1));
    }
    expect(order).toEqual(['before tools/call', 'handler', 'after', 'handler', 'handler']);
    expect(faults).toHaveLength(1);
  });

  it('an error of the handler goes to the transport, and is no fault of the layer', () => {
    const faults: unknown[] = [];
    const transport = hookTransport(new Plain(), {
      serve: (_exchange, deliver) => {
        deliver();
      },
      onFault: (error) => faults.push(error),
    });
    let ran = 0;
    transport.onmessage = () => {
      ran++;
      throw new Error('handler');
    };
    expect(() => {
      transport.deliver(call(1));
    }).toThrow('handler');
    expect([ran, faults]).toEqual([1, []]);
  });

  it('a hook may return a result instead of a request; it is the answer, and nothing below sees the request', async () => {
    const transport = hookTransport(new Plain(), { request: (message) => result(message['id'] as number) });
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    transport.deliver(call(4));
    await settled();
    expect([received, transport.messages(), pendingOf(transport)]).toEqual([[], [result(4)], 0]);
  });
});

describe('ask', () => {
  it('ask surrounds the sending of a request; a fault in it breaks nothing and sends nothing twice', async () => {
    const order: string[] = [];
    const faults: unknown[] = [];
    const onFault = (error: unknown): void => void faults.push(error);
    const around: Hooks['ask'] = (exchange, send) => {
      order.push(`before ${exchange.method}`);
      void send();
      order.push('sent');
    };
    const early: Hooks['ask'] = () => {
      throw new Error('bug');
    };
    const late: Hooks['ask'] = (_exchange, send) => {
      void send();
      throw new Error('bug');
    };
    const twice: Hooks['ask'] = (_exchange, send) => {
      void send();
      void send();
    };
    for (const ask of [around, early, late, twice, (): void => undefined]) {
      const transport = hookTransport(new Plain(), { ask, onFault });
      await transport.send(call(1));
      expect(transport.messages()).toEqual([call(1)]);
    }
    expect(order).toEqual(['before tools/call', 'sent']);
    expect(faults).toHaveLength(2);
  });

  it('a caller gets the error of a failed send, with any hooks around it', async () => {
    const transport = hookTransport(new Plain(), { ask: (_exchange, send) => void send().catch(() => undefined) });
    transport.failing = true;
    await expect(transport.send(call(1))).rejects.toThrow('broken pipe');
    expect(pendingOf(transport)).toBe(0);
  });
});

describe('telemetry', () => {
  it('telemetry stands around the hooks, and the hooks themselves still own the transport', async () => {
    const order: string[] = [];
    const hooks: Hooks = {
      request: (message) => (order.push('layer'), message),
      telemetry: {
        carrier: () => ({}),
        around: (inner) => ({
          ...inner,
          request(message, exchange) {
            order.push('before');
            const next = inner.request?.(message, exchange) ?? message;
            order.push('after');
            return next;
          },
        }),
      },
    };
    const transport = hookTransport(hookTransport(new Plain(), hooks), hooks);
    await transport.send(call(1));
    expect(order).toEqual(['before', 'layer', 'after']);
    expect(() => hookTransport(transport, {})).toThrow(TypeError);
  });
});

describe('the pending table', () => {
  it('the table is empty after a thousand cancelled calls in either direction', async () => {
    const transport = hookTransport(new Plain(), {});
    transport.onmessage = () => undefined;
    for (let id = 0; id < 1000; id++) {
      transport.deliver(call(id));
      transport.deliver(cancel(id));
      void transport.send(call(id));
      void transport.send(cancel(id));
    }
    await settled();
    expect(pendingOf(transport)).toBe(0);
  });

  it('a call ends when its own stream is closed or ends', async () => {
    const transport = hookTransport(new Plain(), {});
    const abort = new AbortController();
    let ended = 0;
    await transport.send(call(1), { requestSignal: abort.signal });
    await transport.send(call(2), { onRequestStreamEnd: () => void ended++ });
    expect(pendingOf(transport)).toBe(2);
    abort.abort();
    transport.sent[1]?.[1]?.onRequestStreamEnd?.();
    expect([pendingOf(transport), ended]).toEqual([0, 1]);
  });

  it('a late end belongs to its own call, not to a later one with the same id', async () => {
    const transport = hookTransport(new Plain(), {});
    await transport.send(call(1), { onRequestStreamEnd: () => undefined });
    await transport.send(call(1));
    transport.sent[0]?.[1]?.onRequestStreamEnd?.();
    expect(pendingOf(transport)).toBe(1);
  });

  it('a call that could not be sent ends, and every call ends when the connection closes', async () => {
    const transport = hookTransport(new Plain(), {});
    transport.onclose = () => undefined;
    transport.onmessage = () => undefined;
    transport.failing = true;
    await expect(transport.send(call(1))).rejects.toThrow('broken pipe');
    transport.failing = false;
    await transport.send(call(2));
    transport.deliver(call(2));
    expect(pendingOf(transport)).toBe(2);
    await transport.close();
    expect(pendingOf(transport)).toBe(0);
  });

  it('a close without a listener empties the table, and the end is reported once with any number of chained handlers', async () => {
    let closed = 0;
    const silent = hookTransport(new Plain(), {});
    await silent.send(call(1));
    await silent.close();
    const chained = hookTransport(new Plain(), { closed: () => void closed++ });
    const before = chained.onclose;
    chained.onclose = () => before?.();
    await chained.close();
    expect([pendingOf(silent), closed]).toEqual([0, 1]);
  });

  it('a transport may clear its handlers in its own way', () => {
    const transport = hookTransport(new Plain(), {});
    Object.assign(transport, { onclose: null, onmessage: undefined });
    expect([transport.onclose, transport.onmessage]).toEqual([null, undefined]);
  });

  it('the table never grows beyond its bound with unanswered calls', async () => {
    const transport = hookTransport(new Plain(), {});
    transport.onmessage = () => undefined;
    for (let id = 0; id < 70_000; id++) transport.deliver(call(id));
    await settled();
    expect(pendingOf(transport)).toBe(65_536);
  });
});

describe('observers', () => {
  it('observers see each exchange as it crossed the wire: outgoing as written, incoming as received', async () => {
    const seen: unknown[] = [];
    const look: Observer = (begun) => {
      seen.push(['begun', begun.sender, begun.request, begun.extra]);
      return (over: Exchange) => seen.push(['over', over.outcome, over.answer]);
    };
    const transport = hookTransport(new Plain(), { request: mark, answer: mark, observers: new Set([look]) });
    transport.onmessage = () => undefined;
    await transport.send(call(1));
    transport.deliver(result(1));
    transport.deliver(call(2), { from: 'peer' });
    await transport.send(result(2));
    await transport.send(call(3));
    await transport.send(cancel(3));
    expect(seen).toEqual([
      ['begun', 'us', mark(call(1)), undefined],
      ['over', 'result', result(1)],
      ['begun', 'them', call(2), { from: 'peer' }],
      ['over', 'result', mark(result(2))],
      ['begun', 'us', mark(call(3)), undefined],
      ['over', 'cancelled', undefined],
    ]);
  });

  it('an observer may keep an exchange and read it after its end', async () => {
    const kept: Exchange[] = [];
    const transport = hookTransport(new Plain(), { observers: new Set<Observer>([(begun) => void kept.push(begun)]) });
    transport.onmessage = () => undefined;
    await transport.send(call(1));
    transport.deliver(result(1));
    transport.deliver(call(2));
    await transport.send(result(2));
    expect(kept.map(({ request, outcome, answer }) => [request, outcome, answer])).toEqual([
      [call(1), 'result', result(1)],
      [call(2), 'result', result(2)],
    ]);
  });

  it('an open request is found by its id, until it is answered', async () => {
    const transport = hookTransport(new Plain(), {});
    transport.onmessage = () => undefined;
    expect(exchangeOf(transport, 1)).toBeUndefined();
    await transport.send(call(1));
    expect(exchangeOf(transport, 1)).toMatchObject({ method: 'tools/call', sender: 'us' });
    transport.deliver(result(1));
    expect([exchangeOf(transport, 1), exchangeOf({}, 1)]).toEqual([undefined, undefined]);
  });

  it('observers may come and go, and one that throws is reported and disturbs nothing', async () => {
    const observers = new Set<Observer>();
    const faults: unknown[] = [];
    const transport = hookTransport(new Plain(), { observers, onFault: (error) => faults.push(error) });
    await transport.send(call(1));
    observers.add(() => {
      throw new Error('bad observer');
    });
    await transport.send(call(2));
    observers.clear();
    await transport.send(call(3));
    expect(transport.messages()).toEqual([call(1), call(2), call(3)]);
    expect(faults).toHaveLength(1);
  });

  it('a result waits until the SDK could report progress that came in the same turn', async () => {
    const transport = hookTransport(new Plain(), {});
    const [seen, listeners] = [[] as string[], new Set([1])];
    // Works like both SDKs: progress is reported one microtask later, and only before the result.
    transport.onmessage = (message) => {
      const { method } = message as Message;
      if (method === undefined) seen.push(`result ${String(listeners.delete(1))}`);
      else void Promise.resolve().then(() => seen.push(listeners.has(1) ? 'progress' : 'lost'));
    };
    await transport.send(call(1, { _meta: { progressToken: 1 } }));
    transport.deliver({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    transport.deliver({ jsonrpc: '2.0', id: 1, result: {} });
    await settled();
    expect(seen).toEqual(['progress', 'result true']);
  });

  it('progress is matched by its token on the client, and on a server by its related request or else by its token', async () => {
    const related: (string | undefined)[] = [];
    const transport = hookTransport(new Plain(), { notification: (message, { exchange }) => (related.push(exchange?.method), message) });
    transport.onmessage = () => undefined;
    const progress = (progressToken: number): Message => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken } });
    await transport.send(call(1, { _meta: { progressToken: 1 } }));
    await transport.send(call(2));
    transport.deliver(progress(1));
    transport.deliver(progress(2));
    transport.deliver(call(5));
    await transport.send(progress(9), { relatedRequestId: 5 });
    transport.deliver(call(6, { _meta: { progressToken: 6 } }));
    await transport.send(progress(6));
    await transport.send(progress(5));
    transport.deliver(call(7, { _meta: { progressToken: 70 } }));
    await transport.send(progress(70));
    expect(related).toEqual(['tools/call', undefined, 'tools/call', 'tools/call', undefined, 'tools/call']);
  });
});

function withResolvers(): { promise: Promise<undefined>; resolve: (value: undefined) => void } {
  let resolve!: (value: undefined) => void;
  const promise = new Promise<undefined>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Lets every promise that is ready run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
