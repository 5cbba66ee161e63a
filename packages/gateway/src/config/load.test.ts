import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { checkShape, schema } from './check.js';
import { readDocument } from './document.js';
import { ConfigText, loadConfig } from './load.js';
import { ConfigError } from './problem.js';

const COMPLETE = readFileSync(new URL('./fixtures/complete.yaml', import.meta.url), 'utf8');

function problemsOf(text: string, env = {}): readonly string[] {
  try {
    loadConfig(new ConfigText(text, { file: 'gateway.yaml', env }));
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const NO_OAUTH =
  'OAuth towards upstreams is not supported; write a token that does not change as `credentials: { Authorization: "Bearer …" }`';

const yaml = (more: string): string => `upstreams:\n  crm:\n    url: https://crm.example.com/mcp\n${more}`;

describe('configuration', () => {
  test('the published JSON Schema accepts the complete example', () => {
    expect(checkShape(readDocument(COMPLETE, 'complete.yaml').value)).toEqual([]);
    // Other programs may read a schema more strictly.
    const strict = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema());
    expect(strict(readDocument(COMPLETE, 'complete.yaml').value)).toBe(true);
  });

  test('the schema describes each setting, for editors', () => {
    const bare: string[] = [];
    const look = (node: object, path: string): void => {
      const { properties = {}, additionalProperties: more, $ref } = node as Node;
      const inner = $ref === undefined ? node : (definitions[$ref.split('/').at(-1)!] ?? {});
      if (path !== '' && !('description' in node) && !('description' in inner)) bare.push(path);
      for (const [name, child] of Object.entries(properties)) look(child, `${path}.${name}`);
      if (typeof more === 'object' && 'properties' in more) look({ description: '', ...more }, `${path}.*`);
    };
    interface Node {
      properties?: Record<string, object>;
      additionalProperties?: object;
      $ref?: string;
    }
    const { definitions, ...whole } = schema() as { definitions: Record<string, Node> };
    look(whole, '');
    for (const [name, node] of Object.entries(definitions)) look({ description: '', ...node }, name);
    expect(bare).toEqual([]);
  });

  test('the complete example is read', () => {
    const env = { WAYBILL_ADMIN: 'a', TZDB_KEY: 'k', CRM_TOKEN: 't' };
    const config = loadConfig(new ConfigText(COMPLETE, { file: '/etc/gateway.yaml', env }));
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 7780,
      hosts: ['gw.corp.example'],
      admin: { host: '127.0.0.1', port: 7781, token: 'a' },
      identity: {
        ...{ kind: 'jwt', issuer: 'https://id.corp.example', audience: 'https://gw.corp.example', resource: 'https://gw.corp.example' },
        ...{ claim: 'sub', jwks: undefined, skew: 30_000 },
      },
      store: 'sqlite:/etc/state.db',
    });
    const [time, crm] = config.upstreams;
    expect(time).toMatchObject({
      target: {
        kind: 'stdio',
        command: 'npx',
        args: ['-y', 'some-time-server'],
        env: { TZDB_KEY: 'k' },
        share: 'principal',
        max: 20,
        idle: 300_000,
      },
      revision: 'auto',
      trace: { mode: 'join', spans: true },
      language: { from: ['meta', 'header'], default: 'en', catalogs: '/etc/locales/time', fields: ['title'] },
      policy: { location: 'country', baggage: ['tenant.id'] },
    });
    // The upstream's own settings win member by member.
    expect(crm).toMatchObject({
      target: { kind: 'http', credentials: { authorization: 'Bearer t' } },
      policy: { location: 'city', trace: 'never', baggage: ['tenant.id'] },
      state: { mode: 'keep', conversation: 'openai/session' },
      cacheLists: 30_000,
    });
    expect(config.limits).toEqual({
      ...{ body: 4 * 1024 * 1024, depth: 128, time: 60_000, concurrent: 64 },
      rate: { text: '50/s', amount: 50, milliseconds: 1000 },
    });
  });

  test.each([
    ['a misspelt name', yaml('    stat: { mode: keep }'), 'gateway.yaml:4:5: upstreams.crm.stat: unknown; did you mean state?'],
    [
      'the name of a language',
      yaml('    language: { default: english }'),
      'gateway.yaml:4:17: upstreams.crm.language.default: is not a language tag, such as de or pt-BR',
    ],
    ['a wrong value', yaml('    state: { mode: kep }'), 'gateway.yaml:4:14: upstreams.crm.state.mode: did you mean keep?'],
    [
      'a broken file',
      'upstreams: [',
      'gateway.yaml:1:13: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    [
      'an unset variable',
      yaml('    credentials: { Authorization: "${NOPE}" }'),
      'gateway.yaml:4:20: upstreams.crm.credentials.Authorization: the variable NOPE is not set, and has no default (${NOPE:-default})',
    ],
    [
      'an open address',
      `listen: 0.0.0.0:80\n${yaml('')}`,
      'gateway.yaml:1:1: listen: 0.0.0.0 can be reached from other machines, so `identity` is needed',
    ],
    [
      'a zone that is none',
      yaml('    environment: { defaults: { timezone: Mars/Base } }'),
      'gateway.yaml:4:32: upstreams.crm.environment.defaults.timezone: is not an IANA time zone',
    ],
    [
      'now as a default',
      yaml('    environment: { defaults: { now: x } }'),
      'gateway.yaml:4:32: upstreams.crm.environment.defaults.now: unknown; expected one of timezone, locale',
    ],
    [
      'kept lists with passed credentials',
      yaml('    credentials: pass\n    cache: { lists: 30s }'),
      'gateway.yaml:5:5: upstreams.crm.cache: lists of one user must not reach another, and `credentials: pass` verifies nobody',
    ],
    [
      'keep with passed credentials',
      yaml('    credentials: pass\n    state: { mode: keep }'),
      'gateway.yaml:5:5: upstreams.crm.state: `keep` needs a verified user, and `credentials: pass` verifies nobody',
    ],
    [
      'identity with passed credentials',
      `identity: { single: true }\n${yaml('    credentials: pass')}`,
      'gateway.yaml:5:5: upstreams.crm.credentials: `pass` verifies nobody, so `identity` cannot be used with it',
    ],
    ['neither url nor command', 'upstreams:\n  a: {}', 'gateway.yaml:2:3: upstreams.a: expected either `url` or `command`'],
    [
      'a password in a url',
      'upstreams:\n  a: { url: "https://u:p@h.example/mcp" }',
      'gateway.yaml:2:8: upstreams.a.url: holds a password; write it as `credentials`',
    ],
    [
      'two ways to know the user',
      `identity: { single: true, jwt: { issuer: "https://i.example", audience: "https://g.example" } }\n${yaml('')}`,
      'gateway.yaml:1:1: identity: expected exactly one of jwt, trustedProxy, single',
    ],
    [
      'keys that come in the clear',
      `identity: { jwt: { issuer: "http://i.example", audience: "https://g.example" } }\n${yaml('')}`,
      'gateway.yaml:1:20: identity.jwt.issuer: expected an https address; http is for loopback only, because keys must not be replaced on the way',
    ],
    [
      'an audience that is not an address',
      `identity: { jwt: { issuer: "https://i.example", audience: api } }\n${yaml('')}`,
      'gateway.yaml:1:49: identity.jwt.audience: is not the address of this gateway; write that as `resource`, so that clients can be told where to get a token',
    ],
    [
      'a header with another meaning',
      `identity: { trustedProxy: { header: Mcp-Name, from: [10.0.0.0/8] } }\n${yaml('')}`,
      'gateway.yaml:1:29: identity.trustedProxy.header: Mcp-Name has another meaning; take a header of its own, such as X-User',
    ],
    [
      'a proxy that is not an address',
      `identity: { trustedProxy: { header: X-User, from: [proxy.corp] } }\n${yaml('')}`,
      'gateway.yaml:1:45: identity.trustedProxy.from: proxy.corp is neither an address nor a network such as 10.0.0.0/8',
    ],
    [
      'an address for everybody without a name',
      `listen: 0.0.0.0:80\nidentity: { trustedProxy: { header: X-User, from: [10.0.0.1] } }\n${yaml('')}`,
      'gateway.yaml:1:1: listen: write the names under which clients reach this gateway as `hosts`: no other Host is served',
    ],
    ['an empty file', '', 'gateway.yaml:1:1: the configuration: expected names with values (name: value)'],
    ['an alias that leads nowhere', `${yaml('')}    env: *nowhere`, 'gateway.yaml:4:10: there is no anchor &nowhere before this alias'],
    [
      'a value that is far from any',
      yaml('    share: everything'),
      'gateway.yaml:4:5: upstreams.crm.share: expected one of one, principal, connection',
    ],
    [
      'a zone that is nearly one',
      yaml('    environment: { defaults: { timezone: Europe/Viena } }'),
      'gateway.yaml:4:32: upstreams.crm.environment.defaults.timezone: is not an IANA time zone; did you mean Europe/Vienna?',
    ],
    [
      'a name with a blank',
      'upstreams:\n  my crm: { url: "https://h.example" }',
      'gateway.yaml:2:3: upstreams.my crm: a name has only letters, digits, dots, dashes and underscores',
    ],
    [
      'an address of another kind',
      'upstreams:\n  a: { url: "ftp://h.example/mcp" }',
      'gateway.yaml:2:8: upstreams.a.url: is not an http or https address',
    ],
    ['OAuth as a setting', yaml('    oauth: { client_id: x }'), `gateway.yaml:4:5: upstreams.crm.oauth: ${NO_OAUTH}`],
    [
      'OAuth as credentials',
      yaml('    credentials: { oauth: { client_id: x } }'),
      `gateway.yaml:4:20: upstreams.crm.credentials.oauth: ${NO_OAUTH}`,
    ],
    ['OAuth as a word', yaml('    credentials: oauth'), `gateway.yaml:4:5: upstreams.crm.credentials: ${NO_OAUTH}`],
    ['an upstream of this name', 'upstreams:\n  auth: { urll: x }', 'gateway.yaml:2:11: upstreams.auth.urll: unknown; did you mean url?'],
    ['no request at all', `limits: { rate: 0/s }\n${yaml('')}`, 'gateway.yaml:1:11: limits.rate: expected a value such as 50/s'],
    ['no time at all', `limits: { time: 0s }\n${yaml('')}`, 'gateway.yaml:1:11: limits.time: expected a value such as 30s'],
    [
      'a Host with a port',
      `hosts: ["gw:443"]\n${yaml('')}`,
      'gateway.yaml:1:9: hosts.0: expected a name or an address alone, without a scheme and a port',
    ],
    [
      'an origin with a path',
      `origins: ["https://a.example/"]\n${yaml('')}`,
      'gateway.yaml:1:11: origins.0: expected an origin, as browsers send it, such as https://a.example',
    ],
    [
      'two servers of a host with one path',
      '{"mcpServers": {"a b": {"url": "https://h"}, "a-b": {"url": "https://h"}}}',
      'gateway.yaml:1:46: mcpServers.a-b: has the same path as another one: /a-b/mcp',
    ],
    ['an unknown store', `store: mysql://h\n${yaml('')}`, 'gateway.yaml:1:1: store: expected memory, sqlite:FILE or redis://HOST:PORT'],
    ['a rate without a time', `limits: { rate: "50" }\n${yaml('')}`, 'gateway.yaml:1:11: limits.rate: expected a value such as 50/s'],
    ['a tab', 'upstreams:\n\tcrm: {}', 'gateway.yaml:2:1: a tab; YAML is indented with blanks'],
    ['a name that stands twice', `${yaml('')}  crm: {}`, 'gateway.yaml:4:3: crm stands here a second time'],
    ['a second document', `${yaml('')}---\na: 1`, 'gateway.yaml:4:1: a second document begins here; remove --- and what follows'],
    [
      'a tag that nobody knows',
      'upstreams: { a: { command: [x], env: { A: !vault x } } }',
      'gateway.yaml:1:43: the tag !vault is not known; write the value itself, or ${VARIABLE}',
    ],
    ['a variable without quotes', 'admin: { token: ${T} }', 'gateway.yaml:1:18: put a value with ${…} in quotes'],
    ['an alias inside its anchor', 'upstreams: &u\n  a: *u', 'gateway.yaml:2:6: the alias *u stands inside its own anchor'],
    [
      'a value that is nested endlessly',
      `upstreams: ${'['.repeat(5_000)}`,
      expect.stringMatching(/^gateway.yaml:1:\d+: is nested too deeply$/),
    ],
    ['UTF-16', 'l\0i\0s\0t\0', 'gateway.yaml:1:2: is not UTF-8 text; save the file in that encoding'],
    [
      'a command as one text',
      'upstreams: { a: { command: npx x } }',
      'gateway.yaml:1:19: upstreams.a.command: expected a list, such as [npx, -y, some-server]',
    ],
    ['a command without a word', 'upstreams: { a: { command: [] } }', 'gateway.yaml:1:19: upstreams.a.command: expected at least one'],
    [
      'arguments of their own',
      'upstreams: { a: { command: [x], args: [y] } }',
      'gateway.yaml:1:33: upstreams.a.args: unknown; write the arguments after the program: `command: [program, argument]`',
    ],
    [
      'a number in the environment',
      'upstreams: { a: { command: [x], env: { PORT: 8080 } } }',
      'gateway.yaml:1:40: upstreams.a.env.PORT: expected text; put the value in quotes',
    ],
    ['a port alone', `listen: 7780\n${yaml('')}`, 'gateway.yaml:1:1: listen: expected text, such as 127.0.0.1:7780'],
    [
      'an address without a port',
      `listen: localhost\n${yaml('')}`,
      'gateway.yaml:1:1: listen: expected HOST:PORT, such as 127.0.0.1:7780 or [::1]:7780',
    ],
    [
      'a number from a variable',
      `limits: { concurrent: "5" }\n${yaml('')}`,
      'gateway.yaml:1:11: limits.concurrent: expected a whole number without quotes; a variable gives text',
    ],
    ['a number that is too small', `limits: { concurrent: 0 }\n${yaml('')}`, 'gateway.yaml:1:11: limits.concurrent: expected 1 or more'],
    ['a number that is too large', `limits: { depth: 5000 }\n${yaml('')}`, 'gateway.yaml:1:11: limits.depth: expected 1000 or less'],
    // Without this, an address for everybody would have no identity at all.
    [
      'an identity that is none',
      `listen: 0.0.0.0:80\nhosts: [gw]\nidentity: { single: false }\n${yaml('')}`,
      'gateway.yaml:3:13: identity.single: expected true, or the name of the user',
    ],
    [
      'a user without a name',
      `identity: { single: "" }\n${yaml('')}`,
      'gateway.yaml:1:13: identity.single: expected true, or the name of the user',
    ],
    [
      'a header that no client can send',
      `identity: { trustedProxy: { header: X User, from: [10.0.0.1] } }\n${yaml('')}`,
      'gateway.yaml:1:29: identity.trustedProxy.header: is not a header name; take one such as X-User',
    ],
    [
      'credentials as one word',
      yaml('    credentials: Bearer x'),
      'gateway.yaml:4:5: upstreams.crm.credentials: expected headers, such as { Authorization: "Bearer …" }, or pass, or none',
    ],
    [
      'credentials under a name that is none',
      yaml('    credentials: { "X Key": a }'),
      'gateway.yaml:4:20: upstreams.crm.credentials.X Key: is not a header name',
    ],
    [
      'credentials that the gateway writes',
      yaml('    credentials: { Mcp-Session-Id: a }'),
      'gateway.yaml:4:20: upstreams.crm.credentials.Mcp-Session-Id: is a header that the gateway writes itself',
    ],
    [
      'credentials with the line break of a file',
      yaml('    credentials: { X-Key: "a\\n" }'),
      'gateway.yaml:4:20: upstreams.crm.credentials.X-Key: has a line break, a blank at an end or a letter that no header may have',
    ],
    [
      'a token with the line break of a file',
      `admin: { listen: "127.0.0.1:1", token: "a\\n" }\n${yaml('')}`,
      'gateway.yaml:1:33: admin.token: has a blank or a line break at an end, so nobody could send it',
    ],
    [
      'a setting of commands',
      yaml('    share: one'),
      'gateway.yaml:4:5: upstreams.crm.share: is for a `command`; this upstream has a `url`',
    ],
    [
      'a setting of addresses',
      'upstreams: { a: { command: [x], metadata: y } }',
      'gateway.yaml:1:33: upstreams.a.metadata: is for a `url`',
    ],
    ['metadata at no address', yaml('    metadata: x'), 'gateway.yaml:4:5: upstreams.crm.metadata: is not an http or https address'],
    [
      'a variable with a dash',
      yaml('    metadata: "${my-var}"'),
      'gateway.yaml:4:5: upstreams.crm.metadata: ${my-var} is not a variable: a name has only letters, digits and _. If it is to stay as it is, write $${my-var}',
    ],
    [
      'a question of a host',
      '{"servers": {"a": {"url": "https://h.example", "headers": {"X-Key": "${input:api-key}"}}}}',
      'gateway.yaml:1:60: servers.a.headers.X-Key: ${input:api-key} is a question that a host asks; write a variable, such as ${API_KEY}',
    ],
    [
      'a file of variables',
      '{"mcpServers": {"a": {"command": "x", "envFile": ".env"}}}',
      'gateway.yaml:1:17: mcpServers.a: `envFile` is not read; write what is in it as `env`',
    ],
    [
      'servers that are all switched off',
      '{"mcpServers": {"a": {"command": "x", "disabled": true}}}',
      'gateway.yaml:1:2: mcpServers: has no server that is switched on',
    ],
  ])('%s is told with line, column and the nearest name', (_, text, expected) => {
    expect(problemsOf(text)).toContainEqual(expected);
  });

  test('everything that is wrong is told at once: what is not set, and what is misspelt', () => {
    expect(problemsOf('listen: "${ADDRESS}"\nlimit: {}\nupstreams:\n  crm:\n    url: "${URL}"')).toEqual([
      'gateway.yaml:1:1: listen: the variable ADDRESS is not set, and has no default (${ADDRESS:-default})',
      'gateway.yaml:5:5: upstreams.crm.url: the variable URL is not set, and has no default (${URL:-default})',
      'gateway.yaml:2:1: limit: unknown; did you mean limits?',
    ]);
  });

  test('TOML is told by the name of the file', () => {
    expect(() => loadConfig(new ConfigText('[mcp_servers.x]', { file: 'config.toml' }))).toThrow(
      'config.toml:1:1: is TOML; write its servers as `upstreams`',
    );
  });

  test('one upstream may be made from another one', () => {
    const { upstreams } = loadConfig(
      new ConfigText(`${yaml('    trace: { mode: join }\n').replace('crm:', 'crm: &crm')}  two: { <<: *crm, cache: { lists: 1s } }`),
    );
    expect(upstreams.map(({ trace, cacheLists }) => [trace.mode, cacheLists])).toEqual([
      ['join', 0],
      ['join', 1000],
    ]);
  });

  test('letters that look like a variable stay behind a second $', () => {
    const text = 'upstreams: { a: { command: [sh, -c, "echo $${HOME%/*} $HOME $(date)"] } }';
    expect(loadConfig(new ConfigText(text)).upstreams[0]!.target).toMatchObject({ args: ['-c', 'echo ${HOME%/*} $HOME $(date)'] });
  });

  test('a folder of a command is found from the folder of the file', () => {
    const text = 'upstreams: { a: { command: [x], cwd: ./here } }';
    expect(loadConfig(new ConfigText(text, { file: '/etc/waybill/gateway.yaml' })).upstreams[0]!.target).toMatchObject({
      cwd: '/etc/waybill/here',
    });
  });

  test('the file of VS Code is read with its comments; what else is in the file of a host does not matter', () => {
    const text = `// servers of this folder
{ "inputs": [{ "id": "\${nothing}" }],
  "servers": { "a": { "type": "http", "url": "https://h.example/mcp?q=//x" /* here */ }, "off": { "command": "x", "disabled": true }, },
}`;
    const { upstreams } = loadConfig(new ConfigText(text));
    expect(upstreams.map(({ name, target }) => [name, 'url' in target && target.url.href])).toEqual([['a', 'https://h.example/mcp?q=//x']]);
    const flow = loadConfig(new ConfigText('{ upstreams: { a: { url: https://h.example/mcp } } }')).upstreams[0]!;
    expect(flow.target).toMatchObject({ url: new URL('https://h.example/mcp') });
  });

  test('an mcpServers file becomes upstreams, with variables filled in', () => {
    const text = JSON.stringify({
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'server', '${DIR:-/tmp}'], env: { KEY: '${KEY}' } },
        web: { type: 'http', url: 'https://h.example/mcp', headers: { 'X-Key': '${env:KEY}' } },
      },
    });
    const { upstreams } = loadConfig(new ConfigText(text, { env: { KEY: 'k' } }));
    expect(upstreams.map(({ name, target }) => ({ name, target }))).toMatchObject([
      { name: 'files', target: { kind: 'stdio', command: 'npx', args: ['-y', 'server', '/tmp'], env: { KEY: 'k' } } },
      { name: 'web', target: { kind: 'http', credentials: { 'x-key': 'k' } } },
    ]);
  });

  test('one mistake is one problem', () => {
    for (const wrong of ['credentials: 7', 'credentials: { a: 7 }', 'policy: { baggage: [7] }', 'policy: { baggage: no }'])
      expect([wrong, problemsOf(yaml(`    ${wrong}`)).length]).toEqual([wrong, 1]);
  });

  test('a time that no timer can wait for is the longest one', () => {
    const { target } = loadConfig(new ConfigText('upstreams: { a: { command: [x], children: { idle: 400d } } }')).upstreams[0]!;
    expect(target).toMatchObject({ idle: 2 ** 31 - 1 });
  });

  test('HTTP+SSE is refused by name', () => {
    const text = JSON.stringify({ mcpServers: { old: { type: 'sse', url: 'https://h.example/sse' } } });
    expect(problemsOf(text)[0]).toMatch(/mcpServers\.old: type "sse" \(HTTP\+SSE\) is not supported/);
    const ours = 'upstreams: { old: { type: sse, url: "https://h.example/sse" } }';
    expect(problemsOf(ours)[0]).toMatch(/upstreams\.old\.type: type "sse" \(HTTP\+SSE\) is not supported/);
  });
});
