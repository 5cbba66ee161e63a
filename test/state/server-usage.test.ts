/** The shop server at its start: a mistake gives one line and a code, and no stack. */
import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { keys } from 'waybill';
import { SHOP, serveShop } from './servers.js';

function start(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [SHOP, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('close', (code) => {
      resolve({ code, out, err });
    });
  });
}

it.concurrent.for<[string, string]>([
  ['', 'expected either --http PORT or --stdio'],
  ['--http 0 --stdio', 'expected either --http PORT or --stdio'],
  ['--http x', '--http: expected a port, 0 to 65535'],
  ['--http 65536', '--http: expected a port, 0 to 65535'],
  ['--stdio --sdk v3', '--sdk: expected v1 or v2'],
  ['--stdio --wire x', '--wire: expected current or seed'],
  ['--stdio --filter x', '--filter: expected declared'],
  ['--stdio --nope', "Unknown option '--nope'"],
])('the shop server says what is wrong with "%s", and shows its usage', async ([args, message], { expect }) => {
  const { code, out, err } = await start(...args.split(' ').filter(Boolean));
  expect([code, out]).toEqual([2, '']);
  expect(err.split('\n')[0]).toContain(`server: ${message}`);
  expect(err).toContain('Usage:');
  expect(err).not.toMatch(/^\s+at /m);
});

it('the shop server says in one line that its port is in use', async () => {
  const first = await serveShop('--cache-lists');
  const { port } = first.url;
  const second = await start('--http', port);
  await first.kill();
  expect(second).toEqual({ code: 1, out: '', err: `server: --http ${port}: the port is in use\n` });
});

it('the shop server with --cache-lists answers a list the second time from its cache, each language separately', async () => {
  const server = await serveShop('--cache-lists');
  const list = async (language: string): Promise<[type: string | null, tools: string | undefined]> => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    };
    const params = { _meta: { [keys.ACCEPT_LANGUAGE]: language } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
    const response = await fetch(server.url, { method: 'POST', headers: { ...headers, 'accept-language': language }, body });
    return [response.headers.get('content-type'), /"tools":\[.*\]/.exec(await response.text())?.[0]];
  };
  const answers = [await list('fr'), await list('fr'), await list('de')];
  await server.kill();
  const [first, second, german] = answers;
  // A cached answer needs no stream.
  expect(answers.map(([type]) => type)).toEqual(['text/event-stream', 'application/json', 'text/event-stream']);
  expect(first![1]).toBeDefined();
  expect(second![1]).toBe(first![1]);
  expect(german![1]).not.toBe(first![1]);
});

it('the shop server with --help shows its usage, and names the tool that some connections cannot carry', async () => {
  const { code, out } = await start('--help');
  expect([code, out]).toEqual([0, expect.stringMatching(/--http PORT[^]*--cache-lists[^]*ask cannot ask/)]);
});
