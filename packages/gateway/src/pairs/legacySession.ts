/** One session of the gateway with a 2025 upstream. Requests of 2026 clients use it. */
import { keys } from 'waybill';
import { discard, Refusal, refusedBy } from '../answer.js';
import type { Caller, Face, FaceRequest, Post } from '../face.js';
import { at, isObject, own, textOf, type JsonRecord } from '../json/values.js';
import { makeMessage, type Message } from '../message.js';
import { LEGACY, UNSUPPORTED_VERSION } from '../revision.js';
import { NEVER } from '../signals.js';
import { finalMessage } from '../sse.js';
import { GATEWAY_INFO } from './envelope.js';
import { SessionStream } from './sessionStream.js';

export interface LegacySession {
  readonly key: string;
  /** Undefined if the upstream has no sessions. */
  readonly id: string | undefined;
  readonly version: string;
  /** One request at a time uses it. */
  readonly isExclusive: boolean;
  /** The capabilities that the upstream was told of. */
  readonly capabilities: JsonRecord;
  /** The upstream's answer to `initialize`. */
  readonly introduction: JsonRecord;
  readonly stream: SessionStream;
  /** The number of listeners that want each resource. */
  readonly subscribed: Map<string, number>;
  /** The number of requests that use it. */
  users: number;
}

/** One request's use of a session. */
export interface Lease {
  session: LegacySession;
  readonly caller: Caller;
}

type SessionFacts = Pick<LegacySession, 'key' | 'capabilities' | 'isExclusive'>;

/** Begins a session for the client of `post`. */
export async function openSession(upstream: Face, name: string, post: Post, facts: SessionFacts): Promise<LegacySession> {
  const { message, caller, headers } = post;
  const clientInfo = message.meta[keys.CLIENT_INFO] ?? GATEWAY_INFO;
  const params = { protocolVersion: LEGACY, capabilities: facts.capabilities, clientInfo };
  const initialize = makeMessage({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const given = { caller, headers: withoutMirrors(headers), signal: NEVER, hasOwnStream: false };
  const answer = await upstream.post({ ...given, message: initialize });
  if (answer.kind === 'http' && answer.status >= 400 && answer.status !== 404) {
    discard(answer);
    throw refusedBy(name, answer);
  }
  const id = answer.headers?.['mcp-session-id'];
  const value = (await finalMessage(answer, name))?.value;
  if (at(value, 'error', 'code') === UNSUPPORTED_VERSION) throw new Refusal(400, UNSUPPORTED_VERSION, 'Unsupported protocol version');
  const introduction = own(value, 'result');
  if (!isObject(introduction)) throw new Refusal(502, -32603, `The upstream ${name} refused to begin a session`);
  const tell = async (sent: Message): Promise<void> =>
    discard(await upstream.post({ ...requestIn({ session, caller }, post), message: sent }));
  const session: LegacySession = {
    ...{ ...facts, id, introduction, users: 0, subscribed: new Map() },
    version: textOf(own(introduction, 'protocolVersion')) ?? LEGACY,
    stream: new SessionStream({
      name,
      open: (signal) => upstream.get({ ...requestIn({ session, caller }, post), signal }),
      // An upstream that takes no answer is gone. The calls of this session report that.
      send: (sent) => void tell(sent).catch(() => undefined),
    }),
  };
  await tell(makeMessage({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return session;
}

/** A request in this session: with the headers of `from`, if it is a client's, and without those that only 2026 has. */
export function requestIn({ session, caller }: Lease, { headers = {} }: Partial<FaceRequest> = {}): FaceRequest {
  const { id, version } = session;
  return { caller, headers: withoutMirrors(headers), version, signal: NEVER, ...(id !== undefined && { session: id }) };
}

function withoutMirrors(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^mcp-(?:method|name|param-)/.test(name)));
}
