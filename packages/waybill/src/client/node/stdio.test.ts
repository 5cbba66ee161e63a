import { mkdtempSync, mkdirSync, realpathSync, symlinkSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stdioIdentity } from './stdio.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-stdio-')));
const file = (name: string, text = name): string => {
  writeFileSync(join(folder, name), text, { mode: 0o755 });
  return join(folder, name);
};
mkdirSync(join(folder, 'bin'));
const server = file('server.py');
const other = file('other.js');
const program = file('bin/mcp-files');
const python = file('bin/python');
file('bin/mcp-remote');
symlinkSync(server, join(folder, 'link.py'));
afterAll(() => rmSync(folder, { recursive: true }));

const identity = stdioIdentity({ cwd: folder, env: { PATH: join(folder, 'bin') } });
const of = (line: string): string | undefined => {
  const [command = '', ...args] = line.split(' ');
  return identity({ command, args });
};

describe('STATE-34, STATE-39: who a server behind a command is', () => {
  it.each([
    ['node other.js', other],
    ['node --enable-source-maps --import tsx other.js --port 3', other],
    ['/usr/local/bin/node other.js', other],
    ['node.exe other.js', other],
    ['python server.py', server],
    ['python3.12 -u server.py', server],
    ['python ./link.py', server],
    ['python -m my_server.main --x', `python-module:my_server.main ${JSON.stringify([folder, python])}`],
    ['node --trace-warnings --experimental-vm-modules other.js', other],
    ['npx -y @playwright/mcp@latest', 'npm:@playwright/mcp'],
    ['npx -y @Scope/Server@1.2.3 /data', 'npm:@scope/server'],
    ['npx server@latest', 'npm:server'],
    ['npx --yes -p @scope/tools serve', 'npm:@scope/tools serve'],
    ['npx --package=@scope/tools other', 'npm:@scope/tools other'],
    ['npm exec -- server', 'npm:server'],
    ['bunx server', 'npm:server'],
    ['bun x server', 'npm:server'],
    ['bun run other.js', other],
    ['bun other.js', other],
    ['pnpm dlx server', 'npm:server'],
    ['yarn dlx server', 'npm:server'],
    ['uvx mcp-server-git --repository x', 'pypi:mcp-server-git'],
    ['uvx MCP_Server.Git==1.0', 'pypi:mcp-server-git'],
    ['uvx --from mcp-tools serve', 'pypi:mcp-tools serve'],
    ['uv tool run mcp-server-git', 'pypi:mcp-server-git'],
    ['uv run server.py', server],
    ['pipx run mcp-server-git', 'pypi:mcp-server-git'],
    ['deno run -A --allow-net=x.com other.js', other],
    ['deno run npm:server@1', 'npm:server'],
    ['deno run jsr:@scope/server@1', 'jsr:@scope/server'],
    ['docker run -i --rm -e KEY=1 -v /a:/b mcp/files:1.0 /data', 'image:mcp/files'],
    ['docker run --rm -i ghcr.io:443/x/y@sha256:abc', 'image:ghcr.io:443/x/y@sha256:abc'],
    ['podman container run -i mcp/files', 'image:mcp/files'],
    ['docker run -i mcp/time', 'image:mcp/time'],
    ['cmd /c npx -y server', 'npm:server'],
    ['cmd.exe /C node other.js', other],
    ['mcp-files', program],
    ['mcp-files --root /data', program],
    ['./bin/mcp-files', program],
  ])('%s is %s', (line, name) => {
    expect(of(line)).toBe(name);
  });

  it.each([
    'node',
    'node missing.js',
    'node -e 1+1',
    'node --unheard-of other.js',
    'python -c print(1)',
    'python',
    'npx',
    'npx ./local',
    'npx github:a/b',
    'bun server',
    'deno run https://evil.example/x.ts',
    'deno other.js',
    'docker exec -it box server',
    'docker run --unheard-of value mcp/files',
    'docker run',
    'sh -c mcp-files',
    'bash server.py',
    'env A=1 mcp-files',
    'sudo mcp-files',
    'perl server.py',
    'java -jar x.jar',
    'go run .',
    'cmd /k npx server',
    'cmd',
    'unknown-launcher server.py',
    'mcp-files run server',
    'mcp-files -c x',
    'missing-program',
    '',
  ])('of %s nobody knows', (line) => {
    expect(of(line)).toBeUndefined();
  });

  // Each stands for two servers that differ in what follows, or in what cannot be seen.
  it.each([
    'npx -y tsx other.js',
    'bunx tsx other.js',
    'npx node other.js',
    'npx -y mcp-remote https://a.example.com/mcp',
    'npx -y mcp-remote@latest https://a.example.com/mcp',
    'npx -y supergateway --sse https://a.example.com',
    'npx -y @smithery/cli run a',
    'npx -y @modelcontextprotocol/inspector node other.js',
    'npx -y unheard-of-launcher run other.js',
    'npx -y unheard-of-launcher node other.js',
    'npx -p @scope/tools node other.js',
    'npx -p server -p tools serve',
    'npx --package=server --package=tools serve',
    'deno run npm:tsx other.js',
    'deno run jsr:@scope/server/main',
    'uvx fastmcp run server.py',
    'uvx FastMCP==2.0 run server.py',
    'uvx --from mcp mcp run server.py',
    'uvx --from mcp-tools python server.py',
    'uvx mcp-proxy',
    'uvx python server.py',
    'pipx run mcp-proxy https://a.example.com',
    'python -m fastmcp run server.py',
    'python -m mcp.cli run server.py',
    'python -m uv run server.py',
    'python -m pdb server.py',
    'python3.99 -m server',
    'node node_modules/.bin/tsx other.js',
    'node ./node_modules/tsx/dist/cli.mjs other.js',
    'python bin/mcp-remote server.py',
    'node --experimental-loader ./server.py other.js',
    'node --trace-event-file-pattern server.py other.js',
    'uv run --directory elsewhere server.py',
    'docker run -i -v /srv/a:/app python /app/server.py',
    'docker run -i python:3.12-slim@sha256:abc /app/server.py',
    'docker run -i docker.io/library/node npx a',
    'docker run -i ghcr.io/astral-sh/uv run a',
    'docker run -i corp/base node /a.js',
    'docker run -i --entrypoint a mcp/files',
    'docker run -i --entrypoint=a mcp/files',
    'mcp-remote https://a.example.com/mcp',
  ])('STATE-30: %s names only what launches', (line) => {
    expect(of(line)).toBeUndefined();
  });

  it('STATE-30: a module of Python is one of a folder, an interpreter and a search path', () => {
    for (const name of ['one', 'two', 'venv']) mkdirSync(join(folder, name));
    symlinkSync(python, join(folder, 'venv/python'));
    const from = (more: object): string | undefined => identity({ command: 'python', args: ['-m', 'server'], ...more });
    const names = [{ cwd: 'one' }, { cwd: 'two' }, { path: join(folder, 'venv') }, { pythonPath: '/one' }, { pythonPath: '/two' }, {}].map(
      from,
    );
    expect(names).not.toContain(undefined);
    expect(new Set(names).size).toBe(names.length);
    expect(from({ cwd: join(folder, 'one') })).toBe(names[0]);
    expect(from({ cwd: 'gone' })).toBeUndefined();
  });

  it('two scripts of one interpreter are two servers', () => {
    expect(of('node other.js')).not.toBe(of('node server.py'));
  });

  it('one that starts in a folder of its own is looked for there', () => {
    mkdirSync(join(folder, 'project'));
    const inner = file('project/other.js');
    expect(identity({ command: 'node', args: ['other.js'], cwd: join(folder, 'project') })).toBe(inner);
    expect(identity({ command: 'node', args: ['other.js'], cwd: 'project' })).toBe(inner);
    expect(identity({ command: 'node', args: ['server.py'], cwd: join(folder, 'project') })).toBeUndefined();
    const tool = file('project/mcp-files');
    expect(identity({ command: 'mcp-files', args: [], path: join(folder, 'project') })).toBe(tool);
  });

  it.each<[object, string]>([
    [{ fingerprnt: true }, 'stdioIdentity.fingerprnt: unknown option; did you mean fingerprint?'],
    [{ fingerprint: 'yes' }, 'stdioIdentity.fingerprint: '],
    [{ cwd: 5 }, 'stdioIdentity.cwd: '],
  ])('an option that is wrong fails at the call: %j', (options, message) => {
    expect(() => stdioIdentity(options)).toThrow(message);
  });

  it('on Windows paths are compared without case', () => {
    const windows = stdioIdentity({ cwd: folder, platform: 'win32', env: { PATH: '' } });
    expect(windows({ command: 'node', args: ['other.js'] })).toBe(other.toLowerCase());
  });

  it('with a fingerprint another program at the same path is another server', () => {
    const exact = stdioIdentity({ cwd: folder, fingerprint: true });
    file('changing.js', 'one');
    const first = exact({ command: 'node', args: ['changing.js'] });
    expect(exact({ command: 'node', args: ['changing.js'] })).toBe(first);
    file('changing.js', 'two');
    const second = exact({ command: 'node', args: ['changing.js'] });
    expect(second).not.toBe(first);
    expect(exact({ command: 'npx', args: ['server'] })).toBeUndefined();
  });
});
