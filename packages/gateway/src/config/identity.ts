/** `identity`: exactly one way to know who asks. */
import { addressList } from '../identity/trustedProxy.js';
import type { JsonRecord } from '../json/values.js';
import { isLoopback } from './address.js';
import { isFieldName } from './credentials.js';
import { part } from './parts.js';
import type { Problem } from './problem.js';
import type { IdentityConfig, JwtConfig, TrustedProxyConfig } from './types.js';
import { millisecondsOf } from './units.js';

/** Headers that mean something else. A gateway that took one of them for the user would mix the two. */
const RESERVED =
  /^(?:mcp-.*|traceparent|tracestate|baggage|last-event-id|authorization|cookie|host|origin|accept.*|content-.*|connection)$/i;

export function identityOf(raw: JsonRecord, host: string, problems: Problem[]): IdentityConfig {
  const identity = part(raw, 'identity');
  if (identity['jwt'] !== undefined) return jwtOf(part(identity, 'jwt'), problems);
  if (identity['trustedProxy'] !== undefined) return trustedProxyOf(part(identity, 'trustedProxy'), problems);
  const { single } = identity;
  if (single === undefined) return { kind: 'none' };
  if (host !== '' && !isLoopback(host)) problems.push({ path: ['identity', 'single'], text: 'is for loopback and stdio only' });
  return { kind: 'single', principal: single === true ? 'single' : (single as string) };
}

type JwtSettings = Record<'issuer' | 'audience' | 'claim' | 'skew', string> & { readonly jwks?: string; readonly resource?: string };

function jwtOf(given: JsonRecord, problems: Problem[]): JwtConfig {
  const { issuer, audience, claim, skew, jwks, resource = audience } = given as JwtSettings;
  const path = ['identity', 'jwt'];
  const check = (member: string, address: string): void => {
    if (!isSafeAddress(address))
      problems.push({
        path: [...path, member],
        text: 'expected an https address; http is for loopback only, because keys must not be replaced on the way',
      });
  };
  check('issuer', issuer);
  if (jwks !== undefined) check('jwks', jwks);
  if (!/^https?:\/\//.test(resource) || !URL.canParse(resource))
    problems.push({
      path: given['resource'] === undefined ? [...path, 'audience'] : [...path, 'resource'],
      text: 'is not the address of this gateway; write that as `resource`, so that clients can be told where to get a token',
    });
  return { kind: 'jwt', issuer, audience, resource, jwks, claim, skew: millisecondsOf(skew) };
}

function trustedProxyOf(given: JsonRecord, problems: Problem[]): TrustedProxyConfig {
  const { header, from } = given as { header: string; from: string[] };
  const path = ['identity', 'trustedProxy'];
  if (RESERVED.test(header))
    problems.push({ path: [...path, 'header'], text: `${header} has another meaning; take a header of its own, such as X-User` });
  if (!isFieldName(header)) problems.push({ path: [...path, 'header'], text: 'is not a header name; take one such as X-User' });
  const wrong = addressList(from);
  if (typeof wrong === 'string')
    problems.push({ path: [...path, 'from'], text: `${wrong} is neither an address nor a network such as 10.0.0.0/8` });
  if (from.length === 0) problems.push({ path: [...path, 'from'], text: 'names no proxy, so nobody could be verified' });
  return { kind: 'trustedProxy', header: header.toLowerCase(), from };
}

function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
