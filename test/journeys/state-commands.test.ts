/**
 * STATE-30, D-30: two different commands never share a drawer. Real programs start two real servers, in pairs that a guess from their
 * options would take for one; the second never receives what the first set.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, it } from 'vitest';
import { clientContext, type ClientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import { stdioIdentity } from 'waybill/client/node';
import { peerOf } from './clients.js';

const SERVER = fileURLToPath(new URL('./fixtures/remembers.cjs', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-commands-')));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);
for (const name of ['one', 'two', 'bin', 'node_modules/.bin']) mkdirSync(at(name), { recursive: true });
for (const name of ['a.cjs', 'b.cjs', 'one/server.cjs', 'two/server.cjs']) copyFileSync(SERVER, at(name));
const { execPath } = process;

/** One program under two names, which runs the script of its own name. */
writeFileSync(at('bin/multi'), `#!/bin/sh\nexec '${execPath}' "${folder}/$(basename "$0").cjs"\n`);
chmodSync(at('bin/multi'), 0o755);
for (const name of ['a', 'b']) symlinkSync(at('bin/multi'), at(`bin/${name}`));
/** One script that is another server under each of its links. */
writeFileSync(
  at('either.cjs'),
  `#!${execPath}\nrequire(require('node:path').basename(process.argv[1]).startsWith('first') ? './a.cjs' : './b.cjs');\n`,
);
for (const name of ['first.cjs', 'second.cjs']) symlinkSync(at('either.cjs'), at(name));
for (const name of ['first', 'second']) symlinkSync(at('either.cjs'), at(`node_modules/.bin/${name}`));
chmodSync(at('either.cjs'), 0o755);
writeFileSync(at('node_modules/.bin/through'), `#!${execPath}\nrequire(require('node:path').resolve(process.argv[2]));\n`);
chmodSync(at('node_modules/.bin/through'), 0o755);
/** One script, with another script loaded before it. */
for (const name of ['a', 'b']) writeFileSync(at(`be-${name}.cjs`), `process.env.WHO = '${name}';\n`);

interface Start {
  readonly command: string;
  readonly args: string[];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}
const line = (text: string, more: Partial<Start> = {}): Start => {
  const [command = '', ...args] = text.split(' ');
  return { command, args, cwd: folder, ...more };
};

async function call(waybill: ClientContext, start: Start, set?: string, server?: string): Promise<{ who: string; state: object }> {
  const peer = peerOf('v1');
  await peer.connect(waybill.attach(new StdioClientTransport(start), server === undefined ? {} : { server }));
  try {
    const result = (await peer.callTool({ name: 'call', arguments: set === undefined ? {} : { set } })) as { content: { text: string }[] };
    return JSON.parse(result.content[0]!.text) as { who: string; state: object };
  } finally {
    await peer.close();
  }
}

/** Keeps npm from asking its registry for news. */
const QUIET = { env: { npm_config_offline: 'true', npm_config_update_notifier: 'false' } };
const wrapped = (wrapper: string): readonly [string, Start, Start] => [
  wrapper,
  line(`${wrapper} node a.cjs`),
  line(`${wrapper} node b.cjs`),
];
const PAIRS: readonly (readonly [string, Start, Start])[] = [
  // One of each shape: options of its own, a variable, neither. The unit tests of stdioIdentity name the other wrappers.
  ...['nice -n 5', 'env X=1', 'nohup'].map(wrapped),
  ['sh -c', line('sh', { args: ['-c', `exec '${execPath}' a.cjs`] }), line('sh', { args: ['-c', `exec '${execPath}' b.cjs`] })],
  ['links to one program', line(at('bin/a')), line(at('bin/b'))],
  ['links to one program on PATH', line('a', { env: { PATH: pathWith('bin') } }), line('b', { env: { PATH: pathWith('bin') } })],
  ['links to one script', line(`${execPath} first.cjs`), line(`${execPath} second.cjs`)],
  ['npx and links to one local program', line('npx first', QUIET), line('npx second', QUIET)],
  ['npx and a local launcher', line('npx through ./a.cjs', QUIET), line('npx through ./b.cjs', QUIET)],
  ['an installed launcher', line(`${execPath} node_modules/.bin/through ./a.cjs`), line(`${execPath} node_modules/.bin/through ./b.cjs`)],
  ['one script in two folders', line(`${execPath} server.cjs`, { cwd: at('one') }), line(`${execPath} server.cjs`, { cwd: at('two') })],
  ['--require', line(`${execPath} --require ./be-a.cjs a.cjs`), line(`${execPath} --require ./be-b.cjs a.cjs`)],
  ['NODE_OPTIONS', line(`${execPath} a.cjs`), line(`${execPath} a.cjs`, { env: { NODE_OPTIONS: `--require ${at('be-b.cjs')}` } })],
  ['-e', line(execPath, { args: ['-e', "require('./a.cjs')"] }), line(execPath, { args: ['-e', "require('./b.cjs')"] })],
];

function pathWith(name: string): string {
  return `${at(name)}${delimiter}${process.env['PATH'] ?? ''}`;
}
const isInstalled = (command: string): boolean =>
  command.includes('/') ||
  pathWith('bin')
    .split(delimiter)
    .some((place) => existsSync(join(place, command)));

describe.skipIf(process.platform === 'win32')('two commands of one kind', { concurrent: true, timeout: 60_000 }, () => {
  it.for(PAIRS)('%s: the second receives nothing of the first, which gets its own state back', async ([, one, other], { skip, expect }) => {
    skip(!isInstalled(one.command), `${one.command} is not installed`);
    const waybill = clientContext({ state: jar({ stdio: stdioIdentity() }) });
    const first = await call(waybill, one, 'a secret of the first');
    const second = await call(waybill, other);
    // The two answers come from two servers.
    expect(second.who).not.toBe(first.who);
    expect(second.state).toEqual({});
    expect(await call(waybill, one)).toEqual({ who: first.who, state: { left: 'a secret of the first' } });
  });

  it('a name given by hand is used for every command', async ({ expect }) => {
    const waybill = clientContext({ state: jar({ stdio: stdioIdentity() }) });
    await call(waybill, line(`nice ${execPath} a.cjs`), 'mine', 'my server');
    expect((await call(waybill, line(`nice -n 5 ${execPath} a.cjs`), undefined, 'my server')).state).toEqual({ left: 'mine' });
  });

  it('a script keeps its drawer for all its own options and variables', async ({ expect }) => {
    const waybill = clientContext({ state: jar({ stdio: stdioIdentity() }) });
    await call(waybill, line(`${execPath} a.cjs`), 'mine');
    expect((await call(waybill, line('node --no-warnings ./a.cjs --port 3', { env: { TOKEN: 'x' } }))).state).toEqual({ left: 'mine' });
  });
});
