import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf, serveHttp, type Served, serveRaw } from '../peers/serve.js';
import { ReferenceServer } from '../peers/server/server.js';
import { CONTENT_LANGUAGE } from '../wire/keys.js';
import { runCheckCommand } from './command.js';
import { readWords } from './words.js';

async function check(...words: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCheckCommand(words, { stdout, stderr, env: {} });
  return { code, out: stdout.read()?.toString() ?? '', err: stderr.read()?.toString() ?? '' };
}

const serve = (...faults: string[]) => {
  const server = new ReferenceServer(faults);
  return serveHttp((message, declared, lines) => server.answer(message, declared, lines));
};

describe('wrong words', () => {
  it.each([
    ['expected server, client or gateway', ['sever', 'http://x']],
    ['either a URL or -- COMMAND', ['server']],
    ['is no http URL', ['server', 'localhost:3000']],
    ['is not known; try LANG-01', ['server', 'http://x', '--requirement', 'LANG-x']],
    ['is not known; try BASE-01', ['server', 'http://x', '--requirement', 'FOO-1']],
    ['"time" is not known', ['server', 'http://x', '--only', 'time']],
    ['--header: expected "Name: value"', ['server', 'http://x', '--header', 'Authorization']],
    ['--header: expected "Name: value"', ['server', 'http://x', '--header', 'X-Name: ✓']],
    ['--args: expected a JSON object', ['server', 'http://x', '--tool', 'a', '--args', '[]']],
    ['--wire: expected current or seed', ['server', 'http://x', '--wire', 'old']],
    ['-- COMMAND that starts the client', ['client', 'http://x']],
    ['{stdio} or {http} once', ['gateway', '--url', 'http://127.0.0.1:{port}/', '--', 'gw']],
    ['Unknown option', ['server', 'http://x', '--fast']],
    ['CTX-13 is a rule for clients', ['server', 'http://x', '--requirement', 'CTX-13']],
    ['language is left out by --only', ['server', 'http://x', '--only', 'trace', '--expect', 'language']],
    ['language has no check that --requirement selects', ['server', 'http://x', '--requirement', 'TRACE-01', '--expect', 'language,trace']],
    ['--only, --requirement and --wire leave no check', ['server', 'http://x', '--only', 'language', '--requirement', 'TRACE-01']],
    ['--args: it needs --tool', ['server', 'http://x', '--args', '{}']],
    ['--tool: only "check server" uses it', ['client', '--tool', 'a', '--', 'node']],
    ['--tool: only "check server" uses it', ['gateway', '--url', 'http://127.0.0.1/', '--tool', 'a', '--', 'gw', '{http}']],
    ['--header: only "check server URL" uses it', ['server', '--header', 'A: b', '--', 'node']],
    ['--header: only "check server URL" uses it', ['client', '--header', 'A: b', '--', 'node']],
    ['--header: only "check server URL" uses it', ['gateway', '--url', 'http://x', '--header', 'A: b', '--', 'gw', '{http}']],
    ['no such file', ['server', 'http://x', '--baseline', '/no/such/file']],
  ])('%s', async (message, words) => {
    const { code, err } = await check(...words);
    expect(code).toBe(2);
    expect(err.toLowerCase()).toContain(message.toLowerCase());
  });

  it('help is no mistake', async () => {
    for (const words of [[], ['--help'], ['server', '-h']]) {
      const { code, out } = await check(...words);
      expect(code).toBe(0);
      expect(out).toContain('Exit codes');
    }
  });
});

describe('fitting words', () => {
  it('a concern that is expected beside one of its rules is no mistake', () => {
    const words = ['server', 'http://x', '--requirement', 'TRACE-01,LANG-42', '--expect', 'trace,language'];
    expect(readWords(words)?.expected).toEqual(new Set(['trace', 'language']));
  });
});

describe('a run', () => {
  let good: Served;
  let faulty: Served;
  const folder = mkdtempSync(join(tmpdir(), 'check-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  beforeAll(async () => {
    [good, faulty] = [await serve(), await serve('language-lenient-agreement', 'shuffles-tools')];
  });
  afterAll(async () => {
    await good.close();
    await faulty.close();
  });

  it('a server that keeps every rule ends with 0, and the table has a line for each', async () => {
    const { code, out } = await check('server', good.url, '--only', 'trace');
    expect(code).toBe(0);
    expect(out).toContain('2026-07-28 over http\n  ✓ ');
    expect(out).toContain('  ✓ TRACE-01  MUST');
    expect(out).toMatch(/16 pass, 0 fail, 0 warn, 0 not applicable\n$/);
  });

  it('a broken MUST fails and its exchange is shown with the offending part marked', async () => {
    const { code, out } = await check('server', faulty.url, '--requirement', 'LANG-42');
    expect(code).toBe(1);
    expect(out).toContain('✗ LANG-42');
    expect(out).toMatch(/Accept-Language: EN\n/);
    expect(out).toMatch(/^ {8}> \{$/m);
  });

  it('a rule that was asked for and is judged elsewhere only is not applicable, with the reason', async () => {
    const stdio = ['--', process.execPath, new URL('../../dist/peers/referenceServer.js', import.meta.url).pathname, '--stdio'];
    const { out } = await check('server', '--requirement', 'LANG-42,BASE-15', ...stdio);
    expect(out).toMatch(/– LANG-42 .* not applicable: it is judged over http only/);
    expect(out).toMatch(/– BASE-15 .* not applicable: it is judged on 2026-07-28 only/);
    expect(out).toContain('1 pass, 0 fail, 0 warn, 3 not applicable');
  });

  it('a broken SHOULD warns, and fails with --strict', async () => {
    const warned = await check('server', faulty.url, '--requirement', 'BASE-13');
    expect([warned.code, warned.out.includes('! BASE-13')]).toEqual([0, true]);
    const strict = await check('server', faulty.url, '--requirement', 'BASE-13', '--strict');
    expect([strict.code, strict.out.includes('✗ BASE-13')]).toEqual([1, true]);
  });

  it('--json has exactly the documented members', async () => {
    const { out } = await check('server', faulty.url, '--json', '--requirement', 'LANG-42');
    const report = JSON.parse(out);
    expect(Object.keys(report)).toEqual(['report', 'subject', 'summary', 'requirements']);
    expect(report).toMatchObject({ report: 1, subject: `server ${faulty.url}`, summary: { pass: 0, fail: 2, warn: 0, notApplicable: 0 } });
    expect(Object.keys(report.requirements[0])).toEqual(['id', 'level', 'revision', 'transport', 'status', 'observed', 'exchange']);
    expect(report.requirements[0].exchange.sent.message.method).toBe('tools/call');
  });

  it('--junit writes a failure, and text that XML cannot hold is replaced', async () => {
    const junit = join(folder, 'report.xml');
    await check('server', faulty.url, '--junit', junit, '--requirement', 'LANG-42');
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toContain('<testsuite name="2026-07-28 http" tests="1" failures="1" skipped="0">');
    expect(xml).toContain('<failure message="language:agreement: header &quot;EN&quot;');
  });

  it('a baseline excuses the failures it names; a stale or unnamed one fails, if its checks were run', async () => {
    const only = ['--only', 'language'];
    const named = file('named.yaml', 'server:\n  - language:agreement\n');
    expect((await check('server', faulty.url, ...only, '--baseline', named)).code).toBe(0);
    const whole = file('whole.yaml', 'server: [language]\nclient: []\n');
    expect((await check('server', faulty.url, ...only, '--baseline', whole)).code).toBe(0);
    const stale = await check('server', good.url, ...only, '--baseline', named);
    expect([stale.code, stale.err]).toEqual([1, expect.stringContaining('language:agreement is in the baseline and does not fail')]);
    const more = file('more.yaml', 'server: [language:agreement, protocol:order, trace]');
    expect((await check('server', faulty.url, ...only, '--baseline', more)).err).toBe('');
    const warns = file('warns.yaml', 'server: [language:agreement, protocol:order]');
    expect((await check('server', faulty.url, '--baseline', warns)).err).toBe('');
    const wrongName = await check('server', faulty.url, '--baseline', file('name.yaml', 'server: [language:agreement, language:agreemnt]'));
    expect([wrongName.code, wrongName.err]).toEqual([1, expect.stringContaining('language:agreemnt is in the baseline')]);
    const other = await check('server', faulty.url, ...only, '--baseline', file('other.yaml', 'server: []'));
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('language:agreement fails and is not in the baseline')]);
    const wrong = await check('server', good.url, '--baseline', file('wrong.yaml', 'servers: [x]'));
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('"servers" is none of server, client, gateway')]);
  });

  it('headers of the user and the credentials of the URL are sent, and the report does not show their values', async () => {
    let sent: IncomingHttpHeaders = {};
    const server = new ReferenceServer(['refuses-unknown-meta']);
    const { url, close } = await serveRaw((message, request) => {
      sent = request.headers;
      return server.answer(message, {}, linesOf(request));
    });
    const named = url.replace('http://', 'http://me:secret%20word@');
    const { code, out } = await check('server', named, '--header', 'X-Key: top secret', '--requirement', 'TRACE-04');
    await close();
    expect(sent).toMatchObject({ authorization: `Basic ${btoa('me:secret word')}`, 'x-key': 'top secret' });
    expect([code, out.match(/X-Key: .*/g)]).toEqual([1, ['X-Key: ***', 'X-Key: ***']]);
    expect(out).not.toContain(btoa('me:secret word'));
  });

  it('credentials and queries of a URL are masked', async () => {
    const { out } = await check(
      'server',
      good.url.replace('http://', 'http://me:secret@') + '?key=secret',
      '--json',
      '--requirement',
      'BASE-15',
    );
    expect(out).not.toContain('secret@');
    expect(JSON.parse(out).subject).toContain('http://***:***@');
  });
});

/** Rules that bind every server, or lie between two concerns. */
const ELSEWHERE = ['LANG-09', 'LANG-13', 'CTX-14', 'CTX-29', 'CAP-05'];

describe('taking part', () => {
  /** A server that implements one proposal only: the others find nothing to judge. */
  const partial = (hide: RegExp) => {
    const server = new ReferenceServer();
    return serveHttp(async (message, declared, lines) => {
      const reply = await server.answer(message, declared, lines);
      const result = (reply.message as any)?.result;
      if (result?.tools) result.tools = result.tools.filter(({ name }: any) => !hide.test(name));
      return reply;
    });
  };

  it.each([
    ['LANG', /check_language/],
    ['CTX', /check_(range|format)/],
    ['STATE', /check_state/],
    ['CAP', /check_ask/],
  ])('a server with %s only is judged on it, and the other concerns are not applicable', async (own, tools) => {
    const server = new ReferenceServer();
    const { url, close } = await serveHttp(async (message, declared, lines) => {
      const reply = await server.answer(message, declared, lines);
      const result = (reply.message as any)?.result;
      if (result?.tools) result.tools = result.tools.filter(({ name }: any) => tools.test(name));
      if (own === 'LANG') return reply;
      // No report of language, neither in the body nor in the head.
      if (result?._meta) delete result._meta[CONTENT_LANGUAGE];
      return { ...reply, headers: reply.headers.filter(([name]) => name !== 'Content-Language') };
    });
    const { code, out } = await check('server', url, '--json', '--strict');
    await close();
    expect(code).toBe(0);
    const rows: { id: string; status: string }[] = JSON.parse(out).requirements;
    const statuses = (family: string) =>
      new Set(rows.filter(({ id }) => id.startsWith(`${family}-`) && !ELSEWHERE.includes(id)).map(({ status }) => status));
    expect(statuses(own)).toContain('pass');
    for (const other of ['LANG', 'CTX', 'STATE', 'CAP'].filter((family) => family !== own))
      expect([other, statuses(other)]).toEqual([other, new Set(['notApplicable'])]);
  });

  it('--expect makes not taking part a failure', async () => {
    const { url, close } = await partial(/check_(range|state)/);
    const { code, out } = await check('server', url, '--only', 'state', '--expect', 'state');
    await close();
    expect(code).toBe(1);
    expect(out).toContain('state:expected: expected to take part, but no state key in the results of tools/list');
  });

  it('a server that takes part but lacks a fixture fails the check that needs it', async () => {
    const { url, close } = await partial(/check_language/);
    const { code, out } = await check('server', url, '--only', 'language');
    await close();
    expect(code).toBe(1);
    expect(out).toContain('language:error: the check needs a tool that fails, and the fixture tool check_language is not listed');
  });
});
