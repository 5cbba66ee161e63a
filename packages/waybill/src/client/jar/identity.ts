/**
 * Decides under which name a server's state is kept, or that it may keep none (STATE-30…39, D-06, D-07). Whether a registry controls a host
 * needs the Public Suffix List, so the caller passes that check as `hosts`; everything else is decided here.
 */

import type { StdioCommand } from '../../transport/index.js';
import { reportRejection } from '../../wire/maybe.js';
import { expectList } from '../../wire/check.js';
import type { JarOptions } from './open.js';
import { sha256 } from './sha256.js';

/** The functions of `waybill/hosts` that the jar needs, or a replacement for them. */
export interface HostRules {
  isAllowedStateHost(url: string): boolean;
}

export type Partition = 'host' | 'origin' | 'endpoint' | 'command';

export type IdentityOptions = Pick<JarOptions, 'hosts' | 'allowHosts' | 'partition' | 'stdio'>;

/** The name of a drawer, or the reason why there is none. */
export type Named = { readonly name: string } | { readonly refused: string };

export function nameHttpServer(endpoint: URL | string, options: IdentityOptions): Named {
  const url = URL.canParse(String(endpoint)) ? new URL(endpoint) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return { refused: 'is not an http URL' };
  // STATE-35: `URL` already gives lower case, an A-label or a dotted quad; only a final dot is left.
  const host = url.hostname.replace(/\.$/, '');
  const isAllowed = options.allowHosts?.some((allowed) => normalHost(allowed) === host) === true;
  const port = url.port && `:${url.port}`;
  const origin = `${url.protocol}//${host}${port}`;
  if (!isAllowed && options.hosts?.isAllowedStateHost(url.href) !== true)
    return { refused: 'is not under a public registry and not in allowHosts' };
  if (url.protocol === 'http:' && !(isAllowed && isLoopback(host))) return { refused: 'is not https' };
  // D-30: a query may hold a secret, and names are listed and stored.
  if (options.partition === 'endpoint') return { name: origin + url.pathname + (url.search && `?sha256=${sha256(url.search)}`) };
  // D-06: many servers share a loopback or IP address, so there the port is part of the name.
  const shared = isAddress(host) || isLoopback(host);
  return { name: options.partition === 'origin' || shared ? origin : host };
}

/** STATE-39, D-07, D-30: the name of a server behind a command; arguments may hold a secret and enter it as a digest. */
export function nameStdioServer(command: StdioCommand, options: IdentityOptions): Named {
  const name: unknown = reportRejection(options.stdio?.(command));
  // D-35: turned into text, every promise or object gives the same name, so all servers would share one drawer.
  if (typeof name !== 'string' || name === '')
    return { refused: 'is behind a command without a known name; give it one with attach(transport, { server })' };
  return { name: options.partition === 'command' ? `${name} args=${sha256(JSON.stringify(command.args))}` : name };
}

function normalHost(text: string): string | undefined {
  if (/[/\\?#@\s]/.test(text)) return undefined;
  const bare = /^[\da-f]*:[\da-f:.]*$/i.test(text) ? `[${text}]` : text;
  if (/:\d*$/.test(bare) || !URL.canParse(`https://${bare}`)) return undefined;
  return new URL(`https://${bare}`).hostname.replace(/\.$/, '') || undefined;
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || (isAddress(host) && host.startsWith('127.'));
}

export function checkHosts(hosts: unknown, path: string): void {
  expectList(hosts, path);
  (hosts as readonly unknown[] | undefined)?.forEach((host, at) => {
    // A pattern would be taken for a host with exactly that name, which does not exist.
    if (typeof host === 'string' && /^\.|\*/.test(host))
      throw new TypeError(`${path}[${at}]: expected the full name of one host; patterns are not supported`);
    if (typeof host !== 'string' || normalHost(host) === undefined)
      throw new TypeError(`${path}[${at}]: expected a host, without port or path`);
  });
}
