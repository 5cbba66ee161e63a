/** list, call, read and prompt against the shop, over stdio and HTTP, both revisions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveShop, type Served } from '../state/servers.js';
import { makeFolder, SHOP_COMMAND, waybill } from './waybill.js';

const home = makeFolder();
const run = waybill(home.path);
const NOW = ['--now', '2026-10-31T23:40:00Z'];
let v1: Served;
let v2: Served;
beforeAll(async () => {
  [v1, v2] = await Promise.all([serveShop('--sdk', 'v1'), serveShop()]);
});
afterAll(async () => {
  await Promise.all([v1.kill(), v2.kill()]);
  home.remove();
});

describe.concurrent('waybill call', () => {
  it.for([
    ['stdio', '2026-07-28'],
    ['stdio', '2025-11-25'],
    ['http v2', '2026-07-28'],
    ['http v2', '2025-11-25'],
    ['http v1', '2025-11-25'],
  ] as const)('answers in the context of its flags, over %s on %s', async ([way, revision]) => {
    const flags = ['--lang', 'de-AT', '--tz', 'Europe/Vienna', '--locale', 'de-AT', '--revision', revision, '--json', ...NOW];
    const { url } = way === 'http v1' ? v1 : v2;
    const args = way === 'stdio' ? ['call', 'today', ...flags, ...SHOP_COMMAND] : ['call', url.href, 'today', ...flags];
    const { code, json } = await run(args);
    expect([code, json.ok, json.command, json.language]).toEqual([0, true, 'call', 'de']);
    expect(json.result.content[0].text).toBe('Heute ist Sonntag, 1. November 2026.');
    expect(json.issues).toEqual([]);
  });

  it('prints the answer to stdout and nothing else', async () => {
    const { code, out, err } = await run(['call', v2.url.href, 'price', 'count=2', '--lang', 'fr', '--locale', 'fr-FR', ...NOW]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^2 places : 25,00\s€/u);
  });

  it('reads arguments as the schema says: single names, JSON, an object, a file, stdin; single names win', async () => {
    writeFileSync(join(home.path, 'args.json'), '{"count":7,"language":"de"}');
    const count = async (words: string[], stdin = ''): Promise<unknown> => {
      const { json } = await run(['call', v2.url.href, 'price', ...words, '--json'], { stdin });
      return json.result?.structuredContent?.count ?? json.error;
    };
    const counts = [
      count(['count=2']),
      count(['count:=3']),
      count(['{"count":4}']),
      count(['@args.json']),
      count(['-'], '{"count":8}'),
      count(['count=5', '@args.json', '{"count":6}']),
    ];
    expect(await Promise.all(counts)).toEqual([2, 3, 4, 7, 8, 5]);
  });

  it('sends an argument that the schema does not list, and says that it looks misspelt', async () => {
    const { code, err } = await run(['call', v2.url.href, 'price', 'count=2', 'langauge=de']);
    expect([code, err]).toEqual([0, 'note: langauge is not an argument. Did you mean language?\n']);
  });

  it('declares a capability that the protocol does not have, and says so once', async () => {
    const { code, json } = await run(['call', v2.url.href, 'context', '--capability', 'elicitaton', '--json']);
    expect([code, Object.keys(json.result.structuredContent.capabilities)]).toEqual([0, expect.arrayContaining(['elicitaton'])]);
    expect(json.issues).toMatchObject([{ problem: 'elicitaton is no capability of the protocol. Did you mean elicitation?' }]);
  });

  it('shows each message with each concern marked, on stderr; as JSON lines with --json', async () => {
    const { err } = await run(['call', v2.url.href, 'today', '--lang', 'de', '--trace', 'start', '--messages', ...NOW]);
    expect(err).toMatch(/^→ tools\/call #\d+ today\n {4}language {5}io\.modelcontextprotocol\/acceptLanguage "de"/m);
    expect(err).toMatch(/^ {4}environment {2}\S+ .*"currentTimestamp":"2026-10-31T23:40:00Z"/m);
    expect(err).toMatch(/^ {4}trace {8}traceparent "00-/m);
    expect(err).toMatch(/^← result #\d+/m);
    expect(err).toMatch(/^ {4}language {5}accept-language: de$/m);
    const { out } = await run(['call', v2.url.href, 'today', '--lang', 'de', '--messages', '--json', ...NOW]);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ ok: true, command: 'call' });
    const called = lines.find(({ message }) => message?.method === 'tools/call');
    expect(called).toMatchObject({ direction: 'sent', headers: { 'accept-language': 'de', 'mcp-name': 'today' } });
  });

  it('--preview shows what would be sent, with its header, and sends nothing', async () => {
    const args = [
      'call',
      'http://127.0.0.1:9/mcp',
      'price',
      'count=1',
      '--lang',
      'fr',
      '--tz',
      'none',
      '--place',
      'AT/Vienna',
      '--preview',
    ];
    const { code, json } = await run([...args, '--json']);
    expect(code).toBe(0);
    expect(json.result.headers).toEqual({
      'accept-language': 'fr',
      'mcp-method': 'tools/call',
      'mcp-name': 'price',
      'mcp-protocol-version': '2026-07-28',
    });
    const { environment } = json.result.concerns;
    expect(Object.values<any>(environment)[0]).toMatchObject({ userLocation: { country: 'AT', city: 'Vienna' }, locale: 'fr' });
    expect(JSON.stringify(environment)).not.toMatch(/timezone|currentTimestamp/);
  });

  it('--preview shows the message that a call then sends, with the state of a jar, with and without a policy', async () => {
    writeFileSync(join(home.path, 'open.yaml'), 'default: { location: always }');
    const fixed = ['--now', '2026-10-31T23:40:00Z', '--lang', 'de', '--jar', 'seen.db', '--conversation', 'c'];
    const call = (...flags: string[]) => run(['call', v2.url.href, 'add_to_cart', 'item=tea', ...fixed, ...flags, '--json']);
    await call();
    for (const flags of [[], ['--policy', 'open.yaml']]) {
      const previewed = await call('--preview', ...flags);
      const { out } = await call('--messages', ...flags);
      const sent = out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .find(({ message }) => message?.method === 'tools/call');
      const { progressToken: _, ...meta } = sent.message.params._meta;
      const { progressToken: __, ...due } = previewed.json.result.message.params._meta;
      expect(due).toEqual(meta);
      expect(JSON.stringify(due)).toContain('tea');
      expect(previewed.json.result.headers).toEqual(sent.headers);
    }
  }, 60_000);

  it.for<[string[], object]>([
    [['--lang', 'de-AT'], { timezone: 'UTC', locale: 'de-AT' }],
    [['--lang', 'de;q=0.5, fr-CH'], { timezone: 'UTC', locale: 'fr-CH' }],
    [['--lang', 'de-AT', '--locale', 'en-GB'], { timezone: 'UTC', locale: 'en-GB' }],
    [['--lang', 'auto'], { timezone: 'UTC', locale: 'en-US' }],
    [['--lang', 'none'], { timezone: 'UTC', locale: 'en-US' }],
    [['--lang', '*'], { timezone: 'UTC', locale: 'en-US' }],
  ])('%j sends the formats of that user', async ([flags, due]) => {
    const { json } = await run(['call', v2.url.href, 'context', ...flags, ...NOW, '--json']);
    expect(json.result.structuredContent.environment.given).toEqual({ ...due, now: '2026-10-31T23:40:00Z' });
  });

  it('--tz none sends no clock, unless --now gives one', async () => {
    const given = async (...flags: string[]): Promise<unknown> => {
      const { json } = await run(['call', v2.url.href, 'context', '--tz', 'none', '--locale', 'none', ...flags, '--json']);
      return json.result.structuredContent.environment.given;
    };
    expect(await given()).toEqual({});
    expect(await given(...NOW)).toEqual({ now: '2026-10-31T23:40:00Z' });
  });

  it('a tool that says isError is the answer no: exit 1', async () => {
    const { code, json } = await run(['call', v2.url.href, 'fail', 'kind=tool', '--json']);
    expect([code, json.ok, json.result.isError]).toEqual([1, false, true]);
  });

  it('answers a question of the server from a file, on both revisions', async () => {
    writeFileSync(join(home.path, 'answer.json'), '{"guests":4,"colour":"blue"}');
    for (const revision of ['2026-07-28', '2025-11-25']) {
      const { code, json } = await run(['call', 'book', '--answer', 'answer.json', '--json', '--revision', revision, ...SHOP_COMMAND]);
      expect([code, json.result.structuredContent]).toEqual([0, { booked: true, guests: 4 }]);
    }
  });

  it('keeps state with --jar and a conversation, and nothing without', async () => {
    const add = (item: string, ...flags: string[]) => run(['call', v2.url.href, 'add_to_cart', `item=${item}`, '--json', ...flags]);
    const kept = ['--jar', 'jar.db', '--conversation', 'c1'];
    await add('tea', ...kept);
    expect((await add('milk', ...kept)).json.result.structuredContent).toEqual({ items: ['tea', 'milk'] });
    expect((await add('salt', '--jar', 'jar.db', '--conversation', 'c2')).json.result.structuredContent).toEqual({ items: ['salt'] });
    expect((await add('salt')).json.result.structuredContent).toEqual({ items: ['salt'] });
    const fromEnv = await run(['call', v2.url.href, 'cart', '--conversation', 'c1', '--json'], { env: { WAYBILL_JAR: 'jar.db' } });
    expect(fromEnv.json.result.structuredContent).toEqual({ items: ['tea', 'milk'] });
  });

  it('keeps the state of a typed command in another window, but not under code that is loaded into it', async () => {
    const add = (item: string, env: Record<string, string>) =>
      run(['call', 'add_to_cart', `item=${item}`, '--json', '--jar', 'typed.db', '--conversation', 'c', ...SHOP_COMMAND], { env });
    await add('tea', { WINDOWID: '1' });
    expect((await add('milk', { WINDOWID: '2' })).json.result.structuredContent).toEqual({ items: ['tea', 'milk'] });
    const loaded = await add('salt', { NODE_OPTIONS: '--no-deprecation' });
    expect(loaded.json.result.structuredContent).toEqual({ items: ['salt'] });
  }, 60_000);

  it('takes options from flags, then the environment, then the file', async () => {
    writeFileSync(join(home.path, 'options.json'), '{"tz":"Asia/Tokyo","locale":"ja-JP","lang":"fr"}');
    const env = { WAYBILL_OPTIONS: join(home.path, 'options.json'), WAYBILL_TZ: 'Europe/Vienna', WAYBILL_LANG: 'ar' };
    const { json } = await run(['call', v2.url.href, 'context', '--lang', 'de', '--json'], { env });
    expect(json.result.structuredContent.environment).toMatchObject({ timezone: 'Europe/Vienna', locale: 'ja-JP' });
    expect(json.language).toBe('de');
  });
});

describe.concurrent('waybill list, read, prompt', () => {
  it('list shows what there is in the language asked for, and why a tool cannot be used', async () => {
    const { code, out, err } = await run(['list', v2.url.href, '--lang', 'de']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Tools\n/);
    expect(out).toContain('Was verkauft wurde');
    expect(out).toMatch(/needs_sampling_tools .*\(unavailable: needs sampling\.tools/);
    expect(err).toBe('Laden, revision 2026-07-28, in de\n');
    const { json } = await run(['list', v2.url.href, '--capability', 'none', '--json']);
    const book = json.result.tools.find(({ name }: any) => name === 'book');
    expect(JSON.stringify(book._meta)).toContain('elicitation.form');
  });

  it('read and prompt answer in the language asked for', async () => {
    expect((await run(['read', v2.url.href, 'doc://terms', '--lang', 'fr'])).out).toBe('Soyez aimable. Rien d’autre n’est demandé.\n');
    const { out } = await run(['prompt', v2.url.href, 'greeting', '--lang', 'de']);
    expect(out).toBe('user: Begrüße den Benutzer herzlich auf Deutsch.\n');
  });
});

describe('waybill range', () => {
  it('gives instants, or exits 1 and says why there is none', async () => {
    const flags = ['--locale', 'de-AT', '--tz', 'Europe/Vienna', ...NOW];
    const { code, json } = await run(['range', 'letzten Monat', ...flags, '--json']);
    expect([code, json.result.start, json.result.end]).toEqual([
      0,
      '2026-10-01T00:00:00+02:00[Europe/Vienna]',
      '2026-11-01T00:00:00+01:00[Europe/Vienna]',
    ]);
    const none = await run(['range', 'Guten Tag', ...flags]);
    expect([none.code, none.out, none.err]).toEqual([1, '', 'No answer in de-AT: it says nothing about time.\n']);
  });

  it('reads a phrase of another language than the machine has, if only one reading is left', async () => {
    const { code, out, err, json } = await run(['range', 'letzten Monat', '--tz', 'Europe/Vienna', ...NOW]);
    expect([code, out, err]).toEqual([
      0,
      '2026-10-01T00:00:00+02:00[Europe/Vienna]  to  2026-11-01T00:00:00+01:00[Europe/Vienna]\n',
      'Read as German.\n',
    ]);
    expect(json).toBeUndefined();
    expect((await run(['range', 'letzten Monat', '--lang', 'en', ...NOW])).code).toBe(1);
  });

  it('loads neither an SDK nor a parser of files that it does not need, and --help not even the commands', async () => {
    writeFileSync(join(home.path, 'tell.mjs'), 'export const load = (url, context, next) => (process._rawDebug(url), next(url, context));');
    writeFileSync(join(home.path, 'hook.mjs'), `import { register } from 'node:module'; register('./tell.mjs', import.meta.url);`);
    const env = { NODE_OPTIONS: `--import=${join(home.path, 'hook.mjs')}` };
    const [range, help] = await Promise.all([run(['range', 'last month'], { env }), run(['--help'], { env })]);
    expect([range.code, help.code]).toEqual([0, 0]);
    expect(range.err).toContain('/packages/time/dist/');
    expect(range.err).not.toMatch(/modelcontextprotocol|conformance|gateway\/dist|smol-toml|ajv/);
    expect(help.err).toContain('/dist/program.js');
    expect(help.err).not.toMatch(/modelcontextprotocol|packages\/(waybill|time|gateway|conformance)\/|dist\/commands\//);
  });
});
