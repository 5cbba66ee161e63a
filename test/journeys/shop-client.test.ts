/** The shop client in use: a script on stdin, answers on stdout, an exit code. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from 'waybill';
import { problemOf } from '../../examples/shop/client.check.js';
import { serveHttp } from './fixtures/serve.mjs';
import type { Message } from './wire.js';

const CLIENT = fileURLToPath(new URL('../../examples/shop/client.js', import.meta.url));
const SERVER = fileURLToPath(new URL('../../examples/shop/server.js', import.meta.url));
const CHILD = fileURLToPath(new URL('./fixtures/stdio.mjs', import.meta.url));

interface Run {
  code: number | null;
  answers: any[];
  err: string;
}

function run(args: string[], steps: (Message | string)[] = []): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLIENT, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('close', (code) =>
      resolve({
        code,
        err,
        answers: out.startsWith('{')
          ? out
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line))
          : [out],
      }),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(steps.map((step) => (typeof step === 'string' ? step : JSON.stringify(step)) + '\n').join(''));
  });
}

const SCRIPT: Message[] = [
  {
    op: 'update',
    language: ['fr-CH', 'fr'],
    timezone: 'Asia/Tokyo',
    locale: 'ja',
    location: { country: 'JP', city: '東京', precision: 'country' },
  },
  { op: 'list' },
  { op: 'call', name: 'meta' },
  { op: 'parallel', calls: [{ name: 'echo', args: { text: 'a' } }, { name: 'nobody' }] },
  { op: 'read', uri: 'note://today' },
  { op: 'read', uri: 'note://never' },
  { op: 'prompts' },
  { op: 'resources' },
  { op: 'call', name: 'count', args: { to: 2 } },
  { op: 'update', language: null, capabilities: { roots: {} } },
  { op: 'call', name: 'meta' },
  { op: 'update', timezone: 'Mars/Olympus' },
];

describe('against a server without the layer', { concurrent: true }, () => {
  let served: Awaited<ReturnType<typeof serveHttp>>;
  beforeAll(async () => void (served = await serveHttp('v2', { json: false })));
  afterAll(() => served.close());

  const WAYS: [name: string, args: () => string[], sdk: string[]][] = [
    ['v2 over HTTP, automatic', () => ['--url', served.url.href], []],
    ['v2 over HTTP, 2026', () => ['--url', served.url.href], ['--era', '2026']],
    ['v2 over HTTP, 2025', () => ['--url', served.url.href], ['--era', '2025']],
    ['v1 over HTTP', () => ['--url', served.url.href], ['--sdk', 'v1']],
    ['v2 over stdio', () => ['--', process.execPath, CHILD, 'v2'], ['--era', '2026']],
    ['v1 over stdio', () => ['--', process.execPath, CHILD, 'v1'], ['--sdk', 'v1', '--era', '2025']],
  ];

  test.for(WAYS)('a script from its first step to its last: %s', async ([, where, sdk], { expect }) => {
    const { code, answers, err } = await run([...sdk, ...where()], SCRIPT);
    expect([code, answers.length, err.replaceAll(/\(node:\d+\).*\n|.*trace-warnings.*\n/g, '')]).toEqual([0, SCRIPT.length, '']);
    expect(answers.map(({ op }) => op)).toEqual(SCRIPT.map(({ op }) => op));
    const [, list, first, parallel, read, missing, prompts, resources, counted, , second, wrong] = answers;
    expect(list.result.tools.map(({ name }: Message) => name)).toContain('echo');
    const seen = JSON.parse(first.result.content[0].text);
    expect(seen).toMatchObject({
      [keys.ACCEPT_LANGUAGE]: 'fr-CH,fr;q=0.9',
      [keys.CLIENT_CONTEXT]: { timezone: 'Asia/Tokyo', locale: 'ja', userLocation: { country: 'JP' } },
    });
    expect(parallel.result).toMatchObject([{ result: { content: [{ text: 'a' }] } }, {}]);
    expect(read.result.contents[0].text).toBe('first');
    expect(missing.error).toMatchObject({ code: -32602 });
    expect([prompts.result.prompts.length, resources.result.resources.length]).toEqual([2, 1]);
    // On a pipe progress may come in one chunk with its result: the SDKs alone drop it then.
    expect(counted.progress).toHaveLength(2);
    expect(JSON.parse(second.result.content[0].text)).not.toHaveProperty([keys.ACCEPT_LANGUAGE]);
    expect(wrong.error).toMatchObject({ name: 'RangeError', message: expect.stringContaining('environment.timezone') });
    // The setup issue says that a server on this machine keeps no state here.
    expect(answers.flatMap(({ issues }) => issues).filter(({ side }) => side !== 'setup')).toEqual([]);
  });

  test('--messages shows the messages of each step, with the headers about context', async () => {
    const { answers } = await run(
      ['--messages', '--url', served.url.href],
      [
        { op: 'update', language: 'fr' },
        { op: 'call', name: 'echo', args: { text: 'x' } },
      ],
    );
    const [update, call] = answers;
    expect(update.messages).toEqual([]);
    const sent = call.messages.filter(({ direction }: Message) => direction === 'sent');
    expect(sent.map(({ message }: Message) => message.method)).toEqual(['server/discover', 'tools/call']);
    expect(sent[1]).toMatchObject({
      headers: { 'accept-language': 'fr', 'mcp-method': 'tools/call' },
      message: { params: { _meta: { [keys.ACCEPT_LANGUAGE]: 'fr' } } },
    });
    expect(call.messages.at(-1)).toMatchObject({
      direction: 'received',
      message: { id: sent[1].message.id, result: { content: [{ text: 'x' }] } },
    });
  });

  test('--wire seed sends the literal form', async () => {
    const { answers } = await run(
      ['--messages', '--wire', 'seed', '--', process.execPath, CHILD, 'v1', new URL('./fixtures/layers/lifting.mjs', import.meta.url).href],
      [{ op: 'call', name: 'meta' }],
    );
    const sent = answers[0].messages.find(({ message }: Message) => message.method === 'tools/call').message;
    expect(sent).toHaveProperty([keys.CLIENT_CONTEXT_SIBLING]);
    expect(answers[0].issues).toMatchObject([{ concern: 'environment', key: keys.CLIENT_CONTEXT_SIBLING }]);
  });
});

describe('errors', { concurrent: true }, () => {
  const nowhere = ['--url', 'http://127.0.0.1:9/mcp'];
  test.for<[string, string[], (Message | string)[], number, RegExp]>([
    ['nothing to connect to', [], [], 2, /expected either --url URL or -- COMMAND/],
    ['a flag nobody knows', ['--nope'], [], 2, /nope/],
    ['2026 with SDK v1', [...nowhere, '--sdk', 'v1', '--era', '2026'], [], 2, /--era 2026 needs --sdk v2/],
  ])('%s ends with its code and a message', async ([, args, steps, code, message], { expect }) => {
    const got = await run(args, steps);
    expect(got.code).toBe(code);
    expect(got.err).toMatch(message);
    expect(got.err).toContain('Usage:');
  });

  test.for<[string, (Message | string)[], number, object]>([
    ['a step that is not JSON', ['{'], 2, { error: { name: 'SyntaxError' } }],
    ['a step nobody knows', [{ op: 'dance' }], 2, { op: 'dance', error: { message: 'no step is called "dance"' } }],
    [
      'a step that lacks a member',
      [{ op: 'read' }],
      2,
      { op: 'read', error: { name: 'TypeError', message: 'read: uri: expected the URI of a resource' } },
    ],
    ['no server', [{ op: 'list' }], 3, { op: 'list', error: {} }],
  ])('%s is the last answer', async ([, steps, code, answer], { expect }) => {
    const got = await run(nowhere, [...steps, { op: 'list' }]);
    expect([got.code, got.answers.length]).toEqual([code, 1]);
    expect(got.answers[0]).toMatchObject(answer);
  });

  test.for<[Message, string | undefined]>([
    [{ op: 'conversation', do: 'zzz' }, 'conversation: do: expected one of begin, resume, fork, leave, end'],
    [{ op: 'conversation', do: 'fork' }, 'conversation: do: there is no conversation to fork'],
    [{ op: 'conversation', do: 'resume' }, 'conversation: id: is missing; "resume" needs id'],
    [{ op: 'jar', do: 'zzz' }, 'jar: do: expected one of principals, list, show, edit, export, clear, flush'],
    [{ op: 'jar', do: 'show' }, 'jar: server: is missing; "show" needs server'],
    [{ op: 'jar', do: 'edit', name: 'x', value: 1 }, 'jar: server: is missing; "edit" needs server, name, value'],
    [{ op: 'jar', do: 'clear', sever: 'x' }, 'jar: sever: is not a member of this step'],
    [{ op: 'jar', do: 'clear', scope: 'all' }, 'jar: scope: expected session or server'],
    [{ op: 'call' }, 'call: name: expected the name of a tool'],
    [{ op: 'prompt' }, 'prompt: name: expected the name of a prompt'],
    [{ op: 'parallel' }, 'parallel: calls: expected a list of calls'],
    [{ op: 'parallel', calls: [{ name: 'x' }, {}] }, 'parallel: calls[1].name: expected the name of a tool'],
    [{ op: 'call', name: 'x' }, undefined],
  ])('the check of the step %j says: %s', ([step, problem], { expect }) => {
    expect(problemOf(step, {})).toBe(problem);
  });

  test('a server that closes in the middle ends it with its own code', async () => {
    const dying = `process.stdin.on('data', (text) => {
      const { id, method } = JSON.parse(String(text).split('\\n')[0]);
      if (method === 'tools/call') process.exit(1);
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });`;
    const got = await run(
      ['--sdk', 'v1', '--', process.execPath, '-e', dying],
      [{ op: 'info' }, { op: 'call', name: 'x' }, { op: 'list' }],
    );
    expect([got.code, got.answers.map(({ op }) => op)]).toEqual([4, ['info', 'call']]);
    expect(got.answers[1]).toHaveProperty('error');
  });

  test.for<[string, Message]>([
    ['v1', { op: 'call', name: 'x' }],
    ['v2', { op: 'call', name: 'x' }],
    ['v2', { op: 'parallel', calls: [{ name: 'x' }] }],
  ])('an HTTP server that is gone does the same: SDK %s, %j', async ([sdk, step], { expect }) => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { id, method } = body === '' ? {} : JSON.parse(body);
        if (method === 'tools/call') return void request.socket.destroy();
        if (id === undefined) return void response.writeHead(request.method === 'GET' ? 405 : 202).end();
        const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const got = await run(['--sdk', sdk, '--era', '2025', '--url', `http://127.0.0.1:${port}/mcp`], [{ op: 'info' }, step, { op: 'info' }]);
    server.close();
    expect([got.code, got.answers.map(({ op }) => op)]).toEqual([4, ['info', step.op]]);
    expect(JSON.stringify(got.answers[1])).toContain('"error"');
  });

  test('no steps are no failure, and --help explains everything', async () => {
    expect(await run(nowhere)).toMatchObject({ code: 0 });
    const { code, answers } = await run(['--help']);
    expect(code).toBe(0);
    for (const word of ['--url', '--sdk', '--era', '--wire', '--messages', '"op":"parallel"', '"show" needs "server"', 'Exit codes'])
      expect(answers[0]).toContain(word);
  });
});

test('against the shop server: texts, questions and errors in the user’s language', async () => {
  const { code, answers } = await run(
    ['--', process.execPath, SERVER, '--stdio'],
    [
      { op: 'update', language: 'fr', timezone: 'Asia/Tokyo' },
      { op: 'call', name: 'context' },
      { op: 'call', name: 'ask', answer: { colour: 'green' } },
      { op: 'call', name: 'fail', args: { kind: 'protocol' } },
      { op: 'update', language: 'de' },
      { op: 'call', name: 'progress', args: { steps: 2 } },
    ],
  );
  expect(code).toBe(0);
  const [, context, questions, failed, , progress] = answers;
  expect(context.result.structuredContent).toMatchObject({ language: { chosen: 'fr' }, environment: { timezone: 'Asia/Tokyo' } });
  expect(questions.asked).toMatchObject([{ language: 'fr' }]);
  expect([context.language, questions.language, failed.language, progress.language]).toEqual(['fr', 'fr', 'fr', 'de']);
  expect(failed.error).toBeDefined();
  for (const one of progress.progress ?? []) expect(one.language).toBe('de');
});
