/**
 * Decides which HTTP server may hold state, and under which name (STATE-31…38, D-06, D-07). The functions are pure and never throw. The name of a
 * server, the rule for hosts and the rule for schemes are separate; the jar uses all three.
 */
import { isIpAddress, isLoopback, parseHost, parseUrl } from './host.js';
import { registration } from './suffix.js';

export interface HostOptions {
  /** Hosts that may hold state although no registry controls them: `localhost`, `10.0.0.7`, `mcp.corp.internal`. Patterns are not supported. */
  readonly allowHosts?: readonly string[];
}

// STATE-31, STATE-35, D-06
/**
 * The name of a server is its normalised domain name, without scheme, port or final dot. Many servers may share a
 * loopback or IP address, so there the name is the origin. A name is not a permission.
 */
export function stateScope(url: string): string | undefined {
  const server = parseUrl(url);
  if (!server) return undefined;
  return isIpAddress(server.host) || isLoopback(server.host) ? server.origin : server.host;
}

// STATE-30
/** True if both URLs belong to one server. State goes only to the server that set it. */
export function sameStateScope(url: string, other: string): boolean {
  const scope = stateScope(url);
  return scope !== undefined && scope === stateScope(other);
}

// STATE-32, STATE-33, STATE-36
/** True for a domain below a listed public suffix, and for hosts in `allowHosts`. IP addresses, local names and suffixes themselves are refused. */
export function isAllowedStateHost(url: string, options: HostOptions = {}): boolean {
  const host = parseUrl(url)?.host;
  if (host === undefined) return false;
  return isNamed(host, options) || registration(host)?.listed === true;
}

// STATE-38, D-06
/** True for https, and for plain http to a loopback host that `allowHosts` names. */
export function isAllowedStateScheme(url: string, options: HostOptions = {}): boolean {
  const server = parseUrl(url);
  if (!server) return false;
  return server.scheme === 'https:' || (isLoopback(server.host) && isNamed(server.host, options));
}

/** The registered domain in A-labels: one label below the public suffix, in either section of the list (`user.github.io`). */
export function registrableDomain(host: string): string | undefined {
  const name = parseHost(host);
  return name === undefined ? undefined : registration(name)?.domain;
}

function isNamed(host: string, { allowHosts = [] }: HostOptions): boolean {
  return allowHosts.some((allowed) => parseHost(allowed) === host);
}
