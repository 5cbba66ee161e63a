/**
 * L→M: a 2025 client in front of a 2026 upstream. The session is ours: it remembers what the client declared, so that each request can carry it.
 * A question of the server (`input_required`) is asked on the stream of the call, and the call is sent again with the answers.
 */
import { keys } from 'waybill';
import { ACCEPTED, noSession, Refusal, wholeAnswer, type Answer, type Event, type Headers } from '../answer.js';
import type { Caller, Face, FaceRequest, Post } from '../face.js';
import { textAt } from '../json/spans.js';
import { at, isObject, own, textOf, type JsonRecord } from '../json/values.js';
import { idKey, isAnswer, makeMessage, readMessage, resultText, type Message } from '../message.js';
import { Queue } from '../queue.js';
import { HEADER_MISMATCH, LEGACY, MODERN, SPOKEN, UNSUPPORTED_VERSION } from '../revision.js';
import { SessionTable } from '../sessionTable.js';
import { NEVER } from '../signals.js';
import { messagesOf } from '../sse.js';
import { askClient } from './askClient.js';
import { answerInSession, beginSession, endSession, type ClientSession } from './clientSession.js';
import { addEnvelope, dropOwnDeclaration, mirrorHeaders } from './envelope.js';
import { listenAtModern } from './modernListen.js';
import { listTools, paramHeadersByTool, writeParamHeaders } from './toolHeaders.js';

const MAX_ROUNDS = 8;

export class LegacyToModern implements Face {
  readonly #upstream: Face;
  readonly #name: string;
  readonly #sessions = new SessionTable<ClientSession>(endSession);
  readonly #onRevisionRefused: () => void;

  /** `onRevisionRefused`: the upstream says that it does not speak 2026-07-28 any more. */
  constructor(name: string, upstream: Face, onRevisionRefused: () => void) {
    this.#name = name;
    this.#upstream = upstream;
    this.#onRevisionRefused = onRevisionRefused;
  }

  async post(call: Post): Promise<Answer> {
    const { message } = call;
    if (message.method === 'initialize') return this.#initialize(call);
    const session = this.#sessions.of(call);
    if (isAnswer(message)) {
      session.questions.get(idKey(message.id))?.(message);
      return ACCEPTED;
    }
    if (message.kind === 'notification') {
      if (message.method === 'notifications/cancelled') session.calls.get(idKey(own(message.params, 'requestId')))?.abort();
      return ACCEPTED;
    }
    return answerInSession(session, message, () => this.#listenAgain(session, call)) ?? this.#relay(session, call);
  }

  get(call: FaceRequest): Promise<Answer> {
    const session = this.#sessions.of(call);
    session.stream?.listen.abort();
    session.stream?.queue.end();
    const queue = new Queue<Event>();
    const stream = { queue, listen: new AbortController() };
    session.stream = stream;
    const stop = (): void => queue.end();
    call.signal.addEventListener('abort', stop, { once: true });
    queue.onDone = () => {
      call.signal.removeEventListener('abort', stop);
      stream.listen.abort();
      if (session.stream === stream) session.stream = undefined;
    };
    void this.#listen(session, call);
    return Promise.resolve({ kind: 'messages', messages: queue });
  }

  delete(call: FaceRequest): Promise<Answer> {
    const session = this.#sessions.of(call);
    this.#sessions.end(session);
    return Promise.resolve({ kind: 'whole', status: 200 });
  }

  close(): void {
    this.#sessions.endAll();
  }

  async #initialize({ message, caller, headers }: Post): Promise<Answer> {
    const { params } = message;
    const capabilities = own(params, 'capabilities');
    const clientInfo = own(params, 'clientInfo');
    const client = { capabilities: isObject(capabilities) ? capabilities : {}, clientInfo };
    const discover = makeMessage({ jsonrpc: '2.0', id: 0, method: 'server/discover', params: { _meta: message.meta } });
    addEnvelope(discover, client);
    const answer = await this.#answerOf({ message: discover, caller, headers, signal: NEVER });
    if (answer.kind === 'error') {
      answer.setText(['id'], message.idText);
      return wholeAnswer(answer.text);
    }
    const result = own(answer.value, 'result') as JsonRecord;
    const asked = textOf(own(params, 'protocolVersion')) ?? LEGACY;
    const session = beginSession(client, own(result, 'capabilities'));
    this.#sessions.add(session);
    const { [keys.SERVER_INFO]: serverInfo, ...meta } = answer.meta;
    const initialized = {
      protocolVersion: SPOKEN.includes(asked) && asked !== MODERN ? asked : LEGACY,
      capabilities: session.served,
      serverInfo: serverInfo ?? { name: this.#name, version: '0' },
      ...(result['instructions'] !== undefined && { instructions: result['instructions'] }),
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    };
    return wholeAnswer(resultText(message.idText, initialized), 200, { 'mcp-session-id': session.id });
  }

  #listenAgain(session: ClientSession, call: FaceRequest): void {
    if (session.stream === undefined) return;
    const before = session.stream.listen;
    session.stream.listen = new AbortController();
    // The new stream is open before the old one ends: no change in between is missed.
    void this.#listen(session, call, () => before.abort());
  }

  #relay(session: ClientSession, call: Post): Answer {
    const id = idKey(call.message.id);
    const cancel = new AbortController();
    session.calls.set(id, cancel);
    const queue = new Queue<Event>();
    // A client that goes away has not cancelled: the call is finished, and nobody reads its answer.
    call.signal.addEventListener('abort', () => queue.end(), { once: true });
    void this.#rounds(session, call, cancel.signal, queue)
      .then(
        () => queue.end(),
        (error: unknown) => queue.end(cancel.signal.aborted ? undefined : error),
      )
      .finally(() => {
        if (session.calls.get(id) === cancel) session.calls.delete(id);
      });
    return { kind: 'messages', messages: queue };
  }

  async #rounds(session: ClientSession, { message, caller, headers }: Post, signal: AbortSignal, queue: Queue<Event>): Promise<void> {
    const request = message.copy();
    // A declaration on this request counts more than the one of the session.
    const declared = message.meta[keys.OWN_CLIENT_CAPABILITIES];
    dropOwnDeclaration(request);
    addEnvelope(request, isObject(declared) ? { ...session, capabilities: declared } : session);
    let sends = 0;
    const send = async (): Promise<Message> => {
      request.set(['id'], `${session.id}/${sends++}`);
      const params = await this.#paramsOf(session, request, caller, headers);
      const call = { message: request, caller, headers: { ...headers, ...params }, signal };
      return this.#answerOf(call, (text) => {
        queue.push({ text });
        return queue.room();
      });
    };
    for (let round = 0; ; round++) {
      let answer = await send();
      if (codeOf(answer) === HEADER_MISMATCH && session.paramHeaders !== undefined) {
        // The tools have changed since they were listed. The upstream has not begun to work on the call.
        session.paramHeaders = undefined;
        answer = await send();
      }
      if (codeOf(answer) === UNSUPPORTED_VERSION) {
        // The client begins again, and finds the upstream in the revision that it speaks now.
        session.calls.delete(idKey(message.id));
        this.#onRevisionRefused();
        this.#sessions.end(session);
        throw noSession();
      }
      answer.setText(['id'], message.idText);
      const result = own(answer.value, 'result');
      if (answer.kind === 'error' || own(result, 'resultType') !== 'input_required') {
        queue.push({ text: answer.text });
        return;
      }
      if (round === MAX_ROUNDS) throw new Refusal(200, -32603, `The upstream asked more than ${MAX_ROUNDS} times`);
      request.setText(['params', 'inputResponses'], await askClient(answer, { open: session.questions, queue, signal }));
      const state = textAt(answer.text, ['result', 'requestState']);
      if (state === undefined) request.remove(['params', 'requestState']);
      else request.setText(['params', 'requestState'], state);
    }
  }

  /** Sends one request and waits for its answer; what comes before it goes to `take`, no faster than that has room. */
  async #answerOf(call: Post, take: (text: string) => Promise<void> | undefined = () => undefined): Promise<Message> {
    const sent = { ...call, version: MODERN, headers: { ...call.headers, ...mirrorHeaders(call.message) } };
    const answer = await this.#upstream.post(sent);
    for await (const { text } of messagesOf(answer, this.#name)) {
      const message = readMessage(text);
      if (message === undefined) continue;
      if (isAnswer(message)) return message;
      await take(text);
    }
    throw new Refusal(502, -32603, `The upstream ${this.#name} ended its answer too early`);
  }

  /** One upstream subscription for each session. */
  async #listen(session: ClientSession, call: FaceRequest, whenOpen: () => void = () => undefined): Promise<void> {
    const { stream } = session;
    if (stream === undefined) return;
    const { signal } = stream.listen;
    await listenAtModern(this.#upstream, session, { ...call, signal }, stream.queue, { name: this.#name, whenOpen });
  }

  /** The headers for a tool's arguments. */
  async #paramsOf(session: ClientSession, { method, name, params }: Message, caller: Caller, headers: Headers): Promise<Headers> {
    if (method !== 'tools/call' || name === undefined) return {};
    session.paramHeaders ??= listTools((message) => {
      addEnvelope(message, session);
      return this.#answerOf({ message, caller, headers, signal: NEVER });
    }).then(paramHeadersByTool);
    const listed = await session.paramHeaders.catch(() => (session.paramHeaders = undefined));
    const declared = listed?.get(name);
    return declared === undefined ? {} : writeParamHeaders(declared, own(params, 'arguments'));
  }
}

function codeOf(answer: Message): unknown {
  return at(answer.value, 'error', 'code');
}
