/** try, compare, replay, jar, ledger; servers of npm; a real terminal. */
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveShop, type Served } from '../state/servers.js';
import { environment, execute, freePort, makeFolder, runningIn, SHOP_COMMAND, SHOP, waybill, WAYBILL } from './waybill.js';
import { contextFrom } from '../../packages/cli/src/context/presets.js';

const home = makeFolder();
const run = waybill(home.path);
const NOW = ['--now', '2026-10-31T23:40:00Z'];
let served: Served;
beforeAll(async () => {
  served = await serveShop();
});
afterAll(async () => {
  await served.kill();
  home.remove();
});

it('try shows every chapter, each holds, and no server is left behind', { timeout: 60_000 }, async () => {
  const { pid, code, json } = await run(['try', '--json']);
  expect([code, json.ok]).toEqual([0, true]);
  expect(json.result.chapters.map(({ name, ok }: any) => [name, ok])).toEqual(
    ['today', 'month', 'cart', 'languages', 'question', 'trace', 'policy'].map((name) => [name, true]),
  );
  for (const { because } of json.result.chapters) expect(because.length).toBeGreaterThan(0);
  expect(runningIn(pid)).toEqual([]);
  // Each chapter says what to type next. `book` asks, and nobody answers here.
  const lines: string[] = json.result.chapters.map(({ type }: any) => type.join(' && '));
  const codes = await Promise.all(lines.map((line) => execute('sh', ['-c', line], home.path, environment(home.path))));
  expect(codes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 6, 0, 0]);
});

it('a chapter that does not hold is shown, and try exits with 1', async () => {
  // The servers of the demonstration read English texts as German ones.
  const swap = join(home.path, 'swap.mjs');
  const lines = [
    `import fs from 'node:fs/promises';`,
    `import { syncBuiltinESMExports } from 'node:module';`,
    `const { readFile } = fs;`,
    `const german = (file) => typeof file === 'string' && file.endsWith('/de.json');`,
    `fs.readFile = (file, ...more) => readFile(german(file) ? file.replace('de.json', 'en.json') : file, ...more);`,
    `syncBuiltinESMExports();`,
  ];
  writeFileSync(swap, lines.join('\n'));
  const { code, out } = await run(['try', 'languages'], { env: { NODE_OPTIONS: `--import=${swap}` } });
  expect([code, out]).toEqual([1, expect.stringMatching(/^ {4}failed {3}titles: expected .*Was verkauft wurde/m)]);
});

it('help COMMAND is COMMAND --help; under npx the examples begin with npx', async () => {
  const env = { npm_execpath: '/npm' };
  const [asked, flagged] = await Promise.all([run(['help', 'call'], { env }), run(['call', '--help'])]);
  expect(flagged.out).toMatch(/^ {2}\$ waybill call today/m);
  expect([asked.code, asked.out]).toEqual([0, flagged.out.replaceAll('$ waybill', '$ npx waybill')]);
});

it('the ledger of a jar tells what a server was told and what was withheld; preview tells it before', async () => {
  writeFileSync(join(home.path, 'held.yaml'), 'default: { location: never }');
  const args = ['call', served.url.href, 'today', '--place', 'AT/Vienna', '--policy', 'held.yaml', '--jar', 'held.db', '--json'];
  const previewed = await run([...args, '--preview']);
  expect(previewed.json.result.withheld).toEqual([{ field: 'location', rule: 'default.location', level: 'never' }]);
  const outcomes = async (): Promise<string[]> =>
    (await run(['ledger', '--jar', 'held.db', '--json'])).json.result.entries.map(({ field, outcome }: any) => `${field} ${outcome}`);
  expect(await outcomes()).toEqual([]);
  expect((await run(args)).code).toBe(0);
  expect(await outcomes()).toEqual(expect.arrayContaining(['location withheld', 'timezone sent']));
  expect((await run(['ledger', 'clear', '--jar', 'held.db'])).code).toBe(6);
  expect((await run(['ledger', 'clear', '--jar', 'held.db', '--yes'])).code).toBe(0);
  expect(await outcomes()).toEqual([]);
});

it('compare gives each context its own formats, and a context without a zone no clock', async () => {
  const contexts = ['--as', 'lang=ja', '--as', 'lang=fr tz=none', '--as', 'nobody'];
  const { json } = await run(['compare', served.url.href, 'context', ...contexts, '--json']);
  const given = json.result.columns.map(({ result }: any) => result.structuredContent.environment.given);
  const now = expect.any(String);
  expect(given).toEqual([{ timezone: 'UTC', locale: 'ja', now }, { locale: 'fr' }, {}]);
});

it('compare marks what differs between contexts', async () => {
  const { code, out } = await run(['compare', served.url.href, 'today', '--as', 'vienna', '--as', 'lang=zh-Hant tz=Asia/Taipei', ...NOW]);
  expect(code).toBe(0);
  expect(out).toMatch(/^≠ language +de +zh-Hant$/m);
  expect(out).toMatch(/^ {2}structuredContent\.date +2026-11-01 +2026-11-01$/m);
});

it('the context "nobody" sends what a client without Waybill sends', async () => {
  const flags = Object.entries(contextFrom('nobody')).flatMap(([name, value]) => [`--${name}`, value].flat());
  const { code, out } = await run(['call', served.url.href, 'today', ...flags, '--preview', '--json']);
  expect(code).toBe(0);
  expect(out).toContain('"tools/call"');
  expect(out).not.toMatch(/"io\.modelcontextprotocol\/(?:clientContext|acceptLanguage)"/);
});

it('a record has no secrets and mode 0600; replay tells whether the answer is the same', async () => {
  const args = ['call', served.url.href, 'sales', 'period=last month', '--tz', 'Asia/Tokyo', '--header', 'X-Key: topsecret', ...NOW];
  await run([...args, '--record', 'r.json']);
  const file = join(home.path, 'r.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const record = JSON.parse(readFileSync(file, 'utf8'));
  expect(Object.keys(record)).toEqual(['record', 'revision', 'context', 'request', 'answers', 'result', 'redacted']);
  expect(JSON.stringify(record)).not.toMatch(/topsecret|127\.0\.0\.1/);
  expect((await run(['replay', 'r.json', served.url.href])).code).toBe(0);
  writeFileSync(file, JSON.stringify({ ...record, context: { ...record.context, timezone: 'America/Los_Angeles' } }));
  const { code, json } = await run(['replay', 'r.json', served.url.href, '--json']);
  expect([code, json.ok]).toEqual([1, false]);
  expect(json.result.differences).toContain('structuredContent.start');
});

it('a record has state only with --with-state; replay sends it, unless a jar is named', async () => {
  const add = (item: string, ...flags: string[]) =>
    run(['call', served.url.href, 'add_to_cart', `item=${item}`, '--jar', 'r.db', '--conversation', 'c', ...flags]);
  await add('tea');
  await add('milk', '--record', 'bare.json');
  await add('salt', '--record', 'whole.json', '--with-state');
  const contextIn = (name: string) => JSON.parse(readFileSync(join(home.path, name), 'utf8')).context;
  expect(contextIn('bare.json').state).toBeUndefined();
  expect(contextIn('whole.json').state).toEqual({ session: { 'shop/cart': ['tea', 'milk'] } });
  expect((await run(['replay', 'bare.json', served.url.href])).code).toBe(1);
  expect((await run(['replay', 'whole.json', served.url.href])).code).toBe(0);
  expect((await run(['replay', 'whole.json', ...SHOP_COMMAND])).code).toBe(0);
  expect((await run(['replay', 'whole.json', served.url.href, '--jar', 'other.db'])).code).toBe(1);
});

describe.concurrent('servers of npm', () => {
  const entry = (name: string): string => createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);

  it.for([
    ['everything', ['echo', 'message=hi'], [], 'Echo: hi'],
    ['filesystem', ['list_allowed_directories'], ['.'], 'Allowed directories'],
    ['memory', ['read_graph'], [], 'entities'],
  ] as const)('%s over stdio', async ([name, call, args, due]) => {
    const command = ['--', process.execPath, entry(name), ...args];
    const [listed, called, judged, extracted] = await Promise.all([
      run(['list', ...command]),
      run(['call', ...call, '--lang', 'de', '--trace', 'start', ...command]),
      run(['doctor', '--json', ...command]),
      run(['catalog', 'extract', ...command]),
    ]);
    expect([listed.code, called.code, judged.code]).toEqual([0, 0, 0]);
    // The SDK prints a remark for each list that the server does not have.
    expect(JSON.parse(extracted.out)).toHaveProperty('tools');
    expect(called.out).toContain(due);
    expect(judged.json.result.findings[0]).toMatchObject({ concern: 'language', verdict: 'ignores' });
  });

  it('everything over HTTP', async () => {
    const port = String(await freePort());
    const child = spawn(process.execPath, [entry('everything'), 'streamableHttp'], {
      env: { ...process.env, PORT: port },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise<void>((resolve) => child.stderr.on('data', (chunk: Buffer) => chunk.toString().includes('listening') && resolve()));
    const { code, out } = await run(['call', `http://127.0.0.1:${port}/mcp`, 'echo', 'message=hi', '--lang', 'de']);
    child.kill();
    expect([code, out]).toEqual([0, 'Echo: hi\n']);
  });
});

describe('in a terminal', () => {
  const hasScript = spawnSync('script', ['--version']).status === 0;
  /** util-linux `script` gives the command a real terminal; the input is typed into it. */
  const typed = (args: readonly string[], keys: string, cwd = home.path): Promise<string> =>
    new Promise((resolve) => {
      const line = [process.execPath, WAYBILL, ...args].map((word) => `'${word}'`).join(' ');
      const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env: { ...environment(home.path), TERM: 'xterm' }, stdio: 'pipe' });
      let out = '';
      let wasRequested = false;
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
        if (!wasRequested && /\[y\/N\] |twelve: /.test(out)) {
          wasRequested = true;
          child.stdin.write(keys);
        }
      });
      child.once('close', (code) => resolve(`${out}\nexit ${code}`));
    });
  const test = hasScript || process.env['WAYBILL_NO_SKIP'] ? it : it.skip;
  if (!hasScript) process.stderr.write('script (bsdutils) is missing: tests in a terminal are skipped\n');

  test('a question is asked and answered; colours are used', async () => {
    const out = await typed(['call', 'book', ...SHOP_COMMAND], '4\n');
    expect(out).toContain('The server asks:');
    expect(out).toContain('A table for 4 is booked.');
    expect(out).toMatch(/exit 0$/);
    expect(out).toContain('\u001b[1m');
  });

  test('a project file is confirmed once for each content', async () => {
    const project = makeFolder();
    const put = (extra: string): void =>
      writeFileSync(
        join(project.path, '.mcp.json'),
        JSON.stringify({ mcpServers: { mine: { command: process.execPath, args: [SHOP, '--stdio'] } }, extra }),
      );
    put('a');
    const first = await typed(['call', 'mine', 'stock'], 'y\n', project.path);
    expect(first).toContain('Use the servers of this file?');
    expect(first).toContain('42 in stock.');
    expect(await typed(['call', 'mine', 'stock'], '', project.path)).not.toContain('Use the servers');
    put('b');
    expect(await typed(['call', 'mine', 'stock'], 'n\n', project.path)).toMatch(/Use the servers[^]*exit 6$/);
    project.remove();
  });

  test('the key Ctrl-C in a question ends with 130', async () => {
    const out = await typed(['call', 'book', ...SHOP_COMMAND], '\u0003');
    expect(out).toMatch(/twelve: [^\n]*\n[^\n]*\nexit 130$/);
    expect(out).not.toContain('booked');
  });

  test('Ctrl-C stops the child and exits with 130', async () => {
    const child = spawn(process.execPath, [WAYBILL, 'list', '--', process.execPath, '-e', 'setInterval(() => 0, 1000)'], {
      env: environment(home.path),
      stdio: 'ignore',
      detached: true,
    });
    const session = child.pid ?? -1;
    await expect.poll(() => runningIn(session).length, { timeout: 10_000 }).toBe(2);
    child.kill('SIGINT');
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect([code, runningIn(session)]).toEqual([130, []]);
  });
});
