/** RFC 9728: the document by which a client learns who gives out tokens for this gateway. */
import type { JwtConfig } from '../config/types.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The address of the document: the well-known part stands between the host and the path of the resource. */
export function metadataAddress(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
}

/**
 * The document for a path of the gateway; undefined if the path is none of its addresses. Clients that were not told the address try the well-known
 * part in front of the path of an upstream, and then without any path: the tokens are the same for all.
 */
export function metadataOf({ resource, issuer }: JwtConfig, path: string): object | undefined {
  if (path !== WELL_KNOWN && !path.startsWith(`${WELL_KNOWN}/`)) return undefined;
  return {
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
  };
}
