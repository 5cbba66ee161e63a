import type { Message } from '../transport/index.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { CONTENT_LANGUAGE } from '../wire/keys.js';
import { metaOf } from '../wire/message.js';
import { writeError, writeNotification, writeResult, type Outgoing, type WriteOptions } from '../wire/write.js';
import { withoutCall, type ServerCall } from './call.js';
import type { Part } from './part.js';
import type { Room } from './room.js';

type Kind = 'result' | 'error' | 'notification';
type Change = (part: Part, body: Meta) => Meta | Promise<Meta> | undefined;

/** What goes out in answer to a request: each part's changes, then one write. */
export function answered(message: Message, call: ServerCall, room: Room): Message | Promise<Message> {
  if (call.finished) {
    call.answered = languageIn(message, 'result');
    return message;
  }
  const kind = isObject(message['error']) ? 'error' : 'result';
  const change: Change = kind === 'error' ? (part, body) => part.error?.(body, call) : (part, body) => part.result?.(body, call);
  const given = kind === 'result' ? withoutCall(message['result'] as Meta) : (message['error'] as Meta);
  const body = changed(room, given, change, 0);
  const done = (final: Meta): Message => {
    const written = write(kind, withBody(message, kind, final), final, call, room);
    call.answered = languageIn(written, kind);
    tellDone(written, call, room);
    return written;
  };
  return body instanceof Promise ? body.then(done) : done(body);
}

function tellDone(message: Message, call: ServerCall, room: Room): void {
  for (const part of room.parts) {
    if (part.done === undefined) continue;
    try {
      part.done(message, call);
    } catch (error) {
      room.fault(error);
    }
  }
}

/** A notification that belongs to the request (LANG-24). */
export function noticed(message: Message, call: ServerCall, room: Room): Message | Promise<Message> {
  const params = isObject(message['params']) ? message['params'] : {};
  const method = message['method'] as string;
  const body = changed(room, params, (part, given) => part.notification?.(given, call, method), 0);
  const done = (final: Meta): Message =>
    write('notification', final === params ? message : { ...message, params: final }, final, call, room);
  return body instanceof Promise ? body.then(done) : done(body);
}

function withBody(message: Message, kind: 'result' | 'error', body: Meta): Message {
  return message[kind] === body ? message : { ...message, [kind]: body };
}

/** One part after the other; what one throws is reported, and the body goes on as that part found it. */
function changed(room: Room, body: Meta, change: Change, from: number): Meta | Promise<Meta> {
  for (let at = from; at < room.parts.length; at++) {
    const part = room.parts[at] as Part;
    const before = body;
    try {
      const next = change(part, before) ?? before;
      if (next instanceof Promise) {
        return next
          .catch((error: unknown) => {
            room.fault(error);
            return before;
          })
          .then((settled) => changed(room, settled, change, at + 1));
      }
      body = next;
    } catch (error) {
      room.fault(error);
    }
  }
  return body;
}

const writers = { result: writeResult, error: writeError, notification: writeNotification } as const;

function write(kind: Kind, message: Message, body: Meta, call: ServerCall, room: Room): Message {
  let values: Outgoing<'result'> | undefined;
  for (const part of room.parts) {
    try {
      const more = part.values?.(kind, body, call);
      if (more !== undefined) values = values === undefined ? more : { ...values, ...more };
    } catch (error) {
      room.fault(error);
    }
  }
  if (values === undefined) return message;
  const options: WriteOptions = { ...room.wire, onIssue: (issue) => call.report(issue) };
  return writers[kind](message, values, options);
}

function languageIn(message: Message, kind: Kind): string | null {
  const meta = metaOf(message, kind);
  const language = isObject(meta) ? own(meta, CONTENT_LANGUAGE) : undefined;
  return typeof language === 'string' ? language : null;
}
