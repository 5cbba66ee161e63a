/** `waybill/hosts`: decides which HTTP server may hold state (STATE-32…36). It is handed to the jar, because the Public Suffix List is large. */
import { parse } from 'tldts';

/** STATE-36: suffixes that are on the list although no registry sells them. `local`, `internal` and `test` are not on the list. */
const SPECIAL_USE = /(?:^|\.)(?:onion|home\.arpa)$/;

/** RFC 1035: a longer name cannot be resolved, so it must not become a key. */
const LONGEST = 253;

// STATE-32, STATE-33, STATE-35, STATE-36
/** True for a domain below a listed public suffix. IP addresses, local names and suffixes themselves are refused. Never throws. */
export function isAllowedStateHost(url: string): boolean {
  const host = hostOf(url);
  return host !== undefined && isRegistered(host);
}

/** `URL` normalises every odd spelling of a host (`0x7f.1`, `2130706433`, full-width digits, U-labels), so the rules see one form only. */
function hostOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? hostname.replace(/\.$/, '') : undefined;
}

/** True if a normalised host is below a suffix of the Public Suffix List, in either section, so that a registry controls its name. */
function isRegistered(host: string): boolean {
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
