/** The routes of the page. Each answers with JSON; an error says what to do. */
import type { IncomingMessage } from 'node:http';
import { readContext } from './context.js';
import type { JarChange, SendRequest } from './protocol.js';
import { Session } from './session.js';
import type { PageSource } from './source.js';

type Send = (status: number, body: unknown) => void;

const MAX_BODY = 5_000_000;
class TooLarge extends Error {}

export async function answerApi(request: IncomingMessage, source: PageSource, send: Send): Promise<void> {
  const route = `${request.method ?? ''} ${request.url ?? ''}`;
  const handler = source instanceof Session ? ROUTES[route] : undefined;
  const common = COMMON[route];
  if (handler === undefined && common === undefined) {
    send(404, { error: `There is no ${route}.` });
    return;
  }
  let body: unknown;
  try {
    body = request.method === 'GET' ? undefined : JSON.parse(await bodyOf(request));
  } catch (error) {
    const isTooLarge = error instanceof TooLarge;
    send(isTooLarge ? 413 : 400, { error: isTooLarge ? 'The body is larger than 5 MB.' : 'The body is not JSON.' });
    return;
  }
  if (handler === undefined) await common?.(source, body, send);
  else await handler(source as Session, body, send);
}

type Handler<Source> = (source: Source, body: unknown, send: Send) => Promise<void> | void;

/** The routes that need no server to call. */
const COMMON: Readonly<Record<string, Handler<PageSource>>> = {
  'GET /api/context': (source, _, send) => send(200, source.context()),
  'POST /api/send': async (source, body, send) => {
    if (typeof body !== 'object' || body === null || !('reconnect' in body))
      return send(400, { error: 'The page shows the feed of a gateway: there is nothing to call.' });
    await source.reconnect().catch(() => undefined);
    send(200, source.context());
  },
};

const ROUTES: Readonly<Record<string, Handler<Session>>> = {
  'PUT /api/context': async (session, body, send) => {
    const context = readContext(body);
    if (typeof context === 'string') return send(400, { error: context });
    try {
      await session.change(context);
    } catch (error) {
      return send(400, { error: (error as Error).message });
    }
    send(200, session.context());
  },
  'POST /api/send': async (session, body, send) => {
    const message = body as SendRequest;
    if ('answer' in message) {
      const { question, ...answer } = message.answer;
      return send(session.questions.answer(question, answer as never) ? 200 : 409, {});
    }
    if ('reconnect' in message) return COMMON['POST /api/send']?.(session, body, send);
    if (typeof message.method !== 'string') return send(400, { error: 'method is not a text.' });
    const { method, params = {}, context, alone } = message;
    const only = alone === true ? readContext(context) : undefined;
    if (typeof only === 'string') return send(400, { error: only });
    send(200, await session.send(method, params, only ?? (context && { ...session.context().context, ...context })));
  },
  'GET /api/ledger': async (session, _, send) => send(200, await session.ledger()),
  'PUT /api/ledger': async (session, _, send) => {
    await session.clearLedger();
    send(200, await session.ledger());
  },
  'GET /api/policy': (session, _, send) => send(200, session.policy.show()),
  'PUT /api/policy': (session, body, send) => {
    const problem = session.policy.change(body);
    if (problem === undefined) send(200, session.policy.show());
    else send(400, { error: problem });
  },
  'GET /api/jar': async (session, _, send) => send(200, await session.jar()),
  'PUT /api/jar': async (session, body, send) => {
    try {
      await session.changeJar(body as JarChange);
    } catch (error) {
      return send(400, { error: (error as Error).message });
    }
    send(200, await session.jar());
  },
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
