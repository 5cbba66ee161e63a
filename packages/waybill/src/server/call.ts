import type { Exchange, Message } from '../transport/index.js';
import type { ContextError } from '../wire/errors.js';
import { liftEnvironment, mentionsEnvironment } from '../wire/environment.js';
import type { HeaderSource } from '../wire/headers.js';
import type { Issue } from '../wire/issue.js';
import { isObject, own, type JsonObject, type Meta } from '../wire/json.js';
import { ACCEPT_LANGUAGE, CLIENT_CAPABILITIES, CLIENT_INFO, EXTENSION_ID, LOG_LEVEL, PROTOCOL_VERSION } from '../wire/keys.js';
import type { LanguageChoice } from '../wire/language.js';
import { metaOf } from '../wire/message.js';
import { readRequestMeta, type Context } from '../wire/read.js';
import type { Connection } from './connection.js';
import type { RequestContext } from './context.js';
import type { HandlerError } from './error.js';
import type { Call } from './part.js';
import type { Room } from './room.js';

/** Where a call rides in `_meta`: a symbol is no key to whoever validates, clones or writes JSON, and costs them nothing. */
const CALL: unique symbol = Symbol('waybill.call');

const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/**
 * How a handler's `ctx` leads to its request without anything ambient: both SDKs hand `_meta` on, so the call itself rides there.
 * A peer cannot forge it, since JSON makes neither symbols nor instances, and it is gone from every JSON text. It is small and makes
 * everything when it is asked for: the validators of the SDKs keep messages, and what hangs on them, until the next full collection.
 */
export class ServerCall implements Call {
  readonly room: Room;
  readonly message: Message;
  headers: HeaderSource | undefined;
  exchange: Exchange | undefined = undefined;
  connection: Connection | undefined = undefined;
  content: string | null | undefined = undefined;
  stated = false;
  preferred = false;
  said: Map<string, readonly string[]> | undefined = undefined;
  /** LANG-63: no header tells a cache on the way which preference it has; `*` tells nothing either (D-32). */
  stripped = false;
  /** Header and body were found to agree. */
  agreed = false;
  /** What was made of it is for this caller alone. */
  personal = false;
  /** The server itself turned it away, later than its transport expected, with this code. */
  away: unknown = undefined;
  /** A part has answered with a result that is finished: no part looks at it again. */
  finished = false;
  /** The head of the HTTP answer is finished; `later`: by an edge in front, whatever stands behind that. */
  headed: boolean | 'later' = false;
  /** What the layer refused it with before dispatch, or a handler from inside. */
  refused: ContextError | undefined = undefined;
  thrown: (ContextError | HandlerError)[] | undefined = undefined;
  /** The `Content-Language` of the finished answer; `undefined` until there is one, `null` where it says nothing. */
  answered: string | null | undefined = undefined;
  kept: 'private' | 'no-store' | undefined = undefined;
  /** As it came: without the call in it. */
  readonly #meta: unknown;
  #asked: Context<'request'> | undefined = undefined;
  #context: RequestContext | undefined = undefined;
  #choice: LanguageChoice | undefined = undefined;
  #issues: Issue[] | undefined = undefined;

  /** `atEdge`: in front of a transport, which makes a copy of a legacy message and keeps no symbols in it. */
  constructor(room: Room, given: Message, headers: HeaderSource | undefined, atEdge: boolean) {
    this.room = room;
    this.headers = headers;
    const copy = framed(given);
    // Lifted from what came: there, no `_meta` is not one that is undefined.
    const message = mentionsEnvironment(copy) ? framed(liftEnvironment(given, room.wire)) : copy;
    this.message = message;
    const params = message['params'];
    const meta = isObject(params) ? params['_meta'] : undefined;
    this.#meta = meta;
    // The SDK refuses what is no object; it has no place for a call.
    if (isObject(params) && (meta === undefined || isObject(meta)))
      params['_meta'] = this.#needsName(meta, atEdge) ? named(meta, this) : marked(meta, this);
  }

  get era(): 'modern' | 'legacy' {
    return isObject(this.#meta) && typeof own(this.#meta, PROTOCOL_VERSION) === 'string' ? 'modern' : 'legacy';
  }

  /** SDK v2 takes its own keys out of `_meta`, and the whole object away when no other name is left. */
  #needsName(meta: Meta | undefined, atEdge: boolean): boolean {
    if (meta === undefined || (atEdge && this.era === 'legacy')) return atEdge;
    // The usual one, before all of them are looked at.
    if (Object.hasOwn(meta, ACCEPT_LANGUAGE)) return false;
    for (const key in meta) if (!ENVELOPE.has(key)) return false;
    return true;
  }

  get method(): string {
    return this.message['method'] as string;
  }

  get asked(): Context<'request'> {
    // What is read again after the answer has been reported before.
    return (this.#asked ??= readRequestMeta(this.#meta, this.#isOver ? this.room.wire : this.room.reading));
  }

  get target(): string | undefined {
    return this.connection?.target ?? this.room.targets.only;
  }

  /** BASE-02, CAP-02: nothing is inferred on the new revision; on the old one `initialize` spoke for the whole connection. */
  get declared(): JsonObject | undefined {
    return this.asked.capabilities ?? (this.era === 'legacy' ? this.connection?.declared : undefined);
  }

  get choice(): LanguageChoice {
    return (this.#choice ??= this.room.choose(this.asked));
  }

  get context(): RequestContext {
    return (this.#context ??= this.room.view(this));
  }

  get issues(): readonly Issue[] {
    const read = this.asked.issues;
    return this.#issues === undefined ? read : [...read, ...this.#issues];
  }

  report(issue: Issue): void {
    (this.#issues ??= []).push(issue);
    this.room.report(issue);
  }

  fault(error: unknown): void {
    this.room.fault(error);
  }

  keep(how: 'private' | 'no-store'): void {
    if (this.kept !== 'no-store') this.kept = how;
  }

  /** A hook has taken it: whoever finds it in a message after that has passed on the `_meta` of another request. */
  get isTaken(): boolean {
    return this.connection !== undefined;
  }

  get #isOver(): boolean {
    return this.isTaken && this.exchange === undefined;
  }

  /** The answer is out: what only served to make it can go, while the context that a handler holds goes on working. */
  release(): void {
    if (this.exchange !== undefined) this.exchange.note = undefined;
    this.exchange = undefined;
    this.#context = undefined;
    this.#asked = undefined;
  }

  /** Logs show `_meta`; what hangs on it, credentials among it, is not theirs. */
  [INSPECT](): string {
    return 'ServerCall {}';
  }
}

/** A call under a name that everybody sees: to whoever clones `_meta` it is an empty object, and in JSON it is not there. */
class Ticket {
  readonly #call: ServerCall;

  constructor(call: ServerCall) {
    this.#call = call;
  }

  static callOf(value: unknown): ServerCall | undefined {
    return value instanceof Ticket ? value.#call : undefined;
  }

  toJSON(): undefined {
    return undefined;
  }
}

/**
 * A copy of a request with a copy of its `params`, in which there is a place for `_meta`. The names first: so every copy has one hidden class,
 * which messages that never were text have not, and both we and the SDK read it faster.
 */
function framed(message: Message): Message {
  const copy: Message = { method: undefined, params: undefined, jsonrpc: undefined, id: undefined, ...message };
  const params = copy['params'];
  if (params === undefined || isObject(params)) copy['params'] = { _meta: undefined, ...params };
  return copy;
}

/** The symbol goes first: added last, it would turn the copy into a slow object for everybody who reads it. */
function marked(meta: Meta | undefined, call: ServerCall): Meta {
  const copy: Meta & { [CALL]: ServerCall } = { [CALL]: call, ...meta };
  // Once more: a handler may have passed its own `_meta` on, to a server in the same process.
  copy[CALL] = call;
  return copy;
}

function named(meta: Meta | undefined, call: ServerCall): Meta {
  return { ...meta, [EXTENSION_ID]: new Ticket(call) };
}

/** What SDK v2 reads of `_meta` itself. */
export const ENVELOPE: ReadonlySet<string> = new Set([PROTOCOL_VERSION, CLIENT_INFO, CLIENT_CAPABILITIES, LOG_LEVEL]);

/** The call a `_meta` object carries, whoever's it is. */
export function callIn(meta: unknown): ServerCall | undefined {
  if (!isObject(meta)) return undefined;
  const found = own(meta, CALL);
  return found instanceof ServerCall ? found : Ticket.callOf(own(meta, EXTENSION_ID));
}

/** A call that an edge of this room made for a message and that no hook has taken yet. */
export function waiting(message: Message, room: Room): ServerCall | undefined {
  const call = callIn(metaOf(message, 'request'));
  return call?.room === room && !call.isTaken ? call : undefined;
}

/** What a handler returned of the `_meta` it was given goes out without the call in it. */
export function withoutCall(body: Meta): Meta {
  const meta = body['_meta'];
  if (meta === undefined || callIn(meta) === undefined) return body;
  const { [EXTENSION_ID]: _, [CALL]: __, ...rest } = meta as Meta & { [CALL]?: unknown };
  return { ...body, _meta: rest };
}
