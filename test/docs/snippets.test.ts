/** The code of the documents: every fence is a file of docs/snippets, and every file is type-checked and runs. */
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { compiled, serve, start, type Program } from './run.js';

const root = new URL('../../', import.meta.url);
const snippets = new URL('docs/snippets/', root);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const started: Program[] = [];
afterAll(() => started.forEach(({ child }) => child.kill()));

/** Files that are programs of their own; the tests below start them. All others check themselves when they are imported. */
const PROGRAMS = ['readme/server.ts', 'readme/client.ts', 'start/server.ts', 'start/client.ts', 'start/express.ts'];
const files = readdirSync(snippets, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

describe('the first screen of the README', () => {
  const said = async (client: string): Promise<string> => {
    const program = start(client);
    expect(await program.ended, program.said()).toBe(0);
    return /text: '(.*)'/.exec(program.said())?.[1] ?? program.said();
  };

  it('says what its programs print', async () => {
    compiled('readme/server.ts');
    const [before, after] = [await said(bareClient()), await said(compiled('readme/client.ts'))];
    expect([before, after]).toEqual(['Saturday, October 31', 'Sonntag, 1. November']);
    for (const text of [before, after]) expect(read('README.md')).toContain(text);
  });
});

/** The client of the README without the layer, and a server whose machine shows 23:40 UTC: nobody hands it a clock. */
function bareClient(): string {
  const client = compiled('readme/client.ts', '.cache/docs/readme/bare/');
  const code = readFileSync(client, 'utf8')
    .replace(/waybill\.attach\((.*)\)\);$/m, '$1);')
    .replace("['server.mjs']", "['--import', 'data:text/javascript,Date.now = () => Date.UTC(2026, 9, 31, 23, 40)', '../server.mjs']");
  expect(code).not.toContain('attach');
  writeFileSync(client, code);
  return client;
}

/** A folder with the files that a document shows, and no others: what a reader has. */
function shown(document: string): string {
  const folder = fileURLToPath(new URL('.cache/docs/shown/', root));
  rmSync(folder, { recursive: true, force: true });
  for (const [, name = '', text = ''] of read(document).matchAll(/^```(?:yaml|json) start\/(\S+)\n([^]*?)^```$/gm)) {
    mkdirSync(dirname(folder + name), { recursive: true });
    writeFileSync(folder + name, text);
  }
  return folder;
}

describe('a file of docs/snippets', () => {
  it.each(files.filter((name) => /^(?:start|guides)\//.test(name)))('%s is shown whole in its page, or linked from it', (name) => {
    const [room = '', file = ''] = name.split('/');
    const page = read(`docs/${room}/${file === 'traceOtel.ts' ? 'trace' : file.replace('.ts', '')}.md`);
    expect(page.includes(`\`\`\`ts ${name}\n`) || page.includes(`(../snippets/${name})`)).toBe(true);
  });

  it('has no type errors, whichever it is', { timeout: 120_000 }, () => {
    const { config } = ts.readConfigFile(fileURLToPath(new URL('tsconfig.json', root)), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, fileURLToPath(root));
    const program = ts.createProgram(
      files.map((name) => fileURLToPath(new URL(name, snippets))),
      options,
    );
    const problems = ts.getPreEmitDiagnostics(program);
    expect(
      ts.formatDiagnostics(problems, { getCanonicalFileName: (name) => name, getCurrentDirectory: () => '', getNewLine: () => '\n' }),
    ).toBe('');
  });

  it.each(files.filter((name) => !PROGRAMS.includes(name)))('%s runs and checks itself', { timeout: 60_000 }, async (name) => {
    await import(/* @vite-ignore */ new URL(name, snippets).href);
  });
});

describe('the programs of docs/start', () => {
  it('a server and a client over HTTP', async () => {
    const server = await serve(compiled('start/server.ts'));
    started.push(server);
    const client = start(compiled('start/client.ts'), { URL: server.url, TZ: 'Europe/Vienna', LANG: 'de_AT.UTF-8' });
    expect(await client.ended, client.said()).toBe(0);
    expect(client.said()).toMatch(/\(\w+, Europe\/Vienna\)[^]*\(de, Asia\/Tokyo\)/);
  });

  it('an Express app on SDK v1', async () => {
    const server = await serve(compiled('start/express.ts'));
    started.push(server);
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'Accept-Language': 'de-AT' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'opening', arguments: {}, _meta: { 'io.modelcontextprotocol/acceptLanguage': 'de-AT' } },
      }),
    });
    expect(await answer.text()).toContain('19. November 2026 um 08:00');
  });

  it('the configuration of a gateway translates a title', async () => {
    const folder = shown('docs/start/unchangeable.md');
    const command = fileURLToPath(new URL('packages/cli/bin/waybill.js', root));
    const gateway = start(command, {}, ['gateway', '--config', `${folder}gateway.yaml`, '--listen', '127.0.0.1:0']);
    started.push(gateway);
    let address: string | undefined;
    while (address === undefined) {
      await Promise.race([once(gateway.child.stdout!, 'data'), once(gateway.child.stderr!, 'data'), gateway.ended]);
      if (gateway.child.exitCode !== null) throw new Error(gateway.said());
      address = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(gateway.said())?.[0];
    }
    const list = start(command, {}, ['list', address, '--lang', 'de-AT']);
    expect(await list.ended, list.said()).toBe(0);
    expect(list.said()).toContain('Wiederholen');
  });
});
