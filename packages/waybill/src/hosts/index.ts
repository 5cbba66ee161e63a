/**
 * Which HTTP server may hold state, and under what name (STATE-31…38, D-06, D-07). Pure questions about a URL, none of which throws.
 * The name of a server, the host rule and the scheme rule are separate: the jar asks all three.
 */
import { isIpAddress, isLoopback, parseHost, parseUrl } from './host.js';
import { registration } from './suffix.js';

export interface HostOptions {
  /** Hosts that may hold state although no registry controls them: `localhost`, `10.0.0.7`, `mcp.corp.internal`. One by one, never a pattern. */
  readonly allowHosts?: readonly string[];
}

/**
 * STATE-31, STATE-35: the server's name is its fully qualified domain name as `URL` normalises it, without scheme, port or final dot.
 * Behind one loopback or IP address many servers may live, so there the name is the origin (D-06). A name is no permission.
 */
export function stateScope(url: string): string | undefined {
  const server = parseUrl(url);
  if (!server) return undefined;
  return isIpAddress(server.host) || isLoopback(server.host) ? server.origin : server.host;
}

/** STATE-30: state goes only to the server that set it. */
export function sameStateScope(url: string, other: string): boolean {
  const scope = stateScope(url);
  return scope !== undefined && scope === stateScope(other);
}

/** STATE-32, STATE-33, STATE-36: under a listed public suffix and not itself one, no IP address, no local name; or named in `allowHosts`. */
export function isAllowedStateHost(url: string, options: HostOptions = {}): boolean {
  const host = parseUrl(url)?.host;
  if (host === undefined) return false;
  return isNamed(host, options) || registration(host)?.listed === true;
}

/** STATE-38, D-06: https; plain http only to a loopback host that is named in `allowHosts`. */
export function isAllowedStateScheme(url: string, options: HostOptions = {}): boolean {
  const server = parseUrl(url);
  if (!server) return false;
  return server.scheme === 'https:' || (isLoopback(server.host) && isNamed(server.host, options));
}

/** The domain somebody registered: one label below the public suffix, both sections of the list (`user.github.io`). A-labels. */
export function registrableDomain(host: string): string | undefined {
  const name = parseHost(host);
  return name === undefined ? undefined : registration(name)?.domain;
}

function isNamed(host: string, { allowHosts = [] }: HostOptions): boolean {
  return allowHosts.some((allowed) => parseHost(allowed) === host);
}
