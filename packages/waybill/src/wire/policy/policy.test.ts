import { describe, expect, it } from 'vitest';
import { checkPolicy, checkPolicyRules, decisionsOf, levelsOf, namesAt, NO_NAMES, readPolicy, type Policy } from '../policy.js';

const at = (url: string, given?: string): ReturnType<typeof namesAt> => namesAt(new URL(url), given);

describe('a policy is checked when it is read', () => {
  it.each([
    ['no object', 'yes', 'policy: expected an object'],
    ['a misspelt member', { defualt: {} }, 'policy.defualt: unknown member; did you mean default?'],
    ['a misspelt field', { default: { langauge: 'never' } }, 'policy.default.langauge: unknown field; did you mean language?'],
    ['a field nobody knows', { default: { shoes: 'never' } }, 'policy.default.shoes: unknown field; expected one of language, timezone'],
    ['a misspelt level', { default: { state: 'nevr' } }, 'got "nevr"; did you mean never?'],
    ['a misspelt precision', { default: { location: 'citty' } }, 'policy.default.location: expected one of always, ask, never, country'],
    [
      'a precision of another field',
      { default: { timezone: 'city' } },
      'policy.default.timezone: expected one of always, ask, never, got "city"',
    ],
    ['minimal of another field', { default: { state: 'minimal' } }, 'policy.default.state: expected one of'],
    ['a level that is not a text', { default: { state: false } }, 'policy.default.state: expected one of always, ask, never, got false'],
    ['a name of baggage that is not a text', { default: { baggage: ['a', 7] } }, 'policy.default.baggage[1]: expected a name'],
    ['rules that are not objects', { servers: { shop: 'never' } }, 'policy.servers["shop"]: expected an object'],
    [
      'a field for a server',
      { servers: { shop: { tiemzone: 'ask' } } },
      'policy.servers["shop"].tiemzone: unknown field; did you mean timezone?',
    ],
    [
      'a star without a dot',
      { servers: { '*corp.example': {} } },
      'is no server pattern: expected *.domain, or a name whose last part is *; did you mean *.corp.example?',
    ],
    ['a star in an address', { servers: { 'https://*.corp.example/mcp': {} } }, 'did you mean *.corp.example?'],
    [
      'a star alone',
      { servers: { '*': {} } },
      'policy.servers["*"]: is no server pattern; a rule for every server has a name of its own; did you mean default?',
    ],
    ['a star in the middle', { servers: { 'a.*.example': {} } }, 'is no server pattern'],
    ['a misspelt scheme', { servers: { 'htps://a.example': {} } }, 'did you mean https://a.example?'],
    ['a misspelt kind', { servers: { 'nmp:@scope/server': {} } }, 'names an unknown kind of server; did you mean npm:@scope/server?'],
    ['a password', { servers: { 'https://a:b@c.example': {} } }, 'expected an address without user, password and fragment'],
    ['blanks', { servers: { ' shop': {} } }, 'did you mean shop?'],
    ['no name', { servers: { '': {} } }, 'expected a server'],
    ['a promise', Promise.resolve({ default: { location: 'never' } }), 'policy: expected an object, got a promise: await it'],
    ['a promise of rules', { default: Promise.resolve({}) }, 'policy.default: expected an object, got a promise: await it'],
    ['a Map', { servers: new Map([['shop', { location: 'never' }]]) }, 'policy.servers: expected an object'],
    ['a host with a port', { servers: { 'a.example:8443/mcp': {} } }, 'so it needs a scheme; did you mean https://a.example:8443/mcp?'],
    ['localhost with a port', { servers: { 'localhost:3000': {} } }, 'so it needs a scheme; did you mean http://localhost:3000?'],
    ['an IP address with a port', { servers: { '[::1]:3000': {} } }, 'so it needs a scheme; did you mean http://[::1]:3000?'],
  ])('%s is an error that names the path and suggests the nearest (D-20)', (_, policy, message) => {
    expect(() => checkPolicy(policy)).toThrow(message);
  });

  it('rules for one server are checked with the path of their owner', () => {
    expect(() => checkPolicyRules({ location: 'contry' }, 'upstreams.crm.policy')).toThrow(
      /^upstreams\.crm\.policy\.location: .*did you mean country\?$/,
    );
  });

  it('every form that the words allow is accepted', () => {
    const rules = { language: 'ask', location: 'region', baggage: ['tenant.id'], capabilities: 'minimal', state: undefined };
    const servers = {
      'https://crm.example.com': rules,
      '*.corp.example': {},
      'npm:@scope/server': {},
      'npm:@scope/*': {},
      shop: {},
      'http://127.0.0.1:3000/mcp': {},
    };
    expect(() => checkPolicy({ default: { baggage: 'never', location: 'always' }, servers })).not.toThrow();
  });
});

describe('the rule for a server', () => {
  const level = (policy: Policy, server: Parameters<ReturnType<typeof readPolicy>['decide']>[0]): unknown =>
    readPolicy(policy).decide(server).location;
  const policy: Policy = {
    default: { location: 'never', language: 'ask' },
    servers: {
      'https://crm.corp.example': { location: 'city' },
      '*.corp.example': { location: 'country' },
      'npm:@scope/server': { location: 'always' },
      'npm:@other/*': { location: 'region' },
    },
  };

  it('an exact server beats a pattern beats the default (D-20)', () => {
    expect(level(policy, at('https://crm.corp.example/mcp'))).toEqual({
      level: 'city',
      rule: 'servers["https://crm.corp.example"].location',
    });
    expect(level(policy, at('https://hr.corp.example/mcp'))).toEqual({ level: 'country', rule: 'servers["*.corp.example"].location' });
    expect(level(policy, at('https://else.example'))).toEqual({ level: 'never', rule: 'default.location' });
  });

  it('a server without an identity gets the default (D-20)', () => {
    expect(level(policy, NO_NAMES)).toEqual({ level: 'never', rule: 'default.location' });
  });

  it('a field that the exact rule does not name follows the wider one', () => {
    expect(readPolicy(policy).decide(at('https://crm.corp.example/mcp')).language.rule).toBe('default.language');
  });

  it('a field that nobody names is sent as without a policy', () => {
    expect(readPolicy(policy).decide(NO_NAMES).trace).toEqual({ level: 'always', rule: undefined });
  });

  it.each<[string, NonNullable<Policy['servers']>, unknown]>([
    ['never beats ask', { '*.a.example': { location: 'ask' }, '*.example': { location: 'never' } }, 'never'],
    ['ask beats always', { '*.a.example': { location: 'always' }, '*.example': { location: 'ask' } }, 'ask'],
    ['the coarser place wins', { '*.a.example': { location: 'city' }, '*.example': { location: 'region' } }, 'region'],
    ['a precision beats always', { '*.a.example': { location: 'coordinates' }, '*.example': { location: 'always' } }, 'coordinates'],
  ])('at equal rank %s (D-20)', (_, servers, expected) => {
    expect(level({ servers }, at('https://x.a.example'))).toMatchObject({ level: expected });
    const reversed = Object.fromEntries(Object.entries(servers).reverse());
    expect(level({ servers: reversed }, at('https://x.a.example'))).toMatchObject({ level: expected });
  });

  it('two lists of baggage leave only the names in both, and minimal beats always', () => {
    const servers: NonNullable<Policy['servers']> = {
      '*.a.example': { baggage: ['x', 'y'], capabilities: 'always' },
      '*.example': { baggage: ['y', 'z'], capabilities: 'minimal' },
    };
    const { baggage, capabilities } = readPolicy({ servers }).decide(at('https://x.a.example'));
    expect([baggage.level, capabilities.level]).toEqual([['y'], 'minimal']);
  });

  it.each([
    ['https://CRM.example.com', 'https://crm.example.com/mcp', true],
    ['https://crm.example.com', 'https://crm.example.com.:443/', true],
    ['https://crm.example.com', 'https://crm.example.com:8443/', false],
    ['https://crm.example.com', 'http://crm.example.com/', false],
    ['https://crm.example.com/mcp', 'https://crm.example.com/mcp', true],
    ['https://crm.example.com/mcp', 'https://crm.example.com/other', false],
    ['crm.example.com', 'https://crm.example.com/mcp', true],
    ['CRM.example.com/mcp', 'https://crm.example.com/mcp', true],
    ['crm.example.com/mcp', 'https://crm.example.com/other', false],
    ['crm.example.com/*', 'https://crm.example.com/mcp', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://evilexample.com/', false],
    ['*.bücher.example', 'https://a.xn--bcher-kva.example/', true],
  ])('%s and %s: %s', (key, url, expected) => {
    expect(level({ default: { location: 'never' }, servers: { [key]: { location: 'always' } } }, at(url))).toMatchObject({
      level: expected ? 'always' : 'never',
    });
  });

  it('a name that the application gave counts beside the address', () => {
    expect(level({ servers: { shop: { location: 'ask' } } }, at('https://a.example', 'shop'))).toMatchObject({ level: 'ask' });
  });

  it('a package is matched by name or by scope, and only whole', () => {
    expect(level(policy, { names: ['npm:@scope/server'] })).toMatchObject({ level: 'always' });
    expect(level(policy, { names: ['npm:@scope/server-evil'] })).toMatchObject({ level: 'never' });
    expect(level(policy, { names: ['npm:@other/any'] })).toMatchObject({ level: 'region' });
  });

  it('a name that looks like a host keeps its capital letters', () => {
    const servers = { 'io.github.Ada/weather': { location: 'ask' }, 'Shop.example': { state: 'ask' } } as const;
    const levels = (name: string): unknown => levelsOf(readPolicy({ servers }).decide({ names: [name] }));
    expect(levels('io.github.Ada/weather')).toMatchObject({ location: 'ask' });
    expect(levels('Shop.example')).toMatchObject({ state: 'ask' });
  });

  it('rules for a package that a command only claims to run take away and never add', () => {
    const rules: Policy = {
      default: { location: 'region', language: 'never', baggage: ['a'] },
      servers: { 'npm:x': { location: 'always', language: 'always', baggage: ['b'], trace: 'never' } },
    };
    expect(levelsOf(readPolicy(rules).decide({ names: ['command:1'], claimed: 'npm:x' }))).toMatchObject({
      location: 'region',
      language: 'never',
      baggage: [],
      trace: 'never',
      now: 'always',
    });
  });

  it('a book tells which baggage it allows and whether it names commands', () => {
    const book = readPolicy({ default: { baggage: ['a'] }, servers: { x: { baggage: ['a', 'b'] } } });
    expect([book.baggage, book.namesCommands, readPolicy(policy).namesCommands]).toEqual([['a', 'b'], false, true]);
  });

  it('rules of one owner need no server', () => {
    expect(decisionsOf({ trace: 'never' }, 'upstreams.crm.policy').trace).toEqual({ level: 'never', rule: 'upstreams.crm.policy.trace' });
    expect(levelsOf(decisionsOf({ trace: 'never' }, 'p'))).toMatchObject({ trace: 'never', language: 'always' });
  });
});
