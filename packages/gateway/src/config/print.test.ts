import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ConfigText, readConfig } from './load.js';
import { printConfig } from './print.js';

const COMPLETE = readFileSync(new URL('./fixtures/complete.yaml', import.meta.url), 'utf8');
const env = { WAYBILL_ADMIN: 'admin-secret', TZDB_KEY: 'tz-secret', CRM_TOKEN: 'crm-secret', API_KEY: 'arg-secret' };

function printed(text: string): string {
  return printConfig(new ConfigText(text, { file: 'gateway.yaml', env }));
}

test('the effective configuration has the defaults in it, no secret, and is a configuration again', () => {
  const text = printed(COMPLETE);
  expect(text).not.toMatch(/admin-secret|tz-secret|crm-secret/);
  const again = parse(text);
  expect(again).toMatchObject({
    admin: { listen: '127.0.0.1:7781', token: '***' },
    feed: 'names',
    limits: { body: '4MB', depth: 128, time: '60s', rate: '50/s', concurrent: 64 },
    upstreams: {
      time: { env: { TZDB_KEY: '***' }, trace: { mode: 'join', spans: true }, policy: { location: 'country' } },
      crm: { credentials: { Authorization: '***' }, policy: { location: 'city', baggage: ['tenant.id'] } },
    },
  });
  expect(() => readConfig(new ConfigText(text))).not.toThrow();
});

test('every default is shown, and the configuration that is printed means the same', () => {
  const text = `
identity: { jwt: { issuer: 'https://id.example/0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d/v2', audience: 'https://gw.example' } }
defaults: { children: { max: 3 }, trace: { spans: true } }
upstreams:
  web: { url: 'https://h.example/mcp', tools: { exclude: [x] } }
  child: { command: [server], language: { default: en } }`;
  const shown = printed(text);
  const { identity, upstreams } = parse(shown);
  expect(identity.jwt).toEqual({
    ...{ issuer: 'https://id.example/0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d/v2', audience: 'https://gw.example' },
    ...{ claim: 'sub', skew: '30s' },
  });
  expect(upstreams.web).toEqual({
    ...{ url: 'https://h.example/mcp', revision: 'auto', state: { mode: 'pass' }, trace: { mode: 'pass', spans: true } },
    tools: { include: ['*'], exclude: ['x'], unmet: 'refuse' },
  });
  expect(upstreams.child).toMatchObject({
    children: { max: 3, idle: '5m' },
    language: { from: ['meta'], fields: ['title'], default: 'en' },
  });
  const meaning = (of: string) => readConfig(new ConfigText(of, { file: 'gateway.yaml' })).config;
  expect(meaning(shown)).toEqual(meaning(text));
});

test('names that are no secret are shown, though they may look like one', () => {
  const audience = 'https://gw.example/0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d';
  const replica = 'gateway-7d9f8c6b5d-x2x9k-0';
  const text = printed(
    JSON.stringify({ replica, identity: { jwt: { issuer: audience, audience } }, upstreams: { a: { url: 'https://h.example/mcp' } } }),
  );
  expect(parse(text)).toMatchObject({ replica, identity: { jwt: { issuer: audience, audience } } });
});

test.each([
  ['the password of the store', 'store: redis://user:S3CRET@h:6379', 'redis://***@h:6379'],
  ['the password alone', 'store: redis://:S3CRET@h:6379', 'redis://***@h:6379'],
  ['a password with an @ in it', 'store: redis://user:S3@CRET@h:6379', 'redis://***@h:6379'],
  ['the collector of spans', 'otlp: http://user:S3CRET@h:4318', 'http://***@h:4318'],
  [
    'the keys of the issuer',
    'identity: { jwt: { issuer: "https://i", audience: "https://g", jwks: "https://i/k?t=S3CRET" } }',
    'https://i/k?***',
  ],
])('%s is masked', (_, setting, expected) => {
  const text = printed(`${setting}\nupstreams: { a: { url: "https://h.example/mcp" } }`);
  expect(text).not.toMatch(/S3|CRET/);
  expect(text).toContain(expected);
});

test.each([
  ['a query', 'url: "https://h.example/mcp?key=arg-secret"', 'https://h.example/mcp?***'],
  ['a query without a name', 'url: "https://h.example/mcp?arg-secret"', 'https://h.example/mcp?***'],
  ['a variable in a path', 'url: "https://h.example/${API_KEY}/mcp"', 'https://h.example/${API_KEY}/mcp'],
  ['an argument that is a secret', 'command: [s, --api-key=arg-secret, -v]', '- --api-key=***\n      - -v'],
  ['an argument behind its option', 'command: [s, --token, arg-secret, --keep]', '- --token\n      - "***"\n      - --keep'],
  ['a variable in an argument', 'command: [s, "--key=${API_KEY}"]', '--key=${API_KEY}'],
  ['the header of a bridge', 'command: [npx, mcp-remote, "https://h/mcp", --header, "Authorization: Bearer arg-secret"]', '- "***"'],
  ['a header behind a short option', 'command: [npx, x, -H, "X-Key: arg-secret"]', '- "***"'],
  [
    'a variable of a container',
    'command: [docker, run, -e, "DB=arg-secret", "--env=TZ=arg-secret", img]',
    '- DB=***\n      - --env=TZ=***\n      - img',
  ],
  ['a password in an address', 'command: [s, "--db=postgres://u:arg-secret@h/db?x=1"]', '--db=postgres://***@h/db?***'],
  ['a word in a script', 'command: [sh, -c, "KEY=arg-secret exec s --port=80"]', 'KEY=*** exec s --port=80'],
  ['a member of JSON', 'command: [s, "{\\"token\\":\\"arg-secret\\"}"]', '{"token":"***"}'],
  ['a word from a generator', 'command: [s, ghp-arg-secret-0123456789]', '- "***"'],
  ['a default of a variable', 'command: [s, "--key=${NOPE:-arg-secret}"]', '--key=${NOPE:-***}'],
  ['a query beside a variable', 'url: "https://h.example/mcp?key=arg-secret&x=${API_KEY}"', 'https://h.example/mcp?***'],
  ['a key in a path', 'url: "https://h.example/s/arg-secret0a1b2c3d4e5f6a7b/mcp"', 'https://h.example/s/***/mcp'],
  ['a key in the path of an argument', 'command: [npx, mcp-remote, "https://h/arg-secret-0a1b2c3d4e5f/sse"]', '- https://h/***/sse'],
  ['a fragment', 'url: "https://h.example/mcp#arg-secret"', 'https://h.example/mcp#***'],
  ['a variable in the folder', 'command: [s], cwd: "/${API_KEY}"', '/${API_KEY}'],
])('%s of an upstream is not shown', (_, setting, expected) => {
  const text = printed(`upstreams: { a: { ${setting.replace(', cwd', '\n  , cwd')} } }`);
  expect(text).not.toContain('arg-secret');
  expect(text).toContain(expected);
});

test('words that are no secret are shown', () => {
  const words = [
    'npx',
    '-y',
    '@scope/server-files@2026.8.31',
    '--port=8080',
    '-p',
    'tsx',
    '/home/me/projects-2026-november/x',
    './server.js',
    'git+https://code.example/people/some-long-server-name-v2',
    'host:80',
  ];
  expect(parse(printed(JSON.stringify({ upstreams: { a: { command: words } } }))).upstreams.a.command).toEqual(words);
});

test.each([
  [
    'VS Code',
    '{ /* mine */ "inputs": [], "servers": { "a": { "type": "http", "url": "https://h.example/mcp", "headers": { "X-Key": "${input:api-key}" } } } }',
    { url: 'https://h.example/mcp', credentials: { 'X-Key': '${API_KEY}' } },
  ],
  ['Windsurf', '{ "mcpServers": { "a": { "serverUrl": "https://u:s3cret@h.example/mcp" } } }', { url: 'https://${A_USER}@h.example/mcp' }],
  [
    'Cursor',
    '{ "mcpServers": { "a": { "command": "x", "env": { "PORT": 80, "K": "${env:K}" } } } }',
    { command: ['x'], env: { PORT: '${PORT}', K: '${env:K}' } },
  ],
  [
    'Gemini',
    '{ "mcpServers": { "a": { "httpUrl": "https://h.example/mcp", "trust": true }, "b": { "command": "x", "disabled": true } } }',
    { url: 'https://h.example/mcp' },
  ],
  [
    'Claude Code',
    '{ "history": ["${what}"], "mcpServers": { "a": { "type": "http", "url": "https://h.example/mcp" } }, "projects": {} }',
    { url: 'https://h.example/mcp' },
  ],
])('the file of %s becomes YAML to begin with', (_, text, expected) => {
  const made = printConfig(new ConfigText(text, { file: 'mcp.json' }));
  expect(made).not.toContain('s3cret');
  expect(parse(made).upstreams).toEqual({ a: expected });
});

test('an mcpServers file becomes YAML to begin with: no secret is copied, and the variables are named', () => {
  const host = {
    mcpServers: {
      files: { command: 'npx', args: ['-y', 'server', '${DIR:-/tmp}'], env: { KEY: 's3cret', HOME_DIR: '${HOME}' } },
      more: { command: 'npx', args: ['--token', 's3cret', '--db-key=s3cret2'], env: { KEY: 's3cret2' } },
      web: { type: 'http', url: 'https://h.example/mcp?key=s3cret', headers: { 'X-Key': 's3cret' } },
      hook: { url: 'https://h.example/s/s3cret0a1b2c3d4e5f6a7b/mcp', headers: { 'X-Key': '${HOOK_KEY:-s3cret}' } },
    },
  };
  // No variable is set: the file is only turned into another.
  const text = printConfig(new ConfigText(JSON.stringify(host), { file: '.mcp.json' }));
  expect(text).not.toContain('s3cret');
  expect(text).toContain(
    '# Set these variables; their values stand in .mcp.json: KEY, TOKEN, DB_KEY, MORE_KEY, WEB_QUERY, WEB_X_KEY, HOOK_SECRET, HOOK_KEY',
  );
  expect(parse(text).upstreams).toEqual({
    files: { command: ['npx', '-y', 'server', '${DIR:-/tmp}'], env: { KEY: '${KEY}', HOME_DIR: '${HOME}' } },
    more: { command: ['npx', '--token', '${TOKEN}', '--db-key=${DB_KEY}'], env: { KEY: '${MORE_KEY}' } },
    web: { url: 'https://h.example/mcp?${WEB_QUERY}', credentials: { 'X-Key': '${WEB_X_KEY}' } },
    hook: { url: 'https://h.example/s/${HOOK_SECRET}/mcp', credentials: { 'X-Key': '${HOOK_KEY}' } },
  });
  const set = {
    KEY: 'k',
    TOKEN: 't',
    DB_KEY: 'd',
    MORE_KEY: 'm',
    WEB_QUERY: 'key=k',
    WEB_X_KEY: 'w',
    HOOK_SECRET: 's',
    HOOK_KEY: 'h',
    HOME: '/',
  };
  const started = readConfig(new ConfigText(text, { env: set }));
  expect(started.config.upstreams.map(({ name }) => name)).toEqual(['files', 'more', 'web', 'hook']);
});
