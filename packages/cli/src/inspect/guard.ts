/**
 * Decides who may speak to the page's server. A page of another origin, a name that was pointed at this machine (DNS rebinding) and a program
 * without the token are refused. No option switches any of this off.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** 256 bits, new for each launch. */
export const newToken = (): string => randomBytes(32).toString('base64url');

interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

export function refusalOf(
  request: IncomingMessage,
  { port, token }: { readonly port: number; readonly token: string },
): Refusal | undefined {
  const { host, origin, authorization } = request.headers;
  const here = `127.0.0.1:${port}`;
  if (host !== here) return { status: 403, message: `Open the page as http://${here}/. Other host names are refused.` };
  if (origin !== undefined && origin !== `http://${here}`) return { status: 403, message: 'Another site may not speak to this page.' };
  if (!isApi(request)) return undefined;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return { status: 403, message: 'Another site may not speak to this page.' };
  if (!isSame(authorization ?? '', `Bearer ${token}`))
    return { status: 401, message: 'The token is missing or of another launch. Open the address that the command printed.' };
  return undefined;
}

export const isApi = ({ url }: IncomingMessage): boolean => url?.startsWith('/api/') ?? false;

/** Compares digests, so that neither time nor length tells anything about the token. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
