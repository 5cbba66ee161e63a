/** `waybill/hosts`: decides which HTTP server may hold state (STATE-32…36). It is handed to the jar, because the Public Suffix List is large. */
import { isRegistered } from './suffix.js';

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
