/** Subjects that misbehave: the run goes on, the check fails with what was seen, and nothing stays behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { runCheckCommand } from './command/command.js';
import { serveHttp } from './peers/serve.js';
import type { Reply } from './peers/reply.js';
import { ReferenceServer } from './peers/server/server.js';
import type { Message } from './wire/json.js';
import { StdioLink } from './wire/stdio.js';

const reference = new URL('../dist/peers/referenceServer.js', import.meta.url).pathname;
const bin = new URL('../dist/bin.js', import.meta.url).pathname;

async function check(...words: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCheckCommand(['server', '--json', '--timeout', '150', ...words], { stdout, stderr, env: {} });
  return { code, report: JSON.parse(stdout.read()?.toString() ?? 'null'), complaints: stderr.read()?.toString() ?? '' };
}

/** The reference server with another way to answer some requests. */
async function served(change: (message: Message, reply: Reply) => Reply | Promise<Reply>) {
  const server = new ReferenceServer();
  return serveHttp((message, declared, lines) => server.answer(message, declared, lines).then((reply) => change(message, reply)));
}

/** A server on stdin that wraps the reference server; `code` sees each line of its answers. */
const wrapped = (code: string) => [
  '--',
  process.execPath,
  '-e',
  `const { spawn } = require('node:child_process');
   const child = spawn(process.execPath, [${JSON.stringify(reference)}, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
   process.stdin.pipe(child.stdin);
   child.on('exit', () => process.exit());
   require('node:readline').createInterface({ input: child.stdout }).on('line', (line) => { ${code} });`,
];

describe('servers that misbehave', () => {
  it('a server that never answers a list fails the checks that need it, and the others go on', async () => {
    const { url, close } = await served((message, reply) => (message['method'] === 'tools/list' ? new Promise(() => undefined) : reply));
    const { code, report } = await check(url, '--requirement', 'TRACE-04,BASE-04');
    await close();
    expect(code).toBe(1);
    const rows = Object.fromEntries(report.requirements.map((row: any) => [`${row.revision} ${row.id}`, row]));
    expect(rows['2026-07-28 TRACE-04']).toMatchObject({ status: 'fail', observed: expect.stringContaining('no answer within 150 ms') });
    expect(rows['2026-07-28 BASE-04'].status).toBe('pass');
  });

  it('a server that answers nothing any more is asked only a few times', async () => {
    let asked = 0;
    const { url, close } = await served((message, reply) =>
      message['method'] === 'server/discover' || message['method'] === 'initialize' ? reply : (asked++, new Promise(() => undefined)),
    );
    const { code, report } = await check(url, '--only', 'protocol,trace');
    await close();
    expect(code).toBe(1);
    expect(report.requirements.filter(({ observed }: any) => observed.includes('not asked')).length).toBeGreaterThan(3);
    expect(asked).toBeLessThan(20);
  });

  it('a body that is too large fails its check, and the run goes on', async () => {
    const huge = 'x'.repeat(9 * 1024 * 1024);
    const change = (message: Message, reply: Reply): Reply =>
      (message['params'] as Message)['_meta'] !== undefined &&
      'com.example/conformance' in ((message['params'] as Message)['_meta'] as Message)
        ? { ...reply, message: { jsonrpc: '2.0', id: message['id'], result: { huge } } }
        : reply;
    const { url, close } = await served(change);
    const { report } = await check(url, '--timeout', '3000', '--requirement', 'TRACE-04,BASE-04');
    await close();
    const [large] = report.requirements.filter(({ id }: any) => id === 'TRACE-04');
    expect(large).toMatchObject({ status: 'fail', observed: expect.stringContaining('the answer is larger than 8 MB') });
    expect(report.requirements.filter(({ id }: any) => id === 'BASE-04').every(({ status }: any) => status === 'pass')).toBe(true);
  });

  it('a body that is not JSON is shown', async () => {
    const { url, close } = await serveText('<html>login</html>');
    const { code, complaints } = await check(url);
    close();
    expect(code).toBe(3);
    expect(complaints).toContain('with a body that is no JSON-RPC message');
  });

  it('text printed between the messages fails the check during which it came', async () => {
    const { code, report } = await check(
      ...['--timeout', '3000', '--requirement', 'BASE-04'],
      ...wrapped(`console.log('debug: hello'); console.log(line);`),
    );
    expect(code).toBe(1);
    expect(report.requirements[0]).toMatchObject({ status: 'fail', observed: expect.stringContaining('debug: hello') });
  });

  it('text printed before the first message fails the first check', async () => {
    const banner = `if (!globalThis.told) console.log('Server is ready'); globalThis.told = true; console.log(line);`;
    const { report } = await check(...['--timeout', '3000', '--requirement', 'TRACE-04,BASE-04'], ...wrapped(banner));
    const rows = report.requirements.filter(({ revision }: any) => revision === '2026-07-28');
    expect(rows.map(({ id, status }: any) => [id, status])).toEqual([
      ['BASE-04', 'fail'],
      ['TRACE-04', 'pass'],
    ]);
    expect(rows[0].observed).toContain('Server is ready');
  });

  it('answers are paired with their requests by id, whatever the order', async () => {
    const backwards = `
      const held = [];
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        held.unshift({ jsonrpc: '2.0', id, result: { method } });
        if (held.length === 2) for (const one of held) console.log(JSON.stringify(one));
      });`;
    const link = new StdioLink([process.execPath, '-e', backwards]);
    const send = (id: number, method: string) => link.send({ jsonrpc: '2.0', id, method }, { timeout: 5000 });
    const answered = await Promise.all([send(1, 'one'), send(2, 'two')]);
    await link.close();
    expect(answered.map(({ answer }) => answer?.['result'])).toEqual([{ method: 'one' }, { method: 'two' }]);
  });

  it('an answer with the id of no request is mentioned', async () => {
    const other = `const message = JSON.parse(line); console.log(JSON.stringify({ ...message, id: String(message.id) }));`;
    const { code, complaints } = await check('--timeout', '2000', ...wrapped(other));
    expect(code).toBe(3);
    expect(complaints).toContain('no answer within 2000 ms; an answer came with the id "1"');
  });

  it('a second answer to one request fails its check', async () => {
    const { code, report } = await check(
      ...['--timeout', '3000', '--requirement', 'BASE-13'],
      '--strict',
      ...wrapped('console.log(line); console.log(line);'),
    );
    expect(code).toBe(1);
    expect(report.requirements[0]).toMatchObject({ status: 'fail', observed: expect.stringContaining('answered 2 times') });
  });

  it('a process that ends in the middle fails the check that meets it, and is started again for the next', async () => {
    const code = `console.log(line); if (line.includes('-32601')) process.exit(7);`;
    const { report } = await check(...['--timeout', '3000', '--requirement', 'BASE-04,TRACE-04,CTX-14'], ...wrapped(code));
    const rows = report.requirements.filter(({ revision }: any) => revision === '2026-07-28');
    expect(rows.map(({ id, status }: any) => [id, status])).toEqual([
      ['BASE-04', 'fail'],
      ['CTX-14', 'pass'],
      ['TRACE-04', 'pass'],
    ]);
    expect(rows[0].observed).toContain('the process ended with code 7');
  });

  it('a server that cannot be reached again after its first answer fails its checks', async () => {
    // The first process answers the opening and ends at the next message; no other process starts.
    const once = join(mkdtempSync(join(tmpdir(), 'check-')), 'started');
    const code = `
      require('node:fs').writeFileSync(${JSON.stringify(once)}, '', { flag: 'wx' });
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (!['server/discover', 'initialize', 'notifications/initialized'].includes(method)) process.exit(7);
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      });`;
    const { code: exit, report } = await check('--timeout', '5000', '--only', 'language', '--', process.execPath, '-e', code);
    expect(exit).toBe(1);
    const failed = report.requirements.filter(({ status }: any) => status === 'fail');
    expect(failed.length).toBeGreaterThan(10);
    expect(failed[0].observed).toContain('after the first answer no connection: the process ended with code 1');
  });

  it('a server that refuses the handshake with state is judged on the other concerns', async () => {
    const { url, close } = await served((message, reply) => {
      const declared = (message['params'] as Message)['capabilities'] as Message | undefined;
      const refused = { jsonrpc: '2.0', id: message['id'], error: { code: -32602, message: 'unknown capability' } };
      return declared?.['state'] === undefined ? reply : { ...reply, message: refused };
    });
    const { report } = await check(url, '--requirement', 'STATE-04,LANG-08');
    await close();
    const rows = report.requirements.filter(({ revision }: any) => revision === '2025-11-25');
    expect(rows.map(({ id, status }: any) => [id, status])).toEqual([
      ['LANG-08', 'pass'],
      ['STATE-04', 'notApplicable'],
    ]);
    expect(rows[1].observed).toContain('unknown capability');
  });

  it('a command that does not exist, or ends at once, is not reached', async () => {
    const missing = await check('--', '/no/such/program');
    expect(missing.code).toBe(3);
    expect(missing.complaints).toContain('did not start');
    const ended = await check('--timeout', '5000', '--', process.execPath, '-e', 'console.error("no key"); process.exit(9)');
    expect(ended.code).toBe(3);
    expect(ended.complaints).toContain('the process ended with code 9: no key');
  });

  it('Ctrl-C prints the summary and stops the child', async () => {
    // The server answers the opening and then nothing; it tells its process id where the test listens.
    const silent = `
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (method === 'server/discover') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { supportedVersions: [] } }));
        else require('node:http').get('http://127.0.0.1:${await heard.port}/' + process.pid);
      });
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, [bin, 'server', '--timeout', '60000', '--', process.execPath, '-e', silent]);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const pid = await heard.pid;
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(130);
    expect(text).toMatch(/\d+ pass, \d+ fail/);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The address at which a child reports its process id. */
const heard = listen();
function listen() {
  let tell: (pid: number) => void = () => undefined;
  const pid = new Promise<number>((resolve) => (tell = resolve));
  const port = import('node:http').then(({ createServer }) => {
    const server = createServer((request, response) => {
      response.end();
      tell(Number(request.url?.slice(1)));
      server.close();
    });
    return new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as any).port)));
  });
  return { pid, port };
}

async function serveText(text: string) {
  const { createServer } = await import('node:http');
  const server = createServer((_request, response) => response.end(text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as any).port}/mcp`, close: () => server.close() };
}
