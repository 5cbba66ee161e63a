/** Files of six hosts in their documented form; trust of project files; masked secrets. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder, SHOP, waybill } from './waybill.js';

const home = makeFolder();
const project = makeFolder();
const run = waybill(home.path);
afterAll(() => [home, project].forEach((folder) => folder.remove()));
const put = (folder: string, name: string, content: string): string => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
};
const shop = {
  command: process.execPath,
  args: [SHOP, '--stdio'],
  env: { SHOP_KEY: '${SECRET:-a long key that nobody may ever see at all}' },
};
const json = (value: unknown): string => JSON.stringify(value);

put(home.path, '.claude.json', json({ mcpServers: { claude: { type: 'stdio', ...shop } } }));
put(home.path, '.cursor/mcp.json', json({ mcpServers: { cursor: { url: 'https://u:p4ssw0rd@c.example/mcp?key=s3cr3tkey' } } }));
put(home.path, '.config/Code/User/mcp.json', `{\n  // a comment\n  "servers": { "code": ${json(shop)}, },\n}`);
put(
  home.path,
  '.codeium/windsurf/mcp_config.json',
  json({ mcpServers: { surf: { serverUrl: 'https://w.example/mcp', headers: { 'X-Key': '${env:X_KEY}' } } } }),
);
put(home.path, '.codex/config.toml', `[mcp_servers.codex]\ncommand = "${process.execPath}"\nargs = ["${SHOP}", "--stdio"]\n`);
put(home.path, '.mcp-inspector/mcp.json', json({ mcpServers: { inspector: shop, twice: shop } }));
const file = put(project.path, '.mcp.json', json({ mcpServers: { mine: shop, twice: shop } }));

it.concurrent('servers lists what the files of six hosts have, with every secret masked', async () => {
  const {
    code,
    out,
    json: { result },
  } = await run(['servers', '--json']);
  expect(code).toBe(0);
  expect(result.servers.map(({ name, host }: any) => `${host}: ${name}`)).toEqual([
    'Claude Code: claude',
    'Cursor: cursor',
    'VS Code: code',
    'Windsurf: surf',
    'Codex: codex',
    'Inspector: inspector',
    'Inspector: twice',
  ]);
  const text = out + (await run(['servers'])).out;
  for (const secret of ['p4ssw0rd', 's3cr3tkey', 'nobody may ever see at all']) expect(text).not.toContain(secret);
  expect(text).toContain('https://***@c.example/mcp?***');
});

it.concurrent.for(['claude', 'code', 'codex', 'inspector'])('a server of a host is called by its name: %s', async (name) => {
  const { code, out } = await run(['call', name, 'price', 'count=1']);
  expect([code, out]).toEqual([0, expect.stringContaining('1 seat')]);
});

it.concurrent('a name in two files is an error that offers FILE:NAME', async () => {
  const { code, err } = await run(['list', 'twice'], { cwd: project.path });
  expect(code).toBe(2);
  expect(err).toContain(`${file}:twice`);
});

it.concurrent('a server of a project file needs --trust FILE where nobody can be asked', async () => {
  const refused = await run(['call', 'mine', 'price', 'count=1'], { cwd: project.path });
  expect([refused.code, refused.out]).toEqual([6, '']);
  expect(refused.err).toContain(`SHOP_KEY=*** ${process.execPath}`);
  expect(refused.err).toContain(`--trust ${file}`);
  const trusted = await run(['call', `${file}:mine`, 'price', 'count=1', '--trust', '.mcp.json'], { cwd: project.path });
  expect([trusted.code, trusted.out]).toEqual([0, expect.stringContaining('1 seat')]);
});

it.concurrent('a variable that is not set is named', async () => {
  const { code, err } = await run(['list', 'surf']);
  expect([code, err]).toEqual([2, expect.stringContaining('the variable X_KEY is not set')]);
});
