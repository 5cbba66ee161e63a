import { readFileSync } from 'node:fs';
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
    ['an empty file', '', 'gateway.yaml:1:1: the configuration: expected object'],
    [
      'an alias that leads nowhere',
      `${yaml('')}    env: *nowhere`,
      'gateway.yaml: Unresolved alias (the anchor must be set before the alias): nowhere',
    ],
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
  ])('%s is told with line, column and the nearest name', (_, text, expected) => {
    expect(problemsOf(text)).toContain(expected);
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
  });
});
