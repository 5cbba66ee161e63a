/** Bad input: one clear message, the exit code of the table, no stack. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveShop, type Served } from '../state/servers.js';
import { freePort, makeFolder, SHOP_COMMAND, waybill } from './waybill.js';

const home = makeFolder();
const run = waybill(home.path);
let served: Served;
let nobody: string;
beforeAll(async () => {
  served = await serveShop();
  nobody = `http://127.0.0.1:${await freePort()}/mcp`;
});
afterAll(async () => {
  await served.kill();
  home.remove();
});
const file = (name: string, text: string): string => {
  writeFileSync(join(home.path, name), text);
  return name;
};
const node = (script: string): string[] => ['--', process.execPath, '-e', script];
const RUBBISH = node('console.log("ready"); setInterval(() => console.log("tick"), 100)');

it.concurrent.for<[string, string[], number, RegExp]>([
  ['no server listens', ['list', 'NOBODY'], 3, /connection refused/],
  ['a wrong URL', ['list', 'ftp://example.com'], 2, /Only http:\/\/ and https:\/\//],
  ['a command that is not there', ['list', '--', 'no-such-command-here'], 3, /the command was not found/],
  ['a command that ends', ['list', ...node('console.error("no key"); process.exit(3)')], 3, /ended with 3.*\n {2}It said: no key/],
  ['a command that prints rubbish', ['list', '--timeout', '3', ...RUBBISH], 4, /no MCP message: ready/],
  ['a server that never answers', ['list', '--timeout', '1', ...node('setInterval(() => 0, 1000)')], 5, /no answer came in time/],
  ['an unknown tool', ['call', 'SHOP', 'pric'], 2, /Did you mean price\?/],
  ['wrong arguments', ['call', 'SHOP', 'price', 'count=many'], 2, /count: expected integer/],
  ['bad JSON', ['call', 'SHOP', 'price', '{"count":}'], 2, /\{"count":\}\n {11}\^ line 1, column 10/],
  ['an unknown zone', ['call', 'today', '--tz', 'Europe/Viena', ...SHOP_COMMAND], 2, /Did you mean Europe\/Vienna/],
  ['an unknown tag', ['call', 'today', '--lang', 'german', ...SHOP_COMMAND], 2, /Did you mean de\?/],
  ['a question that nobody can answer', ['call', 'SHOP', 'book'], 6, /--answer FILE/],
  ['an error of the protocol', ['call', 'SHOP', 'fail', 'kind=protocol'], 4, /error 1:/],
  ['a jar that is not one', ['jar', 'list', '--jar', file('no.db', 'hello, this is no jar')], 2, /is not a jar/],
  ['a record that is not one', ['replay', file('no.json', '{"a":1}'), ...SHOP_COMMAND], 2, /is not a record/],
  ['an unknown command', ['cal'], 2, /Did you mean .*call/],
  ['an unknown option', ['call', '--lagn', 'de'], 2, /Did you mean --lang\?/],
  [
    'a policy with a mistake',
    ['list', '--policy', file('p.yaml', 'default: { timezon: never }'), ...SHOP_COMMAND],
    2,
    /did you mean timezone/,
  ],
])('%s', { timeout: 60_000 }, async ([, args, due, message]) => {
  const { code, out, err } = await run(args.map((word) => ({ SHOP: served.url.href, NOBODY: nobody })[word] ?? word));
  expect(err).toMatch(message);
  expect([code, out]).toEqual([due, '']);
  expect(err).not.toMatch(/^ +at /m);
});

it.concurrent('an error as JSON goes to stdout, and --debug shows the stack', async () => {
  const { code, json, err } = await run(['list', nobody, '--json', '--debug']);
  expect(code).toBe(3);
  expect(Object.keys(json)).toEqual(['ok', 'command', 'target', 'error', 'language', 'issues']);
  expect(json.error).toMatchObject({ kind: 'unreachable', hint: 'Start the server, or check the port.' });
  expect(err).toMatch(/^ +at /m);
});
