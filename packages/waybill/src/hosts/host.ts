export interface Server {
  readonly scheme: 'http:' | 'https:';
  // STATE-35
  /** Normalised: lower case, A-labels, dotted quads, brackets around IPv6, without a final dot. */
  readonly host: string;
  readonly origin: string;
}

/** `URL` normalises every odd spelling of an address (`0x7f.1`, `2130706433`, full-width digits), so the rules see one form only. */
export function parseUrl(text: string): Server | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  const scheme = url.protocol;
  if (scheme !== 'http:' && scheme !== 'https:') return undefined;
  const host = url.hostname.replace(/\.$/, '');
  return { scheme, host, origin: `${scheme}//${host}${url.port && `:${url.port}`}` };
}

/** Parses a host name from a configuration. A text with a port, a path or a user is not a host. */
export function parseHost(text: string): string | undefined {
  if (typeof text !== 'string' || text === '' || /[/\\?#@\s]/.test(text)) return undefined;
  const bare = /^[\da-f]*:[\da-f:.]*$/i.test(text) ? `[${text}]` : text;
  const server = /:\d*$/.test(bare) ? undefined : parseUrl(`https://${bare}`);
  return server?.host;
}

export function isIpAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

/** RFC 6761: `localhost` and everything below it; the loopback addresses. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || (isIpAddress(host) && host.startsWith('127.'));
}
