import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CLIENT_CONTEXT } from '../wire/keys.js';
import { serverContext } from './server.js';
import type { StdioOptions } from './stdio.js';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } };
const answer = { jsonrpc: '2.0', id: 1, result: {} };
const context = { timezone: 'Asia/Tokyo' };

async function open(options: Partial<StdioOptions> = {}) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough({ highWaterMark: 64 })];
  const { transport } = serverContext().stdio({ stdin, stdout, ...options });
  const seen: any[] = [];
  const errors: string[] = [];
  const ends: string[] = [];
  transport.onmessage = (message) => void seen.push(message);
  transport.onerror = (error) => void errors.push(error.message);
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      ends.push('closed');
      resolve();
    };
  });
  await transport.start();
  /** Waits until the stream has passed on what was written. */
  const write = async (bytes: string | Buffer): Promise<void> => {
    stdin.write(bytes);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { transport, stdin, stdout, seen, errors, ends, closed, write };
}

describe('the stdio transport', () => {
  it('CTX-21: the transport moves the literal member beside params into _meta, before any strict check', async () => {
    const { seen, write } = await open();
    await write(`${JSON.stringify({ ...call, clientContext: context })}\n${JSON.stringify(call)}\n`);
    expect(seen).toEqual([{ ...call, params: { name: 'x', _meta: { [CLIENT_CONTEXT]: context } } }, call]);
  });

  it('lines may come in any pieces, also inside characters', async () => {
    const { seen, write } = await open();
    const bytes = Buffer.from(`${JSON.stringify({ ...call, params: { name: 'é👋' } })}\r\n\n${JSON.stringify(call)}\n`);
    for (const byte of bytes) await write(Buffer.from([byte]));
    expect(seen.map(({ params }) => params.name)).toEqual(['é👋', 'x']);
  });

  it.each([
    ['is no JSON', '{"jsonrpc"', 'JSON'],
    ['is no message', '[1]', 'not a JSON-RPC message'],
    ['is of another protocol', '{"jsonrpc":"1.0","id":1,"method":"x"}', 'not a JSON-RPC message'],
    ['has a member nobody knows', JSON.stringify({ ...call, other: 1 }), 'unknown member "other"'],
  ])('a line that %s is dropped and reported, and the transport goes on', async (_, line, problem) => {
    const { seen, errors, write } = await open();
    await write(`${line}\n${JSON.stringify(call)}\n`);
    expect([seen, errors]).toEqual([[call], [expect.stringContaining(problem)]]);
  });

  it('a handler that throws does not end the transport', async () => {
    const { transport, errors, write } = await open();
    transport.onmessage = () => {
      throw new Error('handler');
    };
    await write(`${JSON.stringify(call)}\n`);
    expect(errors).toEqual(['handler']);
  });

  it('a closed transport delivers nothing more, also not from the same piece of input', async () => {
    const { transport, seen, write } = await open();
    transport.onmessage = (message) => {
      seen.push(message);
      void transport.close();
    };
    await write(`${JSON.stringify(call)}\n`.repeat(3));
    expect(seen).toEqual([call]);
  });

  it('closing stops the input, unless somebody else reads it', async () => {
    const alone = await open();
    await alone.transport.close();
    expect(alone.stdin.isPaused()).toBe(true);
    const shared = await open();
    const read: string[] = [];
    shared.stdin.on('data', (bytes: Buffer) => read.push(String(bytes)));
    await shared.transport.close();
    await shared.write('for others');
    expect([shared.stdin.isPaused(), read]).toEqual([false, ['for others']]);
  });

  it('the transport ends with its input, once, and refuses to send after that', async () => {
    const { transport, stdin, ends } = await open();
    stdin.end();
    await new Promise((resolve) => stdin.once('close', resolve));
    await transport.close();
    expect(ends).toEqual(['closed']);
    await expect(transport.send(call)).rejects.toThrow('closed');
  });

  it('each message is one line, and send waits while nobody reads', async () => {
    const { transport, stdout } = await open();
    const long = { jsonrpc: '2.0', id: 1, result: { text: 'y'.repeat(500) } };
    let done = false;
    const sent = transport.send(long).then(() => (done = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(false);
    expect(String(stdout.read())).toBe(`${JSON.stringify(long)}\n`);
    await sent;
    await transport.send({ a: 1 });
    expect(String(stdout.read())).toBe('{"a":1}\n');
  });

  it('a broken output fails the current send and ends the transport; later errors change nothing', async () => {
    const { transport, stdout, errors, ends } = await open();
    const sent = transport.send({ text: 'y'.repeat(500) });
    stdout.destroy(new Error('gone'));
    await expect(sent).rejects.toThrow('gone');
    stdout.emit('error', new Error('again'));
    expect([errors, ends]).toEqual([['gone'], ['closed']]);
  });

  it('twelve waiting sends use the listeners of one, and fail when the transport is closed', async () => {
    const { transport, stdout } = await open();
    const listeners = (): number[] => ['error', 'drain'].map((event) => stdout.listenerCount(event));
    const before = listeners();
    const sends = Array.from({ length: 12 }, () => transport.send({ text: 'y'.repeat(500) }));
    expect(listeners()).toEqual(before);
    await Promise.all([transport.close(), ...sends.map((sent) => expect(sent).rejects.toThrow('closed'))]);
    // The listener for errors stays.
    expect(listeners()).toEqual([before[0], before[1]! - 1]);
  });

  it('all waiting sends go on when somebody reads again', async () => {
    const { transport, stdout } = await open();
    const sends = [1, 2, 3].map((id) => transport.send({ id, text: 'y'.repeat(500) }));
    stdout.resume();
    expect(await Promise.all(sends)).toHaveLength(3);
  });

  it('a message that cannot be written fails alone', async () => {
    const { transport, ends } = await open();
    await expect(transport.send({ big: 1n })).rejects.toThrow('BigInt');
    expect(ends).toEqual([]);
  });

  it.each([
    [{ stdin: 5 }, 'stdio.stdin: expected a stream to read from'],
    [{ stdout: {} }, 'stdio.stdout: expected a stream to write to'],
  ])('the option %j is refused', (options, problem) => {
    expect(() => serverContext().stdio(options as never)).toThrow(problem);
  });

  it('the transport starts once', async () => {
    const { transport } = await open();
    await expect(transport.start()).rejects.toThrow('already started');
  });
});

describe('the longest line of stdio', () => {
  const fitting = JSON.stringify(call);
  const long = JSON.stringify({ ...call, params: { name: 'x'.repeat(1_000) } });
  const maxLine = fitting.length;

  it.each([
    ['without an end', [long]],
    ['with its end in the same piece', [`${long}\n`]],
    ['with its end in the next piece', [long.slice(0, maxLine), `${long.slice(maxLine)}\n`]],
    ['by its last character', [fitting, ' \n']],
    ['in front of others', [`${long}\n${fitting}\n`]],
  ])('a longer line ends the transport and is not delivered: %s', async (_, pieces) => {
    const { seen, errors, ends, write } = await open({ maxLine });
    for (const piece of [`${fitting}\n`, ...pieces]) await write(piece);
    expect([seen, errors, ends]).toEqual([[call], [`stdio: a line is longer than ${maxLine} characters`], ['closed']]);
  });

  it('a line of exactly that length passes, however many come together', async () => {
    const { seen, errors, write } = await open({ maxLine });
    await write(`${fitting}\n`.repeat(5));
    expect([seen.length, errors]).toEqual([5, []]);
  });
});

describe('the end of the input', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Ends the input after these messages; all of it has been read. */
  async function endAfter(messages: readonly object[], options: Partial<StdioOptions> = {}) {
    const opened = await open(options);
    opened.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    await once(opened.stdin, 'close');
    return opened;
  }

  it('it waits until every request that was read is answered', async () => {
    const { transport, stdout, ends, closed } = await endAfter([call, { ...call, id: 'b' }]);
    stdout.resume();
    await transport.send({ ...answer, id: 'b' });
    // Messages of the server with the same id are no answers.
    await expect(transport.send({ ...call, method: 'roots/list' })).rejects.toThrow('stdin has ended');
    await transport.send({ jsonrpc: '2.0', method: 'notifications/message' });
    expect(ends).toEqual([]);
    await transport.send({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } });
    // The call is open for the SDK until it learns that its answer has left.
    expect(ends).toEqual([]);
    await closed;
  });

  it('it waits until the last answer has been taken', async () => {
    const { transport, stdout, ends, closed } = await endAfter([call]);
    const sent = transport.send({ ...answer, result: { text: 'y'.repeat(500) } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends).toEqual([]);
    stdout.resume();
    await sent;
    await closed;
  });

  it.each([
    ['was cancelled', [call, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }]],
    ['is a subscription', [{ ...call, method: 'subscriptions/listen' }]],
    ['has an invalid id', [{ ...call, id: { a: 1 } }]],
    ['has a number as id that no SDK accepts', [{ ...call, id: 1e300 }]],
    ['has a _meta that is none', [{ ...call, params: { _meta: 5 } }]],
    ['has parameters that are none', [{ ...call, params: 3 }]],
    ['is no request', [{ jsonrpc: '2.0', method: 'notifications/initialized' }, answer]],
  ])('it does not wait for a request that %s', async (_, messages) => {
    const { ends } = await endAfter(messages);
    expect(ends).toEqual(['closed']);
  });

  it('it does not wait for requests that were answered before', async () => {
    const { transport, stdin, ends, write } = await open();
    await write(`${JSON.stringify(call)}\n`);
    await transport.send(answer);
    stdin.end();
    await once(stdin, 'close');
    expect(ends).toEqual(['closed']);
  });

  it('it leaves no timer behind when everything is answered', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { transport } = await endAfter([call]);
    expect(vi.getTimerCount()).toBe(1);
    await transport.send(answer);
    vi.advanceTimersByTime(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the server can ask nothing more: open questions fail, and new ones are refused', async () => {
    const { transport, seen, stdin, write } = await open({ stdout: new PassThrough() });
    const question = { jsonrpc: '2.0', id: 7, method: 'elicitation/create' };
    await write(`${JSON.stringify(call)}\n`);
    for (const id of [7, 8, 9, 10]) await transport.send({ ...question, id });
    await expect(transport.send({ ...question, id: 11, params: { no: 1n } })).rejects.toThrow('BigInt');
    // The SDKs accept an id that became a text, but no answer without a result.
    for (const line of [
      { ...answer, id: 8 },
      { ...answer, id: '10' },
      { jsonrpc: '2.0', id: 7, result: 5 },
    ])
      await write(`${JSON.stringify(line)}\n`);
    await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } });
    stdin.end();
    await once(stdin, 'close');
    expect(seen.slice(4)).toEqual([{ jsonrpc: '2.0', id: 7, error: { code: -32_000, message: 'Connection closed' } }]);
    await expect(transport.send(question)).rejects.toThrow('stdin has ended');
    await transport.send(answer);
  });

  it('it does not wait for ever', async () => {
    const { transport, closed } = await endAfter([call], { grace: 1 });
    await closed;
    await expect(transport.send(answer)).rejects.toThrow('closed');
  });

  const info = { name: 's', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const built = (Server: any, run: (ctx: any) => Promise<object>): any => {
    const server = new Server(info);
    server.registerTool('x', {}, run);
    return server;
  };
  type Serve = (waybill: any, run: any, stdio: any) => unknown;
  const servers: [string, Serve][] = [
    ['SDK v1', (waybill, run, stdio) => waybill.attach(built(ServerV1, run)).connect(stdio.transport)],
    ['SDK v2', (waybill, run, stdio) => waybill.attach(built(ServerV2, run)).connect(stdio.transport)],
    [
      'serveStdio',
      (waybill, run, stdio) =>
        serveStdio(
          waybill.attach(() => built(ServerV2, run)),
          stdio,
        ),
    ],
  ];

  it.each(servers)('a tool of %s that waits for its client gets an error', async (_, serve) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const waybill = serverContext();
    const form = { message: '?', requestedSchema: { type: 'object', properties: {} } };
    const run = async (ctx: any): Promise<object> => {
      if (ctx.mcpReq) return ctx.mcpReq.elicitInput(form);
      return ctx.sendRequest({ method: 'elicitation/create', params: form }, ElicitResultSchema);
    };
    const stdio = waybill.stdio({ stdin, stdout });
    await serve(waybill, run, stdio);
    const { onclose } = stdio.transport;
    stdio.transport.onclose = () => {
      onclose?.();
      stdout.end();
    };
    const messages = [
      { ...call, id: 0, method: 'initialize', params: { ...params, capabilities: { elicitation: {} } } },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call,
    ];
    stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const answers: any[] = [];
    for await (const line of createInterface(stdout)) {
      const message = JSON.parse(line);
      if (message.method === 'elicitation/create') stdin.end();
      else answers.push(message);
    }
    expect(answers.map(({ id, result }) => [id, result.isError])).toEqual([
      [0, undefined],
      [1, true],
    ]);
    expect(answers[1].result.content[0].text).toContain('Connection closed');
  });

  it.each(servers)('a tool of %s that takes longer is aborted, and then the connection is closed', async (_, serve) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const waybill = serverContext();
    const stdio = waybill.stdio({ stdin, stdout });
    const aborted = vi.fn();
    const run = async (ctx: any): Promise<object> => {
      (ctx.mcpReq ?? ctx).signal.addEventListener('abort', aborted);
      if (!stdin.closed) await once(stdin, 'close');
      return { content: [] };
    };
    await serve(waybill, run, stdio);
    const { onclose } = stdio.transport;
    const closed = new Promise<void>((resolve) => {
      stdio.transport.onclose = () => {
        onclose?.();
        stdout.end();
        resolve();
      };
    });
    const messages = [{ ...call, id: 0, method: 'initialize', params }, call];
    stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const ids: unknown[] = [];
    for await (const line of createInterface(stdout)) ids.push(JSON.parse(line).id);
    await closed;
    expect(ids).toEqual([0, 1]);
    expect(aborted).not.toHaveBeenCalled();
  });
});
