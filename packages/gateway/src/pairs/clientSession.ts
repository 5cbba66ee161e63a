/** The session that the gateway keeps for a 2025 client of a 2026 upstream, and the requests that it answers by itself. */
import { randomUUID } from 'node:crypto';
import { wholeAnswer, type Answer, type Event } from '../answer.js';
import { isObject, own, textOf, type JsonRecord } from '../json/values.js';
import { errorText, resultText, type Message } from '../message.js';
import type { Queue } from '../queue.js';
import type { OpenQuestions } from './askClient.js';
import type { ClientFacts } from './envelope.js';
import type { ParamHeaders } from './toolHeaders.js';

export interface ClientSession extends ClientFacts {
  readonly id: string;
  /** The capabilities of the server. */
  readonly served: JsonRecord;
  logLevel: string | undefined;
  readonly questions: OpenQuestions;
  /** Requests under way, by the key of their id. */
  readonly calls: Map<string, AbortController>;
  /** The resources that the client has subscribed to. */
  readonly subscribed: Set<string>;
  /** The tools are listed once, at the first call of one. */
  paramHeaders: Promise<ReadonlyMap<string, ParamHeaders>> | undefined;
  /** The open stream for messages that belong to no request, and its subscription at the upstream. */
  stream: { readonly queue: Queue<Event>; listen: AbortController } | undefined;
}

const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export function beginSession(client: ClientFacts, served: unknown): ClientSession {
  return {
    ...{ ...client, id: randomUUID(), served: isObject(served) ? served : {}, logLevel: undefined },
    ...{ questions: new Map(), calls: new Map(), subscribed: new Set(), paramHeaders: undefined, stream: undefined },
  };
}

export function endSession({ calls, stream }: ClientSession): void {
  for (const call of calls.values()) call.abort();
  stream?.queue.end();
}

/** Answers a request that needs no upstream; undefined for any other. `onSubscribed`: the client wants updates of other resources now. */
export function answerInSession(session: ClientSession, message: Message, onSubscribed: () => void): Answer | undefined {
  const { method, params, idText } = message;
  const done = wholeAnswer(resultText(idText, {}));
  if (method === 'ping') return done;
  if (method === 'logging/setLevel') {
    const level = textOf(own(params, 'level')) ?? '';
    if (!LOG_LEVELS.includes(level)) return wholeAnswer(errorText(idText, -32602, 'Invalid params: `level` is not a log level'));
    session.logLevel = level;
    return done;
  }
  const uri = textOf(own(params, 'uri'));
  if (uri === undefined || !/^resources\/(un)?subscribe$/.test(method)) return undefined;
  if (method === 'resources/subscribe') session.subscribed.add(uri);
  else session.subscribed.delete(uri);
  onSubscribed();
  return done;
}
