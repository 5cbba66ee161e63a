import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { StdioCommand } from '../../transport/index.js';
import { stdioIdentity } from './stdio.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-stdio-')));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);
const file = (name: string, text = name): string => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  chmodSync(at(name), 0o755);
  return at(name);
};
const link = (name: string, to: string): void => {
  mkdirSync(dirname(at(name)), { recursive: true });
  symlinkSync(at(to), at(name));
};

// Launchers are found by name; none of them is started here.
for (const name of ['node', 'python', 'python3.12', 'deno', 'uv', 'uvx', 'docker', 'bun', 'cmd.exe', 'npx.cmd', 'node.exe'])
  file(`bin/${name}`);
for (const [name, to] of [
  ['nodejs', 'bin/node'],
  ['npx', 'lib/npm/npx-cli.js'],
  ['npm', 'lib/npm/npm-cli.js'],
  ['pnpm', 'lib/pnpm.cjs'],
  ['bunx', 'bin/bun'],
] as const) {
  if (to.startsWith('lib')) file(to);
  link(`bin/${name}`, to);
}
const OTHERS =
  `stdbuf setpriv taskset ionice nice env nohup timeout xvfb-run dumb-init tini firejail electron mcp pkgx sh bash sudo java go ruby perl
  tsx ts-node podman nerdctl yarn pipx poetry mcp-files mcp-remote mcp-proxy fastmcp unheard-of`.split(/\s+/);
for (const name of OTHERS) file(`bin/${name}`);
file('bin/multi');
for (const name of ['one', 'two', 'three']) link(`bin/${name}`, 'bin/multi');
link('odd/node', 'bin/multi');
link('venv/bin/python', 'bin/python');
const a = file('a.js');
const b = file('b.js');
const py = file('a.py');
file('b.py');
file('inspect');
file('https:/evil.example/x.ts');
link('link.py', 'a.py');
link('call-one.js', 'a.js');
const installed = file('node_modules/tsx/dist/cli.mjs');
file('venv/bin/fastmcp');
for (const name of ['project/a.js', 'elsewhere/a.js']) file(name);

const identity = stdioIdentity({ cwd: folder, env: { PATH: at('bin'), HOME: '/home/ann' } });
const parsed = (line: string): StdioCommand => {
  const [command = '', ...args] = line.split(' ');
  return { command, args };
};
const moduleOf = (name: string, python = 'bin/python'): string => `python-module:${name} ${JSON.stringify([folder, at(python)])}`;

/** Commands of a known launcher with one target, and that target. */
const STABLE: readonly (readonly [string, string])[] = [
  ['node a.js', a],
  ['node ./a.js', a],
  [`node ${a}`, a],
  ['node project/../a.js', a],
  ['nodejs a.js', a],
  ['./bin/node a.js', a],
  [`${at('bin/node')} a.js`, a],
  ['node a.js --port 3', a],
  ['node a.js -e 1', a],
  ['node --enable-source-maps --no-warnings a.js', a],
  ['node --inspect=9229 --max-old-space-size=4096 a.js', a],
  ['node b.js', b],
  ['node call-one.js', `${a}//call-one.js`],
  ['node node_modules/tsx/dist/cli.mjs', installed],
  ['node project/a.js', at('project/a.js')],
  ['deno run a.js', a],
  ['deno run -A --allow-net=x.example a.js --root /', a],
  ['python a.py', py],
  ['python3.12 -u -B a.py --verbose', py],
  ['venv/bin/python a.py', py],
  ['python ./link.py', `${py}//link.py`],
  ['uv run a.py', py],
  ['uv run -q a.py', py],
  ['python -m my_server.main', moduleOf('my_server.main')],
  ['python -u -m other', moduleOf('other')],
  ['venv/bin/python -m other', moduleOf('other', 'venv/bin/python')],
  ['npx good', 'npm:good'],
  ['npx -y good@latest', 'npm:good'],
  ['npx --yes good@1.2.3', 'npm:good'],
  ['npx -y -- good@^1.2', 'npm:good'],
  ['npx -y Good', 'npm:Good'],
  ['npx -y @scope/server@1.2.3-beta.1', 'npm:@scope/server'],
  ['npm exec good', 'npm:good'],
  ['npm exec -y -- @scope/server', 'npm:@scope/server'],
  ['npm x good', 'npm:good'],
  ['bunx good', 'npm:good'],
  ['pnpm dlx good@2', 'npm:good'],
  ['uvx mcp-server-git', 'pypi:mcp-server-git'],
  ['uvx MCP_Server.Git@1.0', 'pypi:mcp-server-git'],
  ['uvx -q good@latest', 'pypi:good'],
  ['uv tool run mcp-server-git', 'pypi:mcp-server-git'],
  ['docker run -i --rm mcp/files:1.0', 'image:mcp/files'],
  ['docker run -i --rm -e TOKEN -e KEY=1 mcp/files', 'image:mcp/files'],
  ['docker container run -it --pull=always mcp/time', 'image:mcp/time'],
  ['docker run --rm -i ghcr.io:443/x/y:2@sha256:abc', 'image:ghcr.io:443/x/y@sha256:abc'],
];

/** All other commands, in groups that once shared a name or easily could. */
const DIGESTED: readonly string[] = [
  ...['a.js', 'b.js'].flatMap((script) =>
    [
      ...[
        'stdbuf -oL node',
        'setpriv --no-new-privs node',
        'taskset -c 0 node',
        'ionice -c 3 node',
        'nice node',
        'nice -n 5 node',
        'env node',
      ],
      ...[
        'env A=1 node',
        'nohup node',
        'timeout 9 node',
        'dumb-init node',
        'tini -- node',
        'firejail node',
        'electron --inspect 9229',
        'sh',
      ],
      ...[
        'bash',
        'sudo node',
        'tsx',
        'ts-node',
        'bun',
        'bun run',
        'unheard-of',
        'npx tsx',
        'npx -y tsx',
        'npx electron',
        'bunx tsx',
        'pnpm dlx tsx',
      ],
      ...[
        'node --import tsx',
        'node --require ./b.js',
        'node -r ./b.js',
        'node --loader=./b.js',
        'node --env-file=.env',
        'node --unheard-of',
      ],
      ...[
        'node --experimental-loader ./a.py',
        'node -C x',
        'node inspect',
        'node node_modules/tsx/dist/cli.mjs',
        'deno run --import-map=x',
        'deno',
      ],
      ...[
        'uv run --directory elsewhere',
        'uv run',
        'odd/node',
        'one',
        'two',
        'npx -p good node',
        'docker run -i node',
        'docker run -i corp/base',
      ],
    ].map((launcher) => `${launcher} ${script}`),
  ),
  ...['a.py', 'b.py'].flatMap((script) =>
    [
      'mcp dev',
      'fastmcp run',
      'uvx fastmcp run',
      'uvx --from mcp mcp run',
      'python -m fastmcp run',
      'python -m pdb',
      'python -I',
      'python -c',
      'python -i',
    ]
      .concat([
        'venv/bin/fastmcp run',
        'python venv/bin/fastmcp run',
        'poetry run python',
        'uv run --with x',
        'python -X dev',
        'python -W error',
      ])
      .map((launcher) => `${launcher} ${script}`),
  ),
  ...['https://a.example.com/mcp', 'https://b.example.com/mcp'].flatMap((url) =>
    ['npx -y mcp-remote', 'npx -y supergateway --sse', 'mcp-remote', 'uvx mcp-proxy', 'npx mcp-remote@latest'].map(
      (line) => `${line} ${url}`,
    ),
  ),
  ...['', '@latest'].flatMap((version) => ['yarn dlx', 'pipx run', 'pkgx', 'xvfb-run npx'].map((line) => `${line} good${version}`)),
  ...[
    'good@npm:evil',
    'good@file:../evil',
    'good@./evil',
    'good@evil.tgz',
    'evil.tgz',
    './good',
    '../good',
    '.',
    'github:a/b',
    'a/b',
    'git+https://x.example/a',
  ],
  ...['good@1.2.tgz', '@scope/good@npm:evil', '@scope/good@file:x', 'https://x.example/a.tgz', '~good', 'good@', 'C:good'],
].map((line) => (/^(?:\S+ |bash|sh )/.test(line) ? line : `npx -y ${line}`));

const MORE: readonly string[] = [
  ...[
    'npx',
    'npx -y',
    'npx --registry=https://evil.example good',
    'npx --registry https://evil.example good',
    'npx -p good serve',
    'npx --package=good serve',
  ],
  ...[
    'npx -c good',
    'npx --userconfig x good',
    'npx good --x',
    'npx good --y',
    'npm run good',
    'npm good',
    'npm exec --registry=x good',
    'npx --prefix x good',
  ],
  ...[
    'uvx',
    'uvx good@git+https://x.example/a',
    'uvx good@evil',
    'uvx ./good',
    'uvx good.whl',
    'uvx --index https://evil.example good',
    'uvx good[extra]',
  ],
  ...[
    'uvx --index-url=https://evil.example good',
    'uvx --default-index x good',
    'uvx --from git+https://x.example/a good',
    'uvx --with evil good',
    'uvx -p 3 good',
  ],
  ...[
    'uv tool run --from evil good',
    'uvx good --x',
    'uvx good --y',
    'pnpm --dir x dlx good',
    'pnpm dlx --package=a good',
    'bunx -p a good',
    'bunx --bun good',
  ],
  ...[
    'docker run',
    'docker run -i -v /a:/app corp/base',
    'docker run -i -v /b:/app corp/base',
    'docker run -i --entrypoint x mcp/files',
    'docker run -w /a mcp/files',
  ],
  ...[
    'docker run --entrypoint=x mcp/files',
    'docker -H tcp://evil run mcp/files',
    'docker run -e NODE_OPTIONS=--require=/x mcp/files',
    'docker exec -i box server',
  ],
  ...[
    'docker run -i mcp/files /a',
    'docker run -i mcp/files /b',
    'docker run --env-file x mcp/files',
    'docker compose run files',
    'podman run -i mcp/files',
  ],
  ...[
    'node',
    'node missing.js',
    'node -e 1+1',
    'node -p 1',
    'node inspect',
    'node project',
    'python',
    'python -',
    'python -m',
    'python -m bad-name',
    'python -mother',
  ],
  ...[
    'deno run https://evil.example/x.ts',
    'deno run npm:good',
    'deno run jsr:@scope/good',
    'deno run',
    'go run .',
    'java -jar x.jar',
    'ruby a.rb',
    'perl a.pl',
  ],
  ...[
    'mcp-files',
    'mcp-files --root /a',
    'mcp-files --root /b',
    './bin/mcp-files',
    'one',
    'two',
    'three',
    'multi',
    './bin/one',
    'missing',
    './missing',
    '',
  ],
  ...['cmd /c npx good', 'node npx-cli.js good', 'odd/node', 'node a', 'node --eval a.js', 'uv run a', 'uv run good', 'uv sync'],
];

describe('STATE-30, STATE-34, STATE-39, D-30: the name of a command', () => {
  it.each(STABLE)('%s is %s', (line, name) => {
    expect(identity(parsed(line))).toBe(name);
  });

  it.each([...DIGESTED, ...MORE])('%s has no certain target, so its name is a digest', (line) => {
    expect(identity(parsed(line))).toMatch(/^command:[\w-]{43}$/);
  });

  it('two different commands share a name only if both have the same stable target', () => {
    const all = new Map(STABLE);
    const lines = [...new Set([...all.keys(), ...DIGESTED, ...MORE])];
    expect(lines.length).toBeGreaterThan(280);
    const names = new Map<string, string>();
    for (const line of lines) {
      const name = identity(parsed(line)) as string;
      const before = names.get(name);
      if (before !== undefined) expect([line, all.get(line)]).toEqual([line, all.get(before)]);
      if (before !== undefined) expect(all.get(line)).toBe(name);
      names.set(name, line);
    }
  });

  it('arguments are kept apart', () => {
    const names = [['a b'], ['a', 'b'], ['a', 'b', ''], ['', 'a', 'b'], ['"a","b"'], []].map((args) =>
      identity({ command: 'mcp-files', args }),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('a module of Python belongs to a folder and an interpreter', () => {
    const of = (more: object): string | undefined => identity({ command: 'python', args: ['-m', 'server'], ...more });
    const names = [{}, { cwd: 'project' }, { cwd: 'elsewhere' }, { cwd: 'gone' }, { command: at('venv/bin/python') }].map(of);
    expect(new Set(names).size).toBe(names.length);
    expect(of({ cwd: at('project') })).toBe(names[1]);
  });

  it('a script is looked for in the folder the command starts in', () => {
    expect(identity({ command: 'node', args: ['a.js'], cwd: at('project') })).toBe(at('project/a.js'));
    expect(identity({ command: 'node', args: ['a.js'], cwd: 'project' })).toBe(at('project/a.js'));
    expect(identity({ command: 'node', args: ['b.js'], cwd: 'project' })).toMatch(/^command:/);
  });
});

describe('D-30: links to folders', () => {
  link('far', 'elsewhere/deep');
  file('elsewhere/deep/a.js');
  const of = (more: object): string | undefined => identity({ command: 'node', args: ['a.js'], ...more });

  it('a folder is the one that the system enters', () => {
    expect(of({ cwd: 'far' })).toBe(at('elsewhere/deep/a.js'));
    expect(of({ cwd: 'far/..' })).toBe(at('elsewhere/a.js'));
    expect(of({ cwd: 'far', args: ['../a.js'] })).toBe(at('elsewhere/a.js'));
    expect(identity({ command: 'mcp-files', args: [], cwd: 'far/..' })).not.toBe(identity({ command: 'mcp-files', args: [] }));
  });

  it('a script behind a link and two dots has no certain target: launchers read it differently', () => {
    expect(of({ args: ['far/../a.js'] })).toMatch(/^command:/);
    expect(identity({ command: 'far/../../bin/node', args: ['a.js'] })).toBe(a);
  });
});

describe('D-30: the environment given to a transport', () => {
  const withEnv = (env: Record<string, string>, line = 'node a.js'): string | undefined => identity({ ...parsed(line), env });

  it.each([
    ...[
      'NODE_OPTIONS',
      'NODE_PATH',
      'LD_PRELOAD',
      'LD_LIBRARY_PATH',
      'DYLD_INSERT_LIBRARIES',
      'PYTHONPATH',
      'PYTHONHOME',
      'PYTHONSTARTUP',
      'BASH_ENV',
    ],
    ...[
      'npm_config_registry',
      'NPM_CONFIG_REGISTRY',
      'UV_INDEX_URL',
      'UV_DEFAULT_INDEX',
      'BUN_OPTIONS',
      'DENO_DIR',
      'DOCKER_HOST',
      'XDG_CONFIG_HOME',
    ],
    ...[
      'PATH',
      'HOME',
      'Path',
      'PATHEXT',
      'OPENSSL_CONF',
      'SSL_CERT_FILE',
      'PREFIX',
      'TMPDIR',
      'ENV',
      'COREPACK_NPM_REGISTRY',
      'PYENV_VERSION',
    ],
  ])('%s makes the name a digest', (name) => {
    const [one, two] = [withEnv({ [name]: 'x' }), withEnv({ [name]: 'y' })];
    expect(one).toMatch(/^command:/);
    expect(two).toMatch(/^command:/);
    expect(one).not.toBe(two);
  });

  it('variables of the server itself do not change the name, and neither do our own PATH and HOME', () => {
    expect(withEnv({ GITHUB_TOKEN: 'x', NODE_ENV: 'production', HOMEBREW_X: '1', PATH: at('bin'), HOME: '/home/ann' })).toBe(a);
    expect(withEnv({ GITHUB_TOKEN: 'y' }, 'npx good')).toBe('npm:good');
  });

  it('another PATH finds another program', () => {
    file('project/mcp-files');
    const names = [{}, { env: { PATH: at('project') } }, { env: { PATH: `${at('project')}:` } }].map((more) =>
      identity({ command: 'mcp-files', args: [], ...more }),
    );
    expect(new Set(names).size).toBe(3);
  });

  it('a name shows nothing of arguments and variables', () => {
    expect(identity({ command: 'mcp-files', args: ['--token', 'secret'], env: { KEY: 'hidden' } })).not.toMatch(/secret|hidden/);
  });
});

describe('D-30: npx in a project', () => {
  const inProject = (line: string, project: string): string | undefined => identity({ ...parsed(line), cwd: at(project) });

  it('a local program is named by its file, and by the link if many may lead there', () => {
    const program = file('local/node_modules/good-server/cli.js');
    link('local/node_modules/.bin/good', 'local/node_modules/good-server/cli.js');
    link('local/node_modules/.bin/better', 'local/node_modules/good-server/cli.js');
    mkdirSync(at('local/inner'));
    for (const line of ['npx good', 'npm exec good', 'bunx good']) expect(inProject(line, 'local/inner')).toBe(`${program}//good`);
    expect(inProject('npx better', 'local')).toBe(`${program}//better`);
    for (const line of ['npx good@1', 'npx good --x', 'pnpm dlx good', 'bunx @scope/good'])
      expect(inProject(line, 'local')).toMatch(/^command:/);
    expect(inProject('npx other', 'local')).toBe('npm:other');
  });

  it.each([
    ['a registry of its own', '.npmrc', 'registry=https://evil.example'],
    ['settings for bun', 'bunfig.toml', ''],
    ['a program of its own', 'package.json', '{"name":"x","bin":{"good":"evil.js"}}'],
    ['packages of its own', 'package.json', '{"name":"x","workspaces":["evil"]}'],
    ['an installed package of that name', 'node_modules/good/package.json', '{}'],
  ])('in a project with %s the project decides what runs: the name is a digest', (what, name, text) => {
    const project = `projects/${what.replaceAll(' ', '-')}`;
    file(`${project}/${name}`, text);
    expect(inProject('npx good@1', project)).toMatch(/^command:/);
    expect(inProject('npx good', project)).not.toBe(inProject('npx good', 'elsewhere'));
  });

  it('a plain project does not change the name', () => {
    file('projects/plain/package.json', '{"name":"x","dependencies":{}}');
    expect(inProject('npx good', 'projects/plain')).toBe('npm:good');
  });

  it('settings of the user do not change the name', () => {
    file('home/.npmrc');
    mkdirSync(at('home/work'));
    const atHome = stdioIdentity({ cwd: at('home/work'), env: { PATH: at('bin'), HOME: at('home') } });
    expect(atHome(parsed('npx good'))).toBe('npm:good');
  });

  it('a program of that name on PATH may run instead: the name is a digest', () => {
    expect(identity(parsed('npx mcp-files'))).toMatch(/^command:/);
    expect(identity(parsed('npx @scope/mcp-files'))).toMatch(/^command:/);
    expect(identity(parsed('pnpm dlx mcp-files'))).toBe('npm:mcp-files');
  });
});

describe('the package that a command names, for the rules of a policy (D-20)', () => {
  const packageOf = (line: string, env?: Record<string, string>): unknown => identity.packageOf({ ...parsed(line), ...(env && { env }) });

  it.each([
    ['npx -y @scope/server', 'npm:@scope/server'],
    ['npx -y @scope/server@1.2 /data --verbose', 'npm:@scope/server'],
    ['pnpm dlx mcp-files /data', 'npm:mcp-files'],
    ['uvx mcp-server-fetch --ignore-robots-txt', 'pypi:mcp-server-fetch'],
    ['docker run -i --rm -e KEY=1 mcp/fetch --x', 'image:mcp/fetch'],
  ])('%s: its arguments do not matter', (line, name) => {
    expect(packageOf(line)).toEqual({ name, isCertain: true });
  });

  it.each([
    ['npx mcp-files /data', 'npm:mcp-files', {}],
    ['npx good', 'npm:good', { NODE_OPTIONS: '-r ./evil.js' }],
    ['python -m mcp_server_fetch', 'python-module:mcp_server_fetch', {}],
  ])('%s: something else may run under that name', (line, name, env) => {
    expect(packageOf(line, env)).toEqual({ name, isCertain: false });
  });

  it('in a project that may decide what runs it is not certain', () => {
    file('claims/package.json', '{"name":"x","workspaces":["evil"]}');
    expect(identity.packageOf({ ...parsed('npx good'), cwd: at('claims') })).toEqual({ name: 'npm:good', isCertain: false });
  });

  it.each(['node a.js', 'missing good', 'npx --package=good other', 'npx good@file:../evil', 'docker run -v /:/x mcp/fetch'])(
    '%s names none',
    (line) => {
      expect(packageOf(line)).toBeUndefined();
    },
  );

  it('on Windows it stands behind cmd /c', () => {
    const windows = stdioIdentity({ cwd: folder, platform: 'win32', env: { PATH: at('bin'), PATHEXT: '.exe;.cmd' } });
    expect(windows.packageOf(parsed('cmd /c npx -y good /data'))).toEqual({ name: 'npm:good', isCertain: true });
  });
});

describe('D-30: any command', () => {
  const word = fc.oneof(
    fc.constantFrom(
      ...[
        'node',
        'npx',
        'uvx',
        'docker',
        'run',
        '-y',
        '-i',
        '--',
        'good',
        'a.js',
        'b.js',
        './a.js',
        'a.py',
        '-m',
        'other',
        'good@npm:x',
        'exec',
        '-e',
        'X=1',
      ],
    ),
    fc.string({ maxLength: 4 }),
  );
  const command: fc.Arbitrary<StdioCommand> = fc.record(
    {
      command: fc.constantFrom(
        'node',
        'nodejs',
        'npx',
        'npm',
        'uvx',
        'docker',
        'python',
        'deno',
        'stdbuf',
        'one',
        'two',
        './bin/one',
        'missing',
      ),
      args: fc.array(word, { maxLength: 4 }),
      cwd: fc.constantFrom('.', 'project', 'elsewhere'),
      env: fc.dictionary(
        fc.constantFrom('PATH', 'NODE_OPTIONS', 'TOKEN', 'HOME'),
        fc.constantFrom('', 'x', '/home/ann', at('bin'), at('odd')),
      ),
    },
    { requiredKeys: ['command', 'args'] },
  );
  const spelled = ({ command: program, args, cwd = '.', env = {} }: StdioCommand): string =>
    JSON.stringify([program, args, cwd, Object.entries(env).sort()]);

  it('it has a name, and two different commands share it only if it is the stable name of both', () => {
    fc.assert(
      fc.property(command, command, (one, other) => {
        const [first, second] = [identity(one), identity(other)];
        expect(first).toBe(identity(structuredClone(one)));
        if (spelled(one) !== spelled(other) && first === second) expect(first).not.toMatch(/^command:/);
      }),
      { numRuns: 2000 },
    );
  });

  it('it keeps a stable name while the server’s own arguments and variables change, and loses it if the selection changes', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), fc.string({ minLength: 1 }), (args, token, options) => {
        expect(identity({ command: 'node', args: ['a.js', ...args], env: { TOKEN: token } })).toBe(a);
        const preloaded = identity({ command: 'node', args: ['a.js', ...args], env: { TOKEN: token, NODE_OPTIONS: options } });
        expect(preloaded).toMatch(/^command:/);
        expect(identity({ command: 'stdbuf', args: ['node', 'a.js', ...args], env: { TOKEN: token } })).not.toBe(preloaded);
      }),
    );
  });

  it('without a certain target each part changes its name', () => {
    fc.assert(
      fc.property(command, fc.constantFrom('command', 'args', 'cwd', 'env'), word, (one, part, more) => {
        const base = { cwd: '.', env: {}, ...one };
        const changed = {
          command: { ...base, command: `${base.command}x` },
          args: { ...base, args: [...base.args, more] },
          cwd: { ...base, cwd: `${base.cwd}/x` },
          env: { ...base, env: { ...base.env, OTHER: more } },
        }[part];
        const name = identity(base) as string;
        if (name.startsWith('command:')) expect(identity(changed)).not.toBe(name);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the options of stdioIdentity', () => {
  it.each<[object, string]>([
    [{ fingerprnt: true }, 'stdioIdentity.fingerprnt: unknown option; did you mean fingerprint?'],
    [{ fingerprint: 'yes' }, 'stdioIdentity.fingerprint: '],
    [{ cwd: 5 }, 'stdioIdentity.cwd: '],
  ])('a wrong option fails at the call: %j', (options, message) => {
    expect(() => stdioIdentity(options)).toThrow(message);
  });

  it('on Windows paths are compared without case, and cmd /c runs what follows', () => {
    const windows = stdioIdentity({ cwd: folder, platform: 'win32', env: { PATH: at('bin'), PATHEXT: '.exe;.cmd' } });
    const of = (line: string, env?: Record<string, string>): string | undefined => windows({ ...parsed(line), ...(env && { env }) });
    expect(of('node a.js')).toBe(a.toLowerCase());
    expect(of('cmd /c npx -y good')).toBe('npm:good');
    expect(of('cmd.exe /C node a.js')).toBe(a.toLowerCase());
    for (const line of [
      'cmd /k npx good',
      'cmd',
      'cmd /c',
      'cmd /c cmd /c npx good',
      'cmd /c npx good&evil',
      'cmd /c npx %X%',
      'cmd /c missing good',
    ])
      expect(of(line)).toMatch(/^command:/);
    expect(of('node a.js', { Path: at('odd') })).toMatch(/^command:/);
    // Windows finds programs of the working folder first.
    file('here/npx');
    expect(windows({ ...parsed('npx good'), cwd: at('here') })).toBe('npm:good');
    link('there/npx', 'bin/multi');
    expect(windows({ ...parsed('npx good'), cwd: at('there') })).toMatch(/^command:/);
  });

  it('with a fingerprint another program at the same path is another server, and a command without a file keeps nothing', () => {
    const exact = stdioIdentity({ cwd: folder, fingerprint: true, env: { PATH: at('bin') } });
    file('changing.js', 'one');
    const first = exact(parsed('node changing.js'));
    expect(first).toMatch(/changing\.js sha256=[\w-]{43}$/);
    expect(exact(parsed('node changing.js'))).toBe(first);
    file('changing.js', 'two');
    expect(exact(parsed('node changing.js'))).not.toBe(first);
    for (const line of ['npx good', 'stdbuf -oL node a.js', 'mcp-files']) expect(exact(parsed(line))).toBeUndefined();
  });
});
