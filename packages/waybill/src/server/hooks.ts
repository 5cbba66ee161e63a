import type { Exchange, Hooks, Message, Observer, TransportLike } from '../transport/index.js';
import { headersIn } from '../transport/kind.js';
import { ContextError } from '../wire/errors.js';
import { isObject } from '../wire/json.js';
import { heeded } from '../wire/listener.js';
import { agree, requireWellFormed } from './agree.js';
import type { AmbientStore } from './ambient.js';
import { answered, noticed } from './answer.js';
import { ServerCall, waiting } from './call.js';
import { noteInitialize, type Connection } from './connection.js';
import { turnedBack } from './error.js';
import type { Call, Part } from './part.js';
import type { Room } from './room.js';

/** What this room does with the messages of one transport. */
export function connectionHooks(
  room: Room,
  transport: TransportLike,
  observers: ReadonlySet<Observer>,
  ambient: AmbientStore | undefined,
  about: Pick<Connection, 'target' | 'lifts'>,
): Hooks {
  const connection: Connection = { declared: undefined, ...about };
  const { before, instead } = room.having;

  /** A result in place of the handler's, or the request with its call in it. */
  const finish = (message: Message, call: ServerCall): Message => {
    for (const part of instead) {
      const result = attempt(room, () => part.instead?.(call));
      if (result === undefined) continue;
      call.finished = true;
      // In the order of the SDKs, so that it is the same answer to the byte.
      return { result, jsonrpc: '2.0', id: message['id'] };
    }
    return message;
  };

  return {
    observers,
    onIssue: room.report,
    onFault: room.fault,
    ...(room.tracing && { tracing: room.tracing }),

    request(message, exchange) {
      if (exchange.asked === 'us') return message;
      if (exchange.method === 'initialize') noteInitialize(connection, message, transport);
      const found = room.ahead ? waiting(message, room) : undefined;
      const call = found ?? new ServerCall(room, message, headersIn(exchange.extra), false);
      call.exchange = exchange;
      call.connection = connection;
      exchange.note = call;
      if (found === undefined && call.headers !== undefined) room.serves(message, call);
      const next = found === undefined ? call.message : message;
      try {
        if (!call.agreed) agree(call, room);
        if (room.strict) requireWellFormed(call);
        const held = runBefore(room, before, call, 0);
        return held === undefined ? finish(next, call) : held.then(() => finish(next, call), refusing(call));
      } catch (error) {
        if (error instanceof ContextError) return refusing(call)(error);
        // Whatever failed here, the handler still finds its context.
        room.fault(error);
        return next;
      }
    },

    answer(message, exchange, direction) {
      const call = direction === 'out' && exchange !== undefined ? (exchange.note as ServerCall | undefined) : undefined;
      if (call === undefined) return message;
      if (exchange?.entering === true && isObject(message['error'])) call.away = message['error']['code'];
      return answered(call.thrown === undefined ? message : turnedBack(message, call), call, room);
    },

    notification(message, { direction, exchange }) {
      if (direction === 'out') listChanged(room, message);
      const call = direction === 'out' && exchange !== undefined ? (exchange.note as ServerCall | undefined) : undefined;
      return call === undefined ? message : noticed(message, call, room);
    },

    ...(ambient && {
      serve(exchange: Exchange, deliver: () => void) {
        ambient.run(exchange.note, deliver);
      },
    }),
  };
}

/** Which list a notification or an event of SDK v2 says has changed. Templates are told of together with resources. */
export function listChanged(room: Room, { method, kind }: { readonly method?: unknown; readonly kind?: unknown }): void {
  const found = /^(?:notifications\/)?(tools|prompts|resources)[/_]list_changed$/.exec(String(method ?? kind));
  if (found === null) return;
  const methods = found[1] === 'resources' ? ['resources/list', 'resources/templates/list'] : [`${found[1] as string}/list`];
  for (const part of room.parts) for (const changed of methods) attempt(room, () => part.changed?.(changed));
}

/** One part after the other, in the same turn while none of them needs another. A fault of one is reported and passed over. */
function runBefore(room: Room, parts: readonly Part[], call: Call, from: number): Promise<void> | undefined {
  for (let at = from; at < parts.length; at++) {
    let held: unknown;
    try {
      held = parts[at]?.before?.(call);
    } catch (error) {
      if (error instanceof ContextError) throw error;
      room.fault(error);
    }
    if (held instanceof Promise) {
      return held
        .catch((error: unknown) => {
          if (error instanceof ContextError) throw error;
          room.fault(error);
        })
        .then(() => runBefore(room, parts, call, at + 1));
    }
  }
  return undefined;
}

function attempt<T>(room: Room, run: () => T): T | undefined {
  try {
    return heeded(run(), room.fault);
  } catch (error) {
    room.fault(error);
    return undefined;
  }
}

function refusing(call: ServerCall): (error: unknown) => never {
  return (error) => {
    if (error instanceof ContextError) {
      call.refused = error;
      call.content = null;
    }
    throw error;
  };
}
