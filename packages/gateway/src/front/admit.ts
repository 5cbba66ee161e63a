/** Decides where a request may come from: a page of another site must not reach a gateway on this machine, by its own name (DNS rebinding) or ours. */
import { Refusal, type Headers } from '../answer.js';
import type { GatewayConfig } from '../config/types.js';
import type { HttpRequest } from './request.js';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Returns the headers that let a page of an allowed origin read the answer. */
export function admit({ headers, values }: HttpRequest, { host: own, hosts, origins }: GatewayConfig): Headers {
  const { host, origin } = headers;
  // A proxy in front may have checked the other one.
  for (const name of ['host', 'authorization'])
    if (values(name).length > 1) throw new Refusal(400, -32600, `Invalid Request: the header ${name} came more than once`);
  if (host === undefined || !(LOOPBACK.test(host) || isServed(host, [own, ...hosts])))
    throw new Refusal(403, -32000, 'Forbidden: this Host is not served here');
  if (origin === undefined) return {};
  if (!isSameOrigin(origin, host) && !origins.includes(origin)) throw new Refusal(403, -32000, 'Forbidden: this Origin is not allowed');
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate',
    vary: 'Origin',
  };
}

function isServed(host: string, served: readonly string[]): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  return served.some((one) => one.toLowerCase() === name);
}

/** A page that this address itself serves. The Host header was checked before, so it is not a name that somebody else has pointed here. */
function isSameOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
