import { parse } from 'tldts';
import { isIpAddress } from './host.js';

export interface Registration {
  /** Suffix plus one label; with an unlisted suffix, its last label counts as the suffix (the list's default rule). */
  readonly domain: string;
  /** Whether the Public Suffix List knows the suffix: whether a registry controls the name. */
  readonly listed: boolean;
}

/** STATE-36: suffixes the list does name but no registry gives out. `local`, `internal`, `test` and the others are not on it. */
const SPECIAL_USE = /(?:^|\.)(?:onion|home\.arpa)$/;

/** RFC 1035: no longer name can be resolved, so no longer one becomes a key. */
const LONGEST = 253;

/** The list's answer on a normalised host, both sections; `undefined` for an address, a bare suffix, a name with an empty label. */
export function registration(host: string): Registration | undefined {
  if (host.length > LONGEST || isIpAddress(host) || host.split('.').includes('')) return undefined;
  const { domain, isIcann, isPrivate } = parse(host, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
    detectIp: false,
  });
  return domain ? { domain, listed: (isIcann === true || isPrivate === true) && !SPECIAL_USE.test(host) } : undefined;
}
