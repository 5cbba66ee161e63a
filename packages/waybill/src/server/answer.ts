import type { Message } from '../transport/index.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { CONTENT_LANGUAGE } from '../wire/keys.js';
import { atOnce, reportRejection } from '../wire/callbacks.js';
import { language, type ContentLanguage } from '../wire/language.js';
import { andThen, isThenable } from '../wire/maybe.js';
import { metaOf } from '../wire/message.js';
import { LIST_METHODS } from '../wire/methods.js';
import { addToResult, writeError, writeNotification, writeResult, type Outgoing } from '../wire/write.js';
import { withoutCall, type ServerCall } from './call.js';
import type { Part } from './part.js';
import type { Room } from './room.js';

type Kind = 'result' | 'error' | 'notification';

/** What goes out in answer to a request: each part's changes, then one write. */
export function answered(message: Message, call: ServerCall, room: Room): Message | Promise<Message> {
  if (call.finished) return leaving(message, 'result', call, room);
  const error = message['error'];
  const kind = isObject(error) ? 'error' : 'result';
  const given = isObject(error) ? error : forCaller(withoutCall(message['result'] as Meta), call);
  const body = changed(room, kind, given, call, 0);
  return andThen(body, (final) => leaving(written(message, kind, final, call, room), kind, call, room));
}

/** BASE-10: what may be kept by others at all. */
const CACHEABLE: ReadonlySet<string> = new Set(['server/discover', ...LIST_METHODS, 'resources/read']);

/** CTX-32: what was made for one caller is nobody else's, whatever its author said of all such answers. */
function forCaller(result: Meta, call: ServerCall): Meta {
  if (!call.personal || !CACHEABLE.has(call.method)) return result;
  call.keep('private');
  return own(result, 'cacheScope') === 'public' ? { ...result, cacheScope: 'private' } : result;
}

function written(message: Message, kind: 'result' | 'error', body: Meta, call: ServerCall, room: Room): Message {
  return write(kind, message[kind] === body ? message : { ...message, [kind]: body }, body, call, room);
}

/** The answer as it leaves. */
function leaving(message: Message, kind: 'result' | 'error', call: ServerCall, room: Room): Message {
  if (call.headers !== undefined) call.answered = languageIn(message, kind);
  if (!call.finished)
    for (const part of room.having.done) {
      try {
        reportRejection(part.done?.(message, call), room.fault);
      } catch (error) {
        room.fault(error);
      }
    }
  call.release();
  return message;
}

/** A notification that belongs to the request (LANG-24). */
export function noticed(message: Message, call: ServerCall, room: Room): Message | Promise<Message> {
  const params = isObject(message['params']) ? message['params'] : {};
  const method = message['method'] as string;
  const body = changed(room, 'notification', params, call, 0, method);
  const done = (final: Meta): Message =>
    write('notification', final === params ? message : { ...message, params: final }, final, call, room);
  return andThen(body, done);
}

/** One part after the other; what one throws is reported, and the body goes on as that part found it. */
function changed(room: Room, kind: Kind, body: Meta, call: ServerCall, from: number, method = ''): Meta | Promise<Meta> {
  const parts = room.having[kind];
  for (let at = from; at < parts.length; at++) {
    const part = parts[at] as Part;
    const before = body;
    try {
      const next = kind === 'notification' ? part.notification?.(before, call, method) : part[kind]?.(before, call);
      if (isThenable<unknown>(next)) {
        return Promise.resolve(next)
          .then((settled: unknown) => given(settled, before, part, kind))
          .catch((error: unknown) => {
            room.fault(error);
            return before;
          })
          .then((settled) => changed(room, kind, settled, call, at + 1, method));
      }
      body = given(next, before, part, kind);
    } catch (error) {
      room.fault(error);
    }
  }
  return body;
}

/** A part that gives nothing has changed nothing; with anything but an object nobody would ever hear of the answer. */
function given(next: unknown, before: Meta, { name }: Part, kind: Kind): Meta {
  if (next === before || next === undefined || next === null) return before;
  if (isObject(next)) return next;
  throw new TypeError(`part ${JSON.stringify(name)}: ${kind}() gave no object`);
}

const writers = { result: writeResult, error: writeError, notification: writeNotification } as const;

function write(kind: Kind, message: Message, body: Meta, call: ServerCall, room: Room): Message {
  let values: Outgoing<'result'> | undefined;
  for (const part of room.having.values) {
    try {
      const more = atOnce(part.values?.(kind, body, call), 'values()', part.name);
      if (more !== undefined) values = values === undefined ? more : { ...values, ...more };
    } catch (error) {
      room.fault(error);
    }
  }
  if (values === undefined) return message;
  return (kind === 'result' ? said(message, values, room) : undefined) ?? writers[kind](message, values, room.reading);
}

/** A result that says its language and nothing else: the usual case. */
function said(message: Message, { language: content, state, meta }: Outgoing<'result'>, room: Room): Message | undefined {
  if (state !== undefined || meta !== undefined || typeof content !== 'object' || !('text' in content)) return undefined;
  const text = spell(content, room);
  return text === undefined ? message : addToResult(message, CONTENT_LANGUAGE, text);
}

/** As each language is written; there are few. */
const spelled = new Map<string, unknown>();
const MOST_SPELLED = 512;

/** `undefined` for what is no language, each time with an issue. */
function spell(content: ContentLanguage, room: Room): unknown {
  const known = spelled.get(content.text);
  if (known !== undefined) return known;
  const text = language.result.write(content, room.report)[CONTENT_LANGUAGE];
  if (text === undefined) return undefined;
  if (spelled.size >= MOST_SPELLED) spelled.clear();
  spelled.set(content.text, text);
  return text;
}

/** What the finished answer says of its own language, whoever wrote it there. */
function languageIn(message: Message, kind: 'result' | 'error'): string | null {
  const meta = metaOf(message, kind);
  const language = isObject(meta) ? own(meta, CONTENT_LANGUAGE) : undefined;
  return typeof language === 'string' ? language : null;
}
