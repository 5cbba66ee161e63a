/** The routes of the page. Each answers with JSON; an error says what to do. */
import type { IncomingMessage } from 'node:http';
import type { Json } from 'waybill';
import type { RecordedState } from '../record/record.js';
import { tryJson } from '../tryJson.js';
import { readContext } from './context.js';
import type { JarChange, PageContext } from './protocol.js';
import { PageSession } from './pageSession.js';
import type { PageSource } from './source.js';

/** The request of a page that waits for its answer. */
export interface Caller {
  readonly send: (status: number, body: unknown) => void;
  /** Aborted when the page no longer waits. */
  readonly gone: AbortSignal;
}

const MAX_BODY = 5_000_000;
/** The request is wrong; the message says what to send instead. */
class BadRequest extends Error {
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

export async function answerApi(request: IncomingMessage, source: PageSource, caller: Caller): Promise<void> {
  const route = `${request.method ?? ''} ${request.url ?? ''}`;
  try {
    if (source instanceof PageSession && ROUTES[route] !== undefined) await ROUTES[route](source, await bodyOf(request), caller);
    else if (COMMON[route] !== undefined) await COMMON[route](source, await bodyOf(request), caller);
    else caller.send(404, { error: `There is no ${route}.` });
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    caller.send(error.status, { error: error.message });
  }
}

/** A body is an object; its members are checked where they are used. */
type Body = Readonly<Record<string, unknown>>;
type Handler<Source> = (source: Source, body: Body, caller: Caller) => Promise<void> | void;

/** The routes that need no server to call. */
const COMMON: Readonly<Record<string, Handler<PageSource>>> = {
  'GET /api/context': (source, _, { send }) => send(200, source.context()),
  'POST /api/send': async (source, body, { send }) => {
    if (!('reconnect' in body)) throw new BadRequest('The page shows the feed of a gateway: there is nothing to call.');
    await reconnect(source);
    send(200, source.context());
  },
};

const ROUTES: Readonly<Record<string, Handler<PageSession>>> = {
  'PUT /api/context': async (session, body, { send }) => {
    const context = contextIn(body);
    await refused(() => session.change(context));
    send(200, session.context());
  },
  'POST /api/send': async (session, body, { send, gone }) => {
    if ('answer' in body) {
      const { question, ...answer } = objectIn(body['answer'], 'answer');
      send(session.questions.answer(question as number, answer as never) ? 200 : 409, {});
    } else if ('reconnect' in body) {
      await reconnect(session);
      send(200, session.context());
    } else {
      const { method, params = {}, context, alone, answers, state } = body;
      if (typeof method !== 'string') throw new BadRequest('method is not a text.');
      if (answers !== undefined && !Array.isArray(answers)) throw new BadRequest('answers is not a list.');
      const base = alone === true ? {} : session.context().context;
      const options = {
        signal: gone,
        ...(context !== undefined && { context: contextIn({ ...base, ...objectIn(context, 'context') }) }),
        ...(state !== undefined && { state: stateIn(state) }),
        ...(answers !== undefined && { answers: answers.map((each) => objectIn(each, 'an answer') as never) }),
      };
      send(200, await session.send(method, objectIn(params, 'params'), options));
    }
  },
  'GET /api/ledger': async (session, _, { send }) => send(200, await session.ledger()),
  'PUT /api/ledger': async (session, _, { send }) => {
    await session.clearLedger();
    send(200, await session.ledger());
  },
  'GET /api/policy': (session, _, { send }) => send(200, session.policy.rules),
  'PUT /api/policy': async (session, body, { send }) => {
    await refused(() => session.policy.change(body));
    send(200, session.policy.rules);
  },
  'GET /api/jar': async (session, _, { send }) => send(200, await session.jar()),
  'PUT /api/jar': async (session, body, { send }) => {
    await refused(() => session.changeJar(body as unknown as JarChange));
    send(200, await session.jar());
  },
};

/** A target that is not there is no mistake of the request: the page hears the reason as an event. */
const reconnect = (source: PageSource): Promise<void> => source.reconnect().catch(() => undefined);

/** A refusal of the library is a mistake of the request. */
async function refused(change: () => Promise<void> | void): Promise<void> {
  try {
    await change();
  } catch (error) {
    throw new BadRequest((error as Error).message);
  }
}

function objectIn(value: unknown, name: string): Body {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadRequest(`${name} is not an object.`);
  return value as Body;
}

/** The values are the server's own. */
function stateIn(given: unknown): RecordedState {
  const { session, server } = objectIn(given, 'state');
  return {
    ...(session !== undefined && { session: objectIn(session, 'state.session') as Record<string, Json> }),
    ...(server !== undefined && { server: objectIn(server, 'state.server') as Record<string, Json> }),
  };
}

function contextIn(given: unknown): PageContext {
  const context = readContext(given);
  if (typeof context === 'string') throw new BadRequest(context);
  return context;
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  if (request.method === 'GET') return {};
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new BadRequest('The body is larger than 5 MB.', 413);
    chunks.push(chunk);
  }
  const body = tryJson(Buffer.concat(chunks).toString('utf8'));
  if (body === undefined) throw new BadRequest('The body is not JSON.');
  return objectIn(body, 'The body');
}
