import { describe, expect, it } from 'vitest';
import * as hosts from '../../hosts/index.js';
import { checkJarOptions } from './open.js';
import { nameHttpServer, nameStdioServer, type IdentityOptions } from './identity.js';

const name = (url: string, options: IdentityOptions = { hosts }): string | undefined => {
  const named = nameHttpServer(url, options);
  return 'name' in named ? named.name : undefined;
};

describe('the drawer of an HTTP server', () => {
  it.each([
    ['https://mcp.example.com/mcp', 'mcp.example.com'],
    ['https://MCP.example.com.:8443/', 'mcp.example.com'],
    ['https://mcp.example.com.:8443/x?y#z', 'mcp.example.com'],
    ['https://user:secret@mcp.example.com', 'mcp.example.com'],
    ['https://bücher.de', 'xn--bcher-kva.de'],
    ['https://Ｇｏ.com', 'go.com'],
  ])('STATE-31, STATE-35: state of %s is kept under %s', (url, drawer) => {
    expect(name(url)).toBe(drawer);
  });

  it.each([
    'http://mcp.example.com',
    'https://localhost:3000',
    'http://127.0.0.1:3000',
    'https://2130706433',
    'https://[::1]',
    'https://com',
    'https://co.uk',
    'https://intranet',
    'https://printer.local',
    'https://a.test',
    'ftp://example.com',
    'file:///etc/passwd',
    'data:,x',
    'https://',
    'https://a b.com',
    'mcp.example.com',
    'nonsense',
    '',
  ])('STATE-32, STATE-33, STATE-37, STATE-38: %s has no drawer', (url) => {
    expect(name(url)).toBeUndefined();
    expect(name(url, {})).toBeUndefined();
  });

  it('D-06: allowHosts names further hosts, one by one; loopback and addresses by origin, and only loopback over http', () => {
    const options = { hosts, allowHosts: ['localhost', '127.0.0.1', '::1', '10.0.0.7', 'mcp.corp.internal'] };
    expect(name('http://localhost:3000/mcp', options)).toBe('http://localhost:3000');
    expect(name('http://127.0.0.1:3000', options)).toBe('http://127.0.0.1:3000');
    expect(name('http://[::1]:1', options)).toBe('http://[::1]:1');
    expect(name('https://10.0.0.7:8443', options)).toBe('https://10.0.0.7:8443');
    expect(name('https://mcp.corp.internal:8443', options)).toBe('mcp.corp.internal');
    for (const url of ['http://10.0.0.7', 'http://mcp.corp.internal', 'http://127.0.0.2', 'http://a.localhost', 'https://b.corp.internal'])
      expect([url, name(url, options)]).toEqual([url, undefined]);
    expect(name('https://mcp.corp.internal', { allowHosts: ['mcp.corp.internal'] })).toBe('mcp.corp.internal');
  });

  it.each([
    ['http://0x7f.1:3000', ['127.0.0.1'], 'http://127.0.0.1:3000'],
    ['http://127.8.8.8', ['127.8.8.8'], 'http://127.8.8.8'],
    ['http://localhost.:8080', ['LOCALHOST.'], 'http://localhost:8080'],
    ['https://[0:0::1]', ['[::1]'], 'https://[::1]'],
    ['https://intranet/mcp', ['intranet'], 'intranet'],
    ['http://127.0.0.1.example.com', ['127.0.0.1.example.com'], undefined],
    ['https://com', ['internal'], undefined],
  ])('D-06: %s with %j allowed is kept under %s', (url, allowHosts, drawer) => {
    expect(name(url, { hosts, allowHosts })).toBe(drawer);
  });

  it.each([
    ['https://www.example.com', 'https://other.example.com', false],
    ['https://example.com', 'https://www.example.com', false],
    ['https://www.example.com.', 'https://WWW.example.com:444/path', true],
    ['https://bücher.de', 'https://xn--bcher-kva.de', true],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3001', false],
    ['http://localhost:3000', 'http://localhost:3000/mcp', true],
  ])('STATE-31: %s and %s are one server: %s', (one, other, same) => {
    const options = { hosts, allowHosts: ['127.0.0.1', 'localhost'] };
    expect(name(one, options) === name(other, options)).toBe(same);
    expect(name(one, options)).toBeDefined();
  });

  it("D-07: partition 'origin' and 'endpoint' separate servers of one host", () => {
    expect(name('https://a.example.com:8443/mcp?x', { hosts, partition: 'origin' })).toBe('https://a.example.com:8443');
    expect(name('https://a.example.com/one', { hosts, partition: 'endpoint' })).toBe('https://a.example.com/one');
  });

  it("D-30: under partition 'endpoint' a query enters the name only as a digest", () => {
    const of = (query: string): string => name(`https://a.example.com/one${query}`, { hosts, partition: 'endpoint' }) as string;
    expect(of('?token=secret')).toMatch(/^https:\/\/a\.example\.com\/one\?sha256=[\da-f]{64}$/);
    expect(new Set(['', '?token=secret', '?token=other', of('?token=secret').slice(of('').length)].map(of)).size).toBe(4);
  });

  it.each([
    [{ allowHosts: ['http://localhost'] }, 'state.allowHosts[0]'],
    [{ allowHosts: ['a', 'b:80'] }, 'state.allowHosts[1]'],
    [{ allowHosts: 'localhost' as never }, 'state.allowHosts'],
    [{ partition: 'path' as never }, 'state.partition'],
    [{ hosts: {} as never }, 'state.hosts'],
    [{ stdio: 'path' as never }, 'state.stdio'],
  ])('a wrong option fails and names its path: %j', (options, path) => {
    expect(() => {
      checkJarOptions(options, 'state');
    }).toThrow(path);
  });
});

describe('the drawer of a stdio server', () => {
  const command = { command: 'node', args: ['server.js', '--x'] };

  it('STATE-39: a stdio server has the name that the option gives, and no drawer if there is none', () => {
    expect(nameStdioServer(command, { stdio: () => '/srv/server.js' })).toEqual({ name: '/srv/server.js' });
    expect(nameStdioServer(command, { stdio: () => undefined })).toHaveProperty('refused');
    expect(nameStdioServer(command, {})).toHaveProperty('refused');
    for (const wrong of ['', null, 7, {}, Promise.resolve('a'), Promise.reject(new Error('no'))])
      expect(nameStdioServer(command, { stdio: () => wrong as never })).toHaveProperty('refused');
  });

  it("D-07, D-30: partition 'command' adds a digest of the arguments", () => {
    const options: IdentityOptions = { stdio: () => '/srv/server.js', partition: 'command' };
    const of = (...args: string[]): string => (nameStdioServer({ command: 'node', args }, options) as { name: string }).name;
    expect(of('server.js', '--token=secret')).toMatch(/^\/srv\/server\.js args=[\da-f]{64}$/);
    expect(new Set([of(), of('server.js'), of('server.js', '--x'), of('server.js --x')]).size).toBe(4);
  });
});
