import { parse } from 'tldts';
import { isIpAddress } from './host.js';

export interface Registration {
  /** The suffix plus one label. By the default rule of the list, the last label counts as the suffix if none is listed. */
  readonly domain: string;
  /** True if the Public Suffix List has the suffix, so that a registry controls the name. */
  readonly listed: boolean;
}

/** STATE-36: suffixes that are on the list although no registry sells them. `local`, `internal` and `test` are not on the list. */
const SPECIAL_USE = /(?:^|\.)(?:onion|home\.arpa)$/;

/** RFC 1035: a longer name cannot be resolved, so it must not become a key. */
const LONGEST = 253;

/** Looks a normalised host up in both sections of the list; undefined for an address, a bare suffix, or a name with an empty label. */
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
