import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedStateHost, isAllowedStateScheme, registrableDomain, sameStateScope, stateScope } from './index.js';

describe('the name of a server', () => {
  it.each([
    ['https://mcp.example.com/mcp', 'mcp.example.com'],
    ['https://MCP.Example.COM/', 'mcp.example.com'],
    ['https://mcp.example.com.:8443/x?y#z', 'mcp.example.com'],
    ['http://user:secret@mcp.example.com', 'mcp.example.com'],
    ['https://bücher.example.de', 'xn--bcher-kva.example.de'],
    ['https://Ｇｏ.com', 'go.com'],
    ['https://intranet/mcp', 'intranet'],
  ])('STATE-31: the name of %s is %s', (url, scope) => {
    expect(stateScope(url)).toBe(scope);
  });

  it.each([
    ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:3000'],
    ['http://2130706433:3000', 'http://127.0.0.1:3000'],
    ['https://[::1]/', 'https://[::1]'],
    ['http://localhost.:8080', 'http://localhost:8080'],
    ['https://dev.localhost', 'https://dev.localhost'],
    ['https://10.0.0.7:8443', 'https://10.0.0.7:8443'],
  ])('D-06: the name of %s is its origin %s, since many servers share the address', (url, scope) => {
    expect(stateScope(url)).toBe(scope);
  });

  it('a URL that is not http has no name', () => {
    for (const text of [
      '',
      'mcp.example.com',
      'ftp://example.com',
      'file:///etc/passwd',
      'data:,x',
      'stdio:server.py',
      'https://',
      'https://a b.com',
      'https://%00.com',
    ])
      expect([text, stateScope(text)]).toEqual([text, undefined]);
  });

  it.each([
    ['https://www.example.com', 'https://other.example.com', false],
    ['https://example.com', 'https://www.example.com', false],
    ['https://www.example.com.', 'https://WWW.example.com:444/path', true],
    ['http://www.example.com', 'https://www.example.com', true],
    ['https://bücher.de', 'https://xn--bcher-kva.de', true],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3001', false],
    ['http://localhost:3000', 'http://localhost:3000/mcp', true],
    ['nonsense', 'nonsense', false],
  ])('STATE-31: %s and %s are one server: %s', (one, other, same) => {
    expect(sameStateScope(one, other)).toBe(same);
  });
});

describe('the host rule', () => {
  it.each([
    'https://mcp.example.com',
    'https://example.co.uk',
    'https://user.github.io',
    'https://bücher.de',
    'https://食狮.公司.cn',
    'https://www.ck',
    'https://b.c.mm',
    'https://a_b.example.com',
    'https://192.168.257.com',
    'http://example.com:8080',
  ])('STATE-33: %s is under a registry', (url) => {
    expect(isAllowedStateHost(url)).toBe(true);
  });

  it.each([
    ['localhost', ['http://localhost', 'http://LOCALHOST.', 'http://a.localhost', 'http://localhost:3000']],
    [
      'an IPv4 address',
      ['http://127.0.0.1', 'http://2130706433', 'http://0x7f.1', 'http://017700000001', 'http://１２７.0.0.1', 'https://8.8.8.8.'],
    ],
    ['an IPv6 address', ['http://[::1]', 'https://[2001:db8::1]', 'http://[::ffff:127.0.0.1]']],
  ])('STATE-32: %s holds no state, in any spelling', (_what, urls) => {
    for (const url of urls) expect([url, isAllowedStateHost(url)]).toEqual([url, false]);
  });

  it.each([
    ['a single label', ['https://intranet', 'https://foo']],
    ['a bare suffix', ['https://com', 'https://co.uk', 'https://github.io', 'https://公司.cn', 'https://test.ck', 'https://mm']],
    ['an unknown suffix', ['https://mcp.corp', 'https://mcp.lan', 'https://a.b.unknown-tld']],
    ['a local name', ['https://printer.local', 'https://mcp.corp.internal', 'https://nas.home.arpa', 'https://home.arpa']],
    ['a reserved name', ['https://a.test', 'https://a.example', 'https://a.invalid', 'https://abc.onion']],
    ['an empty label', ['https://a..com', 'https://.com', 'https://example.com..', 'https://./']],
    ['no URL', ['', 'example.com', 'https://', 'javascript:alert(1)', 'ws://example.com']],
  ])('STATE-36: %s is not under a registry', (_what, urls) => {
    for (const url of urls) expect([url, isAllowedStateHost(url)]).toEqual([url, false]);
  });

  it('D-06: allowHosts names hosts one by one, in any spelling', () => {
    const allowHosts = ['localhost', '127.0.0.1', '::1', 'MCP.corp.internal.', 'intranet'];
    for (const url of ['http://localhost:3000', 'http://0x7f.1', 'https://[0:0::1]', 'https://mcp.corp.internal', 'https://intranet/mcp'])
      expect([url, isAllowedStateHost(url, { allowHosts })]).toEqual([url, true]);
    for (const url of ['http://a.localhost', 'http://127.0.0.2', 'https://other.corp.internal', 'https://internal', 'https://com'])
      expect([url, isAllowedStateHost(url, { allowHosts })]).toEqual([url, false]);
  });

  it('D-06: an entry that is not a host allows nothing, and patterns are not supported', () => {
    const allowHosts = [
      '*',
      '*.localhost',
      '',
      '.',
      'http://localhost',
      'localhost:3000',
      'x@localhost',
      'localhost/',
      ' localhost',
      '[',
      7 as never,
    ];
    for (const url of ['http://localhost', 'http://localhost:3000', 'http://a.localhost', 'https://intranet'])
      expect([url, isAllowedStateHost(url, { allowHosts })]).toEqual([url, false]);
  });

  it('STATE-35: the rule judges the normalised host', () => {
    expect(isAllowedStateHost('https://EXAMPLE\t.\ncom')).toBe(true);
    expect(isAllowedStateHost('https://example.com\\@localhost')).toBe(true);
    expect(isAllowedStateHost('https://example.com@localhost')).toBe(false);
    expect(isAllowedStateHost('https://ＬＯＣＡＬＨＯＳＴ')).toBe(false);
    expect(isAllowedStateHost('https://%6c%6f%63%61%6c%68%6f%73%74')).toBe(false);
  });
});

describe('the scheme rule', () => {
  it.each([
    ['https://mcp.example.com', [], true],
    ['http://mcp.example.com', [], false],
    ['http://mcp.example.com', ['mcp.example.com'], false],
    ['http://localhost:3000', [], false],
    ['http://localhost:3000', ['localhost'], true],
    ['http://127.8.8.8', ['127.8.8.8'], true],
    ['http://[::1]:3000', ['[::1]'], true],
    ['http://10.0.0.7', ['10.0.0.7'], false],
    ['http://127.0.0.1.example.com', ['127.0.0.1.example.com'], false],
    ['ftp://localhost', ['localhost'], false],
    ['nonsense', ['nonsense'], false],
  ])('D-06: %s with %j allowed: %s', (url, allowHosts, allowed) => {
    expect(isAllowedStateScheme(url, { allowHosts })).toBe(allowed);
  });
});

describe('the registrable domain', () => {
  it.each([
    ['example.COM', 'example.com'],
    ['a.b.example.com.', 'example.com'],
    ['a.user.github.io', 'user.github.io'],
    ['a.b.test.ck', 'b.test.ck'],
    ['www.ck', 'www.ck'],
    ['www.city.kobe.jp', 'city.kobe.jp'],
    ['www.食狮.公司.cn', 'xn--85x722f.xn--55qx5d.cn'],
    ['b.example.example', 'example.example'],
  ])('STATE-36: the registrable domain of %s is %s', (host, domain) => {
    expect(registrableDomain(host)).toBe(domain);
  });

  it('STATE-36: a suffix, an address and a malformed name have no registrable domain', () => {
    for (const host of [
      'com',
      'co.uk',
      'c.kobe.jp',
      '.example.com',
      'a..com',
      '',
      '127.0.0.1',
      '::1',
      '[::1]',
      'localhost',
      'a/b.com',
      'a@b.com',
      'b.com:80',
    ])
      expect([host, registrableDomain(host)]).toEqual([host, undefined]);
    expect(registrableDomain(null as never)).toBeUndefined();
  });
});

describe('any string', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc
      .tuple(fc.constantFrom('http://', 'https://', ''), fc.oneof(fc.string(), fc.domain(), fc.ipV4Extended(), fc.ipV6()), fc.string())
      .map((parts) => parts.join('')),
  );

  it('no string makes a function throw, and a URL that may hold state has a name', () => {
    fc.assert(
      fc.property(text, text, (url, other) => {
        const allowed = isAllowedStateHost(url, { allowHosts: [other] });
        isAllowedStateScheme(url, { allowHosts: [other] });
        registrableDomain(url);
        expect(sameStateScope(url, other)).toBe(sameStateScope(other, url));
        if (allowed) expect(stateScope(url)).toBeTruthy();
        if (isAllowedStateHost(url)) {
          const scope = stateScope(url)!;
          expect(stateScope(`https://${scope}`)).toBe(scope);
          expect(scope.endsWith(registrableDomain(scope)!)).toBe(true);
        }
      }),
    );
  });

  it('a string may have any length, and a host longer than DNS allows holds no state', () => {
    for (const host of ['a.'.repeat(500_000), `${'a'.repeat(10_000_000)}.`, ':1'.repeat(100_000), 'a.'.repeat(126)])
      expect([isAllowedStateHost(`https://${host}com`), isAllowedStateHost(`https://x.com/${host}`)]).toEqual([false, true]);
    expect(isAllowedStateHost(`https://${'a.'.repeat(125)}com`)).toBe(true);
    expect(registrableDomain('x'.repeat(10_000_000))).toBeUndefined();
  });
});
