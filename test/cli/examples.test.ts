/** Every example of help, README and docs is typed into a shell, as it stands there. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../../packages/cli/src/commands.js';
import { EXAMPLES } from '../../packages/cli/src/program.js';
import { compiled, serve } from '../docs/run.js';
import { serveShop, type Served } from '../state/servers.js';
import { environment, execute, makeFolder, ROOT, runningIn, SHOP, waybill } from './waybill.js';

const home = makeFolder();
const run = waybill(home.path);
let served: Served;
/** The servers that the pages of docs/start build. */
const started: Awaited<ReturnType<typeof serve>>[] = [];
const serverOf: Record<string, string> = {};
beforeAll(async () => {
  served = await serveShop();
  for (const page of ['server', 'express']) {
    const server = await serve(compiled(`start/${page}.ts`));
    started.push(server);
    serverOf[`docs/start/${page}.md`] = server.url;
  }
}, 60_000);
afterAll(async () => {
  await served.kill();
  for (const { child } of started) child.kill();
  home.remove();
});
mkdirSync(join(home.path, 'lasting'));
writeFileSync(join(home.path, 'lasting/gateway.yaml'), `upstreams:\n  shop: { command: [node, "${SHOP}", --stdio] }\n`);
writeFileSync(join(home.path, 'lasting/.mcp.json'), JSON.stringify({ mcpServers: { shop: { command: 'node', args: [SHOP, '--stdio'] } } }));

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const pages = [
  'README.md',
  'llms.txt',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ...readdirSync(join(ROOT, 'packages')).flatMap((name) => (name === 'inspector' ? [] : [`packages/${name}/README.md`])),
].filter((name) => /\.(md|txt)$/.test(name));
const isExample = (line: string): boolean => /(^|&& )(npx )?waybill \w/.test(line);
/** A name such as `waybill jar list`, or a form such as `waybill list TARGET`, is no example. */
const isWhole = (line: string): boolean => / --? ?|"|:\/\//.test(line) && !/[A-Z]{3}|…/.test(line);
/** The command lines of a page: in blocks, and inside its sentences. */
const examplesIn = (page: string): string[] => {
  const text = read(page);
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.split('\n').filter(isExample));
  const inside = [...text.replaceAll(/```.*?```/gs, '').matchAll(/`((?:npx )?waybill [a-z][^`]*)`/g)].map(([, line = '']) => line);
  return [...blocks, ...inside.filter(isWhole)].map((line) => typeable(line, page));
};

/** Runs until Ctrl-C. */
const isLasting = (line: string): boolean => /^waybill (inspect|gateway)\b(?!.* --(check|print)-config)/.test(line);

/** Puts servers of this test in the place of those that an example invents. */
const typeable = (line: string, page = ''): string =>
  line
    .replaceAll('npx waybill', 'waybill')
    .replaceAll(
      /http:\/\/127\.0\.0\.1:3000\/mcp|https:\/\/host(\.example)?\/mcp|http:\/\/127\.0\.0\.1:7780\/mcp/g,
      serverOf[page] ?? served.url.href,
    )
    .replaceAll('node server.js', `node ${SHOP} --stdio`)
    .replaceAll('node server.mjs', `node ${overStdio('start/server.ts')}`)
    .replaceAll('npx -y some-server', `node ${SHOP} --stdio`)
    // The page builds a server with this tool only in pieces.
    .replaceAll(' visits ', ' cart ')
    .replaceAll('node client.js', `node ${ROOT}packages/conformance/dist/peers/referenceClient.js`)
    .replaceAll(' examples/shop/', ` ${ROOT}examples/shop/`)
    // One rule is enough: whole runs have tests in packages/conformance.
    .replace(/^waybill check \w+/, `$& --requirement ${line.includes('--only language') ? 'LANG-20' : 'TRACE-01'}`)
    // Other tests may use the port that a gateway takes by itself.
    .replace(/^waybill gateway/, '$& --listen 127.0.0.1:0');

/** The same program with the other last line that its page offers. */
function overStdio(name: string): string {
  const file = compiled(name, '.cache/docs/stdio/');
  const code = readFileSync(file, 'utf8').replace(/^const handler = .*/ms, 'serveStdio(waybill.attach(buildServer), waybill.stdio());');
  writeFileSync(file, `import { serveStdio } from '@modelcontextprotocol/server/stdio';\n${code}`);
  return file;
}

it('every example of help, README and docs runs', { timeout: 180_000 }, async () => {
  const help = (await Promise.all(['check', 'gateway'].map(async (name) => (await run([name, '--help'])).out)))
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim().replace(/^\$ /, ''))
    .filter((line) => /^waybill (check|gateway) .*(--|http|\.)/.test(line) && !/[A-Z]{3}|…/.test(line));
  const seen = new Set<string>();
  /** Those of one command follow each other: one writes the file that the next one reads. `try` has a test of its own. */
  const ofHelp = [EXAMPLES, ...Object.values(commands).map(({ examples }) => examples), help].map((group) =>
    group.map((line) => typeable(line)),
  );
  const groups = [...ofHelp, ...pages.map(examplesIn)].map((group) =>
    group.filter((line) => !/^waybill try\b/.test(line) && !seen.has(line) && seen.add(line)),
  );
  expect(groups.flat().length).toBeGreaterThan(60);
  const failed: string[] = [];
  const once = async (line: string): Promise<void> => {
    const folder = /^waybill gateway/.test(line) ? join(home.path, 'lasting') : home.path;
    const { code, err } = await execute('sh', ['-c', line], folder, environment(home.path));
    if (code !== 0) failed.push(`${line}: ${code} ${err}`);
  };
  await Promise.all(
    groups.map(async (group) => {
      for (const line of group) await (isLasting(line) ? startAndStop(line, failed) : once(line));
    }),
  );
  expect(failed).toEqual([]);
});

/** Waits until it prints an address, asks there, and stops it with Ctrl-C, which leaves no process. */
async function startAndStop(line: string, failed: string[]): Promise<void> {
  const cwd = join(home.path, 'lasting');
  // With CI set, no browser is opened.
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd, env: environment(home.path, { CI: '1' }), stdio: 'pipe', detached: true });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let said = '';
  const address = await new Promise<string>((resolve) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const [found] = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void ended.then(() => resolve(''));
  });
  const status = address === '' ? 0 : (await fetch(address)).status;
  child.kill('SIGINT');
  const code = await ended;
  if (code !== 130 || status === 0 || status >= 500) failed.push(`${line}: ended with ${code}, answered ${status}: ${said}`);
  await expect.poll(() => runningIn(child.pid ?? -1), { timeout: 10_000 }).toEqual([]);
}
