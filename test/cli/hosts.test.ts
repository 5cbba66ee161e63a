/** Files of seven hosts in their documented form; trust of project files; masked secrets. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
/** The documented form of a host's file, with the path of the shop filled in. */
const sample = (name: string): string =>
  readFileSync(new URL(`hostFiles/${name}`, import.meta.url), 'utf8').replaceAll('/path/to/shop/server.js', SHOP);

const claudeCode = put(home.path, '.claude.json', sample('claude-code.json'));
put(home.path, '.config/Claude/claude_desktop_config.json', sample('claude-desktop.json'));
put(home.path, '.cursor/mcp.json', sample('cursor.json'));
put(home.path, '.config/Code/User/mcp.json', sample('vscode.json'));
put(home.path, '.codeium/windsurf/mcp_config.json', sample('windsurf.json'));
put(home.path, '.codex/config.toml', sample('codex.toml'));
put(home.path, '.mcp-inspector/mcp.json', sample('inspector.json'));
put(home.path, 'shop.env', '# a comment\nexport TOOL_KEY="a key from a file"\n');
const shop = { command: process.execPath, args: [SHOP, '--stdio'], env: { TOOL_KEY: 'a key of a project' } };
const file = put(project.path, '.mcp.json', JSON.stringify({ mcpServers: { mine: shop, twice: shop } }));

it.concurrent('servers lists what the files of seven hosts have, with every secret masked', async () => {
  const {
    code,
    out,
    json: { result },
  } = await run(['servers', '--json']);
  expect([code, result.broken]).toEqual([0, []]);
  expect(result.servers.map(({ name, host, unusable }: any) => `${host}: ${name}${unusable === undefined ? '' : ' (unusable)'}`)).toEqual([
    'Claude Code: claude',
    'Claude Code: claude-api',
    'Claude Code: claude-old (unusable)',
    'Claude Desktop: desktop',
    'Cursor: cursor',
    'Cursor: cursor-remote',
    'VS Code: code',
    'VS Code: code-asks',
    'VS Code: code-remote',
    'Windsurf: surf',
    'Windsurf: surf-remote',
    'Windsurf: surf-off (unusable)',
    'Codex: codex',
    'Codex: codex-remote',
    'Codex: codex-off (unusable)',
    'Inspector: inspector',
    'Inspector: twice',
  ]);
  const text = out + (await run(['servers'])).out;
  for (const secret of ['p4ssw0rd', 's3cr3tkey', 'nobody may ever see at all', 'a key of']) expect(text).not.toContain(secret);
  expect(text).toContain('https://***@c.example/mcp?***');
});

it.concurrent.for(['claude', 'desktop', 'cursor', 'code', 'surf', 'codex', 'inspector'])(
  'a server of a host is called by its name: %s',
  async (name) => {
    const { code, out } = await run(['call', name, 'price', 'count=1']);
    expect([code, out]).toEqual([0, expect.stringContaining('1 seat')]);
  },
);

it.concurrent('addresses, headers and variables of a file are filled in', async () => {
  const env = {
    API_BASE_URL: 'http://127.0.0.1:9',
    API_KEY: 'topsecret-key',
    CODEX_TOKEN: 'topsecret-token',
    CODEX_TEAM: 'topsecret-team',
  };
  const claude = await run(['call', 'claude-api', 'price', '--preview', '--json'], { env });
  expect([claude.code, claude.json.target]).toEqual([0, `${claudeCode}:claude-api`]);
  const listed = await run(['list', 'claude-api'], { env });
  expect([listed.code, listed.err]).toEqual([3, expect.not.stringContaining('topsecret')]);
  expect((await run(['call', 'codex-remote', 'price', '--preview'], { env })).code).toBe(0);
  const asks = await run(['list', 'code-asks']);
  expect([asks.code, asks.err]).toEqual([6, expect.stringContaining('the host would ask for "api-key"')]);
});

it.concurrent('a name in two files is an error that offers FILE:NAME', async () => {
  const { code, err } = await run(['list', 'twice'], { cwd: project.path });
  expect(code).toBe(2);
  expect(err).toContain(`${file}:twice`);
});

it.concurrent('a server of a project file needs --trust FILE where nobody can be asked', async () => {
  const refused = await run(['call', 'mine', 'price', 'count=1'], { cwd: project.path });
  expect([refused.code, refused.out]).toEqual([6, '']);
  expect(refused.err).toContain(`TOOL_KEY=*** ${process.execPath}`);
  expect(refused.err).toContain(`--trust ${file}`);
  const trusted = await run(['call', `${file}:mine`, 'price', 'count=1', '--trust', '.mcp.json'], { cwd: project.path });
  expect([trusted.code, trusted.out]).toEqual([0, expect.stringContaining('1 seat')]);
});

it.concurrent('a secret that a variable puts into an address among the arguments is masked in what the command says', async () => {
  const script = 'console.error(`Error: cannot log in at ${process.argv[1]}`); process.exit(1)';
  const said = { command: process.execPath, args: ['-e', script, '--', 'https://h.example/?key=${API_KEY}'] };
  put(home.path, 'says.json', JSON.stringify({ mcpServers: { says: said } }));
  const { code, err } = await run(['list', 'says.json:says'], { env: { API_KEY: 'topsecret-key' } });
  expect([code, err]).toEqual([3, expect.stringContaining('It said: Error: cannot log in at https://h.example/?***')]);
});

it.concurrent('a variable that is not set is named', async () => {
  const { code, err } = await run(['list', 'surf-remote']);
  expect([code, err]).toEqual([2, expect.stringContaining('the variable X_KEY is not set')]);
});
