/** Cells of the table of pairs that no journey reaches: rounds of questions, verdicts about a revision, cancelling, log levels, subscriptions. */
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { begin, legacy, legacyWeb, LEGACY, modern, MODERN, modernWeb, open, say, send, web, type Json } from './raw.js';
import { eventually } from '../support/eventually.js';

const complete = (message: Json, response: ServerResponse): void => say(response, message, { resultType: 'complete', content: [] });
const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

/** The messages of an answer of either form, as far as it has come. */
const messagesIn = (text: string): Json[] =>
  text.startsWith('{')
    ? [JSON.parse(text)]
    : text
        .split('\n\n')
        .slice(0, -1)
        .flatMap((part) => /data: (\{.*\})/.exec(part)?.[1] ?? [])
        .map((line) => JSON.parse(line));

describe('L→M: a server that asks back', () => {
  /** Asks `times` times. */
  const asking = async (times: number) => {
    const seen: { text: string; params: Json }[] = [];
    const url = await modernWeb((message, response, _request, text) => {
      if (message.method !== 'tools/call') return say(response, message, { resultType: 'complete', tools: [] });
      seen.push({ text, params: message.params });
      const params = { message: `no. ${seen.length}`, requestedSchema: {} };
      const inputRequests = { name: { method: 'elicitation/create', params } };
      if (seen.length > times) complete(message, response);
      else say(response, message, { resultType: 'input_required', inputRequests, requestState: `state ${seen.length}` });
    });
    const { base } = await open({ s: { url } });
    const session = await begin(`${base}/mcp`, { elicitation: {} });
    const asked: Json[] = [];
    const { text } = await legacy(
      `${base}/mcp`,
      'tools/call',
      { name: 'a' },
      {
        session,
        onData(_response, sofar) {
          for (const { id, method, params } of messagesIn(sofar).slice(asked.length)) {
            if (method !== 'elicitation/create') continue;
            asked.push(params.message);
            const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"action":"accept","content":{"n":1.0}}}`;
            void legacy(`${base}/mcp`, '', {}, { session, body });
          }
        },
      },
    );
    return { seen, asked, end: messagesIn(text).at(-1) };
  };

  test('is answered on the stream of the call, with its state untouched and the answers as they were written', async () => {
    const { seen, asked, end } = await asking(2);
    expect(asked).toEqual(['no. 1', 'no. 2']);
    expect(end.result.content).toEqual([]);
    expect(seen.map(({ params }) => params.requestState)).toEqual([undefined, 'state 1', 'state 2']);
    expect(seen[2]?.text).toContain('"inputResponses":{"name":{"action":"accept","content":{"n":1.0}}}');
  });

  test('may do so eight times', async () => {
    const { asked, end } = await asking(8);
    expect([asked.length, end.result.content]).toEqual([8, []]);
    const endless = await asking(99);
    expect([endless.asked.length, endless.end.error.code]).toEqual([8, -32603]);
  });
});

describe('the verdict about a revision', () => {
  const DAY = 24 * 60 * 60 * 1000;

  test('counts for 24 hours, then the upstream is asked again', async () => {
    let probes = 0;
    let now = 1_000_000;
    const url = await web((message, response) => {
      if (message.method !== 'server/discover') return complete(message, response);
      probes++;
      say(response, message, { resultType: 'complete', supportedVersions: [MODERN], capabilities: {} });
    });
    const { base } = await open({ s: { url } }, {}, { now: () => now });
    const call = () => modern(`${base}/mcp`, 'tools/call', { name: 'a' });
    await Promise.all([call(), call()]);
    now += DAY - 1;
    await call();
    expect(probes).toBe(1);
    now += 2;
    await call();
    expect(probes).toBe(2);
  });

  test.each([401, 403, 408, 429, 503])('is not drawn from status %i', async (status) => {
    let isOpen = false;
    const url = await web((message, response) => {
      if (!isOpen) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      else say(response, message, { resultType: 'complete', supportedVersions: [MODERN], capabilities: {}, tools: [], content: [] });
    });
    const { base } = await open({ s: { url } });
    // Without a verdict the message passes as it is.
    expect((await legacy(`${base}/mcp`, 'initialize')).status).toBe(status);
    isOpen = true;
    // A session of our own: the server speaks 2026.
    expect((await legacy(`${base}/mcp`, 'initialize')).headers['mcp-session-id']).toBeDefined();
  });
});

/** A server of either revision whose tool hangs; `closed` counts connections that were given up, `told` the cancellations. */
async function hanging(isModern: boolean) {
  const seen = { calls: 0, closed: 0, told: [] as Json[] };
  let finish = (): void => undefined;
  const answer = (message: Json, response: ServerResponse): void => {
    if (message.method !== 'tools/call') return say(response, message, { resultType: 'complete', tools: [] });
    seen.calls++;
    finish = () => complete(message, response);
    response.on('close', () => {
      if (!response.writableFinished) seen.closed++;
    });
  };
  const notified = ({ method, params }: Json): void => {
    if (method === 'notifications/cancelled') seen.told.push(params.requestId);
  };
  const url = await (isModern ? modernWeb(answer, {}, notified) : legacyWeb(answer, notified));
  return { url, seen, finish: () => finish() };
}

describe('cancelling', () => {
  /** Sends a call, and leaves it when it has reached the server. */
  const leave = async (send_: (signal: AbortSignal) => Promise<unknown>, seen: { calls: number }): Promise<void> => {
    const gone = new AbortController();
    const call = send_(gone.signal).catch(() => undefined);
    await eventually(() => expect(seen.calls).toBe(1));
    gone.abort();
    await call;
  };

  test('M→M: a client that closes its request closes the one of the upstream', async () => {
    const { url, seen } = await hanging(true);
    const { base } = await open({ s: { url } });
    await leave((signal) => modern(`${base}/mcp`, 'tools/call', { name: 'a' }, { signal }), seen);
    await eventually(() => expect(seen).toMatchObject({ closed: 1, told: [] }));
  });

  test('M→L: it becomes `cancelled`, with the id that the server knows', async () => {
    const { url, seen } = await hanging(false);
    const { base } = await open({ s: { url } });
    await leave((signal) => modern(`${base}/mcp`, 'tools/call', { name: 'a' }, { signal }), seen);
    await eventually(() => expect(seen).toMatchObject({ closed: 1, told: [expect.any(String)] }));
  });

  test('L→M: `cancelled` closes; a client that is only gone has not cancelled', async () => {
    const { url, seen, finish } = await hanging(true);
    const { base } = await open({ s: { url } });
    const session = await begin(`${base}/mcp`);
    await leave((signal) => legacy(`${base}/mcp`, 'tools/call', { name: 'a' }, { id: 5, session, signal }), seen);
    expect((await legacy(`${base}/mcp`, 'ping', {}, { session })).status).toBe(200);
    expect(seen.closed).toBe(0);
    finish();
    const call = legacy(`${base}/mcp`, 'tools/call', { name: 'a' }, { id: 6, session });
    await eventually(() => expect(seen.calls).toBe(2));
    await legacy(`${base}/mcp`, 'notifications/cancelled', { requestId: 6 }, { id: null, session });
    await call;
    await eventually(() => expect(seen).toMatchObject({ closed: 1, told: [] }));
  });

  test('L→L: `cancelled` reaches the server with the id of the client', async () => {
    const { url, seen, finish } = await hanging(false);
    const { base } = await open({ s: { url } });
    const session = await begin(`${base}/mcp`);
    const call = legacy(`${base}/mcp`, 'tools/call', { name: 'a' }, { id: 'mine', session });
    await eventually(() => expect(seen.calls).toBe(1));
    await legacy(`${base}/mcp`, 'notifications/cancelled', { requestId: 'mine' }, { id: null, session });
    await eventually(() => expect(seen.told).toEqual(['mine']));
    finish();
    expect((await call).status).toBe(200);
  });
});

test('L→M: the log level that a client sets goes with each request after it', async () => {
  const levels: Json[] = [];
  const url = await modernWeb((message, response) => {
    levels.push(message.params._meta[keys.LOG_LEVEL]);
    complete(message, response);
  });
  const { base } = await open({ s: { url } });
  const session = await begin(`${base}/mcp`);
  const list = () => legacy(`${base}/mcp`, 'prompts/list', {}, { session });
  await list();
  await legacy(`${base}/mcp`, 'logging/setLevel', { level: 'warning' }, { session });
  await list();
  expect(levels).toEqual([undefined, 'warning']);
});

test('L→M: one subscription for each session, renewed when the client wants another resource', async () => {
  const open_ = new Set<ServerResponse>();
  const wanted: Json[] = [];
  const url = await modernWeb(
    ({ id, params }, response) => {
      open_.add(response.on('close', () => open_.delete(response)));
      wanted.push(params.notifications);
      const _meta = { [keys.SUBSCRIPTION_ID]: id };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ method: 'notifications/subscriptions/acknowledged', params: { notifications: params.notifications, _meta } }));
      response.write(event({ method: 'notifications/resources/updated', params: { uri: `x://${wanted.length}`, _meta } }));
    },
    { resources: { subscribe: true } },
  );
  const { base } = await open({ s: { url } });
  const session = await begin(`${base}/mcp`);
  await legacy(`${base}/mcp`, 'resources/subscribe', { uri: 'x://1' }, { session });
  let text = '';
  const stream = send(`${base}/mcp`, 'GET', {
    headers: { accept: 'text/event-stream', 'mcp-session-id': session },
    onData: (_response, sofar) => (text = sofar),
  });
  await eventually(() =>
    expect(messagesIn(text)).toEqual([{ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'x://1' } }]),
  );
  await legacy(`${base}/mcp`, 'resources/subscribe', { uri: 'x://2' }, { session });
  await eventually(() => expect(messagesIn(text)).toHaveLength(2));
  await eventually(() => expect(open_.size).toBe(1));
  expect(wanted).toEqual([{ resourceSubscriptions: ['x://1'] }, { resourceSubscriptions: ['x://1', 'x://2'] }]);
  await send(`${base}/mcp`, 'DELETE', { headers: { 'mcp-session-id': session, 'mcp-protocol-version': LEGACY } });
  await stream;
  await eventually(() => expect(open_.size).toBe(0));
});

/** A 2025 child that keeps a list in the state of its client, and tells what was declared to it. It never answers `initialize` if it is mute. */
const CHILD = `
  let declared;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (process.argv[1] === 'mute') return;
    if (method === 'initialize') {
      declared = params.capabilities;
      say({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
    } else if (id !== undefined) {
      const key = '${keys.STATE_SPELLINGS.server[0]}';
      say({ content: [], declared, got: params._meta?.[key] ?? null, _meta: { [key]: params.arguments } });
    }
  }).on('close', () => process.exit());
`;

test('D-38: a process that serves everybody is told of `state` if the gateway keeps it, and of nothing else', async () => {
  const child = { command: [process.execPath, '-e', CHILD], revision: LEGACY, share: 'one' };
  const { base } = await open({ keeps: { ...child, state: { mode: 'keep' } }, passes: child }, { identity: { single: true } });
  const call = async (name: string, arguments_: object): Promise<Json> => {
    const session = await begin(`${base}/${name}/mcp`, { elicitation: {} });
    const { text } = await legacy(`${base}/${name}/mcp`, 'tools/call', { name: 'a', arguments: arguments_ }, { session });
    const { declared, got } = JSON.parse(text).result;
    return { declared, got };
  };
  expect(await call('keeps', { cart: 'tea' })).toEqual({ declared: { state: {} }, got: null });
  expect(await call('keeps', {})).toEqual({ declared: { state: {} }, got: { cart: 'tea' } });
  expect(await call('passes', {})).toEqual({ declared: {}, got: null });
});

/** A 2025 child with resources, that tells what is subscribed to. */
const NOTES = `
  const subscribed = new Set();
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (method === 'initialize')
      say({ protocolVersion: '2025-11-25', capabilities: { resources: { subscribe: true } }, serverInfo: { name: 's', version: '1' } });
    else if (id === undefined) return;
    else if (method === 'resources/subscribe') { subscribed.add(params.uri); say({}); }
    else if (method === 'resources/unsubscribe') { subscribed.delete(params.uri); say({}); }
    else say({ subscribed: [...subscribed] });
  }).on('close', () => process.exit());
`;

test('M→L: the last listener of a process ends a subscription, whatever session it has', async () => {
  const { base } = await open({ s: { command: [process.execPath, '-e', NOTES], revision: LEGACY, share: 'one' } });
  const listenAs = async (client: string): Promise<() => Promise<void>> => {
    const gone = new AbortController();
    let text = '';
    const params = { notifications: { resourceSubscriptions: ['x://1'] } };
    const meta = { [keys.CLIENT_CAPABILITIES]: { experimental: { [client]: {} } } };
    const onData = (_response: Json, sofar: string): void => void (text = sofar);
    const done = modern(`${base}/mcp`, 'subscriptions/listen', params, { meta, onData, signal: gone.signal }).catch(() => undefined);
    await eventually(() => expect(text).toContain('acknowledged'));
    return async () => {
      gone.abort();
      await done;
    };
  };
  const subscribed = async (): Promise<Json> => JSON.parse((await modern(`${base}/mcp`, 'prompts/list')).text).result.subscribed;
  const [leaveOne, leaveTwo] = [await listenAs('one'), await listenAs('two')];
  const session = await begin(`${base}/mcp`);
  await legacy(`${base}/mcp`, 'resources/subscribe', { uri: 'x://1' }, { session });
  await legacy(`${base}/mcp`, 'resources/unsubscribe', { uri: 'x://1' }, { session });
  await leaveOne();
  // A listener that has gone is noticed in a later turn, so ask often enough to see it.
  for (let n = 0; n < 20; n++) expect(await subscribed()).toEqual(['x://1']);
  await leaveTwo();
  await eventually(async () => expect(await subscribed()).toEqual([]));
});

test('a process that does not answer `initialize` is ended', async () => {
  const gateway = await open({ s: { command: [process.execPath, '-e', CHILD, 'mute'], revision: LEGACY } }, { limits: { time: '300ms' } });
  expect((await legacy(`${gateway.base}/mcp`, 'initialize')).status).toBe(504);
  await eventually(() => expect(gateway.children('s')).toEqual({ running: 0, starts: 1 }));
});

test('state that passes under a prefix keeps the bytes of its values', async () => {
  let got = '';
  const key = keys.STATE_SPELLINGS.server[0];
  const url = await modernWeb((message, response, _request, text) => {
    got = text;
    const body = `{"jsonrpc":"2.0","id":${message.id},"result":{"_meta":{"${key}":{"n":12345678901234567890,"d":{"z":1.0,"a":[ ]}}}}}`;
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const { base } = await open({ one: { url }, two: { url } });
  const meta = `"${key}":{"one/n":1.0,"two/n":2,"one/d":{ "big":12345678901234567890 }}`;
  const envelope = `"${keys.PROTOCOL_VERSION}":"${MODERN}","${keys.CLIENT_CAPABILITIES}":{"state":{}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{${envelope},${meta}}}}`;
  const { text } = await modern(`${base}/one/mcp`, 'tools/call', { name: 'a' }, { body });
  expect(got).toContain(`"${key}":{"n":1.0,"d":{ "big":12345678901234567890 }}`);
  expect(text).toContain(`"${key}":{"one/n":12345678901234567890,"one/d":{"z":1.0,"a":[ ]}}`);
});

test('M→L: an upstream that asks on its stream and then takes no answer harms nothing', async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown): void => void unheard.push(reason);
  process.on('unhandledRejection', hear);
  let refused = 0;
  const url = await web((message, response, incoming) => {
    if (incoming.method === 'GET')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event({ id: 'alive?', method: 'ping' }));
    else if (message.method === 'initialize')
      say(response, message, { protocolVersion: LEGACY, capabilities: { tools: {} }, serverInfo: {} }, { 'mcp-session-id': 's' });
    else if (message.id === 'alive?') {
      refused++;
      incoming.socket.destroy();
    } else if (message.id === undefined) response.writeHead(202).end();
    else say(response, message, { content: [] });
  });
  const { base } = await open({ s: { url, revision: LEGACY } }, { identity: { single: true } });
  const meta = { [keys.CLIENT_CAPABILITIES]: { elicitation: {} } };
  expect((await modern(`${base}/mcp`, 'tools/call', { name: 'a' }, { meta })).status).toBe(200);
  await eventually(() => expect(refused).toBe(1));
  expect((await modern(`${base}/mcp`, 'tools/call', { name: 'a' }, { meta })).status).toBe(200);
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});
