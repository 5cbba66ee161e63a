import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedStateHost } from './index.js';

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
    'https://www.city.kobe.jp',
    'https://a.user.github.io',
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
    [
      'a bare suffix',
      ['https://com', 'https://co.uk', 'https://github.io', 'https://公司.cn', 'https://test.ck', 'https://mm', 'https://c.kobe.jp'],
    ],
    ['an unknown suffix', ['https://mcp.corp', 'https://mcp.lan', 'https://a.b.unknown-tld']],
    ['a local name', ['https://printer.local', 'https://mcp.corp.internal', 'https://nas.home.arpa', 'https://home.arpa']],
    ['a reserved name', ['https://a.test', 'https://a.example', 'https://a.invalid', 'https://abc.onion']],
    ['an empty label', ['https://a..com', 'https://.com', 'https://example.com..', 'https://./']],
    ['no URL', ['', 'example.com', 'https://', 'javascript:alert(1)', 'ws://example.com']],
  ])('STATE-36: %s is not under a registry', (_what, urls) => {
    for (const url of urls) expect([url, isAllowedStateHost(url)]).toEqual([url, false]);
  });

  it('STATE-35: the rule judges the normalised host', () => {
    expect(isAllowedStateHost('https://EXAMPLE\t.\ncom')).toBe(true);
    expect(isAllowedStateHost('https://example.com\\@localhost')).toBe(true);
    expect(isAllowedStateHost('https://example.com@localhost')).toBe(false);
    expect(isAllowedStateHost('https://ＬＯＣＡＬＨＯＳＴ')).toBe(false);
    expect(isAllowedStateHost('https://%6c%6f%63%61%6c%68%6f%73%74')).toBe(false);
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

  it('no string makes the function throw, and the rule depends on nothing but the host', () => {
    fc.assert(
      fc.property(text, (url) => {
        if (isAllowedStateHost(url)) expect(isAllowedStateHost(`https://${new URL(url).hostname}`)).toBe(true);
      }),
    );
  });

  it('a string may have any length, and a host longer than DNS allows holds no state', () => {
    for (const host of ['a.'.repeat(500_000), `${'a'.repeat(10_000_000)}.`, ':1'.repeat(100_000), 'a.'.repeat(126)])
      expect([isAllowedStateHost(`https://${host}com`), isAllowedStateHost(`https://x.com/${host}`)]).toEqual([false, true]);
    expect(isAllowedStateHost(`https://${'a.'.repeat(125)}com`)).toBe(true);
  });
});
