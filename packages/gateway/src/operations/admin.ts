/** The `admin` address: /readyz, /metrics and /feed, for those who have its token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FeedStream } from './feedStream.js';
import type { Metrics } from './metrics.js';
import type { Readiness } from './ready.js';

export interface AdminParts {
  readonly token: () => string;
  readonly metrics: Metrics;
  /** Undefined under `feed: off`. */
  readonly feed: () => FeedStream | undefined;
  readonly ready: () => Promise<Readiness>;
}

export function adminHandler(parts: AdminParts): RequestListener {
  return (request, response) => {
    answer(parts, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else say(response, 500, { error: String(error) });
    });
  };
}

async function answer({ token, metrics, feed, ready }: AdminParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://admin');
  if (pathname === '/healthz') {
    say(response, 200, { status: 'ok' });
    return;
  }
  if (!isBearer(request.headers.authorization, token())) {
    response.setHeader('www-authenticate', 'Bearer realm="waybill admin"');
    say(response, 401, { error: 'send the token of `admin` as "Authorization: Bearer TOKEN"' });
    return;
  }
  if (request.method !== 'GET') {
    response.setHeader('allow', 'GET');
    say(response, 405, { error: 'only GET' });
  } else if (pathname === '/metrics') {
    response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text());
  } else if (pathname === '/readyz') {
    const { isReady, ...report } = await ready();
    const name = searchParams.get('upstream');
    const isFine = name === null ? isReady : report.upstreams[name] === 'ok';
    say(response, isFine ? 200 : 503, { ready: isFine, ...report });
  } else if (pathname === '/feed') {
    const stream = feed();
    if (stream === undefined) say(response, 404, { error: '`feed` is off in the configuration' });
    else stream.serve(response, Number(request.headers['last-event-id'] ?? 0) || 0);
  } else say(response, 404, { error: 'there is /readyz, /metrics and /feed' });
}

function say(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(`${JSON.stringify(body)}\n`);
}

/** Compares digests, so that the time tells nothing of the token, not even its length. */
function isBearer(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? '')?.[1];
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}
