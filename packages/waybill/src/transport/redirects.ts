export const MAX_REDIRECTS = 5;

/** Redirects that keep method and body. */
export const KEEPING: readonly number[] = [307, 308];
/** Redirects that a GET follows. */
export const FOLLOWED: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Returns the address that a response redirects to. By default only redirects that keep method and body count: others turn a POST into a
 * GET, which is not an MCP request.
 */
export function redirectTarget(from: URL, response: Response, statuses: readonly number[] = KEEPING): URL | undefined {
  if (!statuses.includes(response.status)) return undefined;
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, from) ? new URL(location, from) : undefined;
}

export function isSameServer(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:';
  return upgraded && from.hostname === to.hostname && from.port === '' && to.port === '';
}

export function isDowngrade(from: URL, to: URL): boolean {
  return from.protocol === 'https:' && to.protocol !== 'https:';
}

/** The headers that may follow a redirect to another server. The session id belongs to the server that redirected. */
export const PORTABLE = /^(?:accept|content-type|user-agent|mcp-(?!session-id$).*)$/;

/**
 * Returns the caller's headers that may follow a redirect to another server. This is an allow-list: an unknown header, such as `X-Api-Key`,
 * may hold a credential. The language and copied keys are not on it, because each request derives them from its message.
 */
export function portableHeaders(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => PORTABLE.test(name)));
}
