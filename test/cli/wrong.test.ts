/** Bad input: one clear message, the exit code of the table, no stack. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveShop, type Served } from '../state/servers.js';
import { BROKEN, freePort, makeFolder, SHOP_COMMAND, waybill } from './waybill.js';

const home = makeFolder();
const run = waybill(home.path);
let served: Served;
let nobody: string;
let page: Server;
let silent: Server;
let website: Server;
const listening = async (server: Server): Promise<Server> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
};
const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
beforeAll(async () => {
  served = await serveShop();
  page = await listening(createServer((_, response) => response.writeHead(404).end('not here')));
  silent = await listening(createServer(() => undefined));
  website = await listening(createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>')));
  file('.mcp.json', '{"mcpServers":{"mine":{"command":"node"}}}');
  nobody = `http://127.0.0.1:${await freePort()}/mcp`;
});
afterAll(async () => {
  for (const server of [page, silent, website]) {
    server.closeAllConnections();
    server.close();
  }
  await served.kill();
  home.remove();
});
const file = (name: string, text: string): string => {
  writeFileSync(join(home.path, name), text);
  return name;
};
const node = (script: string): string[] => ['--', process.execPath, '-e', script];
const broken = (how: string): string[] => ['--', process.execPath, BROKEN, how];
const RUBBISH = node('console.log("ready"); setInterval(() => console.log("tick"), 100)');

it.concurrent.for<[string, string[], number, RegExp]>([
  ['no server listens', ['list', 'NOBODY'], 3, /connection refused/],
  ['a wrong URL', ['list', 'ftp://example.com'], 2, /Only http:\/\/ and https:\/\//],
  ['a URL that cannot be read', ['list', 'http://:80:80/mcp'], 2, /the URL cannot be read/],
  ['a URL without an MCP server', ['list', 'PAGE'], 3, /answers with HTTP 404\n {2}No MCP server is at this path/],
  ['a page of a website', ['list', 'WEBSITE'], 4, /answers with text\/html, and not with a message\n {2}No MCP server is at this path/],
  ['a server over HTTP that never answers', ['list', 'SILENT', '--timeout', '1'], 5, /no answer came in time/],
  ['a command that is not there', ['list', '--', 'no-such-command-here'], 3, /the command was not found/],
  ['a command that ends', ['list', ...node('console.error("no key"); process.exit(3)')], 3, /ended with 3.*\n {2}It said: no key/],
  ['a command that prints rubbish', ['list', '--timeout', '3', ...RUBBISH], 4, /no MCP message: ready/],
  ['a server that never answers', ['list', '--timeout', '1', ...node('setInterval(() => 0, 1000)')], 5, /no answer came in time/],
  [
    'a server that ends during a call',
    ['call', 'tool', ...broken('dies')],
    3,
    /ended before it answered\n {2}It said: TypeError: no database$/m,
  ],
  ['an answer that is no result', ['call', 'tool', ...broken('misfits')], 4, /does not fit the protocol: content: expected array/],
  ['an error with line breaks', ['call', 'tool', ...broken('breaks lines')], 4, /error -32603: one two$/m],
  ['an unknown tool', ['call', 'SHOP', 'pric'], 2, /Did you mean price\?/],
  ['wrong arguments', ['call', 'SHOP', 'price', 'count=many'], 2, /count: expected integer/],
  ['bad JSON', ['call', 'SHOP', 'price', '{"count":}'], 2, /\{"count":\}\n {11}\^ line 1, column 10/],
  ['an unknown zone', ['call', 'today', '--tz', 'Europe/Viena', ...SHOP_COMMAND], 2, /Did you mean Europe\/Vienna/],
  ['a zone by its name at home', ['call', 'today', '--tz', 'Europe/Wien', ...SHOP_COMMAND], 2, /Did you mean Europe\/Vienna\?$/m],
  ['a zone of another part of the world', ['range', 'today', '--tz', 'Asia/Tokio'], 2, /Did you mean Asia\/Tokyo\?$/m],
  ['an unknown tag', ['call', 'today', '--lang', 'german', ...SHOP_COMMAND], 2, /Did you mean de\?/],
  ['a language by its name', ['call', 'today', '--lang', 'deutsch', ...SHOP_COMMAND], 2, /Did you mean de\?/],
  ['a policy that is not there', ['list', '--policy', 'no.yaml', ...SHOP_COMMAND], 2, /^waybill: no\.yaml: there is no such file$/m],
  ['a file of a host that is not there', ['list', 'folder/no.json:mine'], 2, /folder\/no\.json: there is no such file/],
  ['an option without its value', ['call', 'SHOP', 'today', '--lang'], 2, /waybill call --help shows its options/],
  ['a port that is none', ['shop', '--http', 'abc'], 2, /--http: expected a port/],
  ['a question that nobody can answer', ['call', 'SHOP', 'book'], 6, /--answer FILE/],
  ['a refusal that comes with an HTTP status', ['call', 'SHOP', 'needs_sampling_tools'], 4, /error -32021: .*\n {2}.*--capability/],
  ['wrong arguments with a misspelt name', ['call', 'SHOP', 'price', 'cuont=2'], 2, /count is missing; cuont .* Did you mean count\?/],
  ['a tool that doctor cannot call', ['doctor', 'SHOP', '--call', 'tody'], 2, /Did you mean today/],
  ['an error of the protocol', ['call', 'SHOP', 'fail', 'kind=protocol'], 4, /error 1:/],
  ['a jar that is not one', ['jar', 'list', '--jar', file('no.db', 'hello, this is no jar')], 2, /is not a jar/],
  ['a record that is not one', ['replay', file('no.json', '{"a":1}'), ...SHOP_COMMAND], 2, /is not a record/],
  ['a file of a host that is not JSON', ['list', 'x', '--config', file('bad.json', '{"mcpServers": {,}}')], 2, /bad\.json: is not JSON/],
  ['a project file that nobody trusts', ['list', '.mcp.json:mine'], 6, /--trust/],
  ['check of a server that is not there', ['check', 'server', 'NOBODY'], 3, /could not be reached/],
  ['check with a wrong word', ['check', 'servre'], 2, /^waybill check: expected server, client or gateway/],
  ['a gateway without a server', ['gateway'], 2, /^waybill gateway: say which server/],
  ['a gateway with an unknown option', ['gateway', '--lisen', 'x'], 2, /^waybill gateway: unknown option --lisen; did you mean --listen\?/],
  ['a gateway with a wrong option', ['gateway', 'SHOP', '--listen', 'x'], 2, /^waybill gateway: listen: expected HOST:PORT/],
  ['a gateway without its file', ['gateway', '--config', 'no.yaml'], 2, /^waybill gateway: no\.yaml: there is no such file$/m],
  [
    'a gateway with a word',
    ['gateway', 'foo', 'bar'],
    2,
    /^waybill gateway: "foo" is neither an address nor a command\n {2}waybill gateway https:\/\/host\/mcp\n {2}waybill gateway -- foo bar$/m,
  ],
  ['a gateway with an address of no scheme', ['gateway', 'localhost:3000'], 2, /^waybill gateway: "localhost:3000" is neither/],
  ['an unknown command', ['cal'], 2, /Did you mean .*call/],
  ['an unknown option', ['call', '--lagn', 'de'], 2, /Did you mean --lang\?/],
  [
    'a policy with a mistake',
    ['list', '--policy', file('p.yaml', 'default: { timezon: never }'), ...SHOP_COMMAND],
    2,
    /did you mean timezone/,
  ],
])('%s', { timeout: 60_000 }, async ([, args, due, message]) => {
  const { code, out, err } = await run(
    args.map(
      (word) =>
        ({ SHOP: served.url.href, NOBODY: nobody, PAGE: urlOf(page), SILENT: urlOf(silent), WEBSITE: urlOf(website) })[word] ?? word,
    ),
  );
  expect(err).toMatch(message);
  expect([code, out]).toEqual([due, '']);
  expect(err).not.toMatch(/^ +at /m);
});

it.concurrent.for<[string, Record<string, string>, string[], RegExp]>([
  ['a variable', { WAYBILL_TZ: 'Europe/Viena' }, ['list', ...SHOP_COMMAND], /^waybill: WAYBILL_TZ: "Europe\/Viena" is not a time zone/],
  ['a variable of a number', { WAYBILL_TIMEOUT: 'soon' }, ['list', ...SHOP_COMMAND], /^waybill: WAYBILL_TIMEOUT: expected seconds/],
  ['a variable that needs another', { WAYBILL_CONVERSATION: 'c' }, ['list', ...SHOP_COMMAND], /^waybill: WAYBILL_CONVERSATION needs --jar/],
  ['the options file', { WAYBILL_OPTIONS: 'OPTIONS' }, ['range', 'today'], /^waybill: \S+wrong\.json: "tz": "Mars" is not a time zone/],
  ['a flag before a variable', { WAYBILL_TZ: 'Europe/Vienna' }, ['range', 'today', '--tz', 'Mars'], /^waybill: --tz: "Mars"/],
  [
    'a context of compare before a variable',
    { WAYBILL_TZ: 'Europe/Vienna' },
    ['compare', 'today', '--as', 'vienna', '--as', 'tz=Mars', ...SHOP_COMMAND],
    /^waybill: --as "tz=Mars": "Mars" is not a time zone/,
  ],
])('a wrong value names where it came from: %s', { timeout: 60_000 }, async ([, env, args, message]) => {
  const options = env['WAYBILL_OPTIONS'] === undefined ? undefined : join(home.path, file('wrong.json', '{"tz":"Mars"}'));
  const { code, err } = await run(args, { env: { ...env, ...(options !== undefined && { WAYBILL_OPTIONS: options }) } });
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
});

it.concurrent('an error as JSON goes to stdout, and --debug shows the stack', async () => {
  const { code, json, err } = await run(['list', nobody, '--json', '--debug']);
  expect(code).toBe(3);
  expect(Object.keys(json)).toEqual(['ok', 'command', 'target', 'error', 'language', 'issues']);
  expect(json.error).toMatchObject({ kind: 'unreachable', hint: 'Start the server, or check the port.' });
  expect(err).toMatch(/^ +at /m);
});

it.concurrent('a --debug of the command behind "--" shows no stack', async () => {
  const { code, err } = await run(['list', ...node('process.exit(1)'), '--debug']);
  expect([code, err]).toEqual([3, expect.not.stringMatching(/^ +at /m)]);
});

it.concurrent.for<[string, string]>([
  ['{"tz":true}', '"tz": expected a text'],
  ['{"tz":["UTC"]}', '"tz": expected a text'],
  ['{"json":"yes"}', '"json": expected true or false'],
  ['{"record":"r.json"}', '"record" is not an option that a file may give'],
])('an options file with %s is refused', async ([text, due], { task }) => {
  const path = join(home.path, file(`${task.id}.json`, text));
  const { code, err } = await run(['range', 'today'], { env: { WAYBILL_OPTIONS: path } });
  expect([code, err]).toEqual([2, expect.stringContaining(`${path}: ${due}`)]);
});

it.concurrent('a mistake of the command itself is said to be one: exit 70', async () => {
  const env = { NODE_OPTIONS: '--import=data:text/javascript,delete%20Intl.DateTimeFormat' };
  const { code, err } = await run(['range', 'last month'], { env });
  expect([code, err]).toEqual([70, expect.stringContaining('This is a mistake of waybill. --debug shows where.')]);
  expect(err).not.toMatch(/^ +at /m);
});

it.concurrent('check and gateway print the same JSON object, also for an error', async () => {
  const kept = await run(['check', 'server', '--json', '--requirement', 'LANG-20', ...SHOP_COMMAND]);
  const due = { ok: true, command: 'check', result: { report: 1, summary: { fail: 0 } }, language: null, issues: [] };
  expect([kept.code, kept.json]).toMatchObject([0, due]);
  const unreachable = await run(['check', 'server', nobody, '--json']);
  expect([unreachable.code, unreachable.json]).toMatchObject([3, { ok: false, error: { kind: 'unreachable' } }]);
  const usage = await run(['gateway', '--json', '--config', 'nothing.yaml']);
  expect([usage.code, usage.json]).toMatchObject([2, { ok: false, command: 'gateway', error: { kind: 'usage' } }]);
});
