import { parse } from 'tldts';

/** STATE-36: suffixes that are on the list although no registry sells them. `local`, `internal` and `test` are not on the list. */
const SPECIAL_USE = /(?:^|\.)(?:onion|home\.arpa)$/;

/** RFC 1035: a longer name cannot be resolved, so it must not become a key. */
const LONGEST = 253;

/** True if a normalised host is below a suffix of the Public Suffix List, in either section, so that a registry controls its name. */
export function isRegistered(host: string): boolean {
  if (host.length > LONGEST || isIpAddress(host) || host.split('.').includes('') || SPECIAL_USE.test(host)) return false;
  const { domain, isIcann, isPrivate } = parse(host, {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
    detectIp: false,
  });
  return domain !== null && domain !== '' && (isIcann === true || isPrivate === true);
}

function isIpAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}
