import type { Bodies, EdgeHooks, Message } from '../transport/index.js';
import { atOnce } from '../wire/callbacks.js';
import { ContextError } from '../wire/errors.js';
import { isFieldValue, isMediaType } from '../wire/headers.js';
import { isObject, own } from '../wire/json.js';
import { CONTENT_LANGUAGE } from '../wire/keys.js';
import { kindOf, metaOf } from '../wire/message.js';
import { agree, requireWellFormed } from './agree.js';
import { baseAgrees } from './base.js';
import { ServerCall, waiting } from './call.js';
import { callOf, finishHead } from './head.js';
import type { Room } from './room.js';

/**
 * The HTTP edge in the order of D-19: the shape of the JSON, the lift of a context beside `params`, header agreement, base before
 * language. Envelope, capabilities and dispatch follow behind it, and the head of the answer is finished on the way back.
 * `entrance`: on the transport itself. It knows sessions, so nothing is answered in front of it, and it may have an edge in front.
 */
export function edgeHooks(room: Room, bodies: Bodies, place: 'front' | 'entrance'): EdgeHooks {
  const early = place === 'front' ? room.having.early : [];
  return {
    bodies,
    onFault: (error) => room.fault(error),

    message(message, headers) {
      // What is no request has no context, and what is no JSON-RPC is the SDK's to refuse.
      if (!isRequest(message) || waiting(message, room) !== undefined) return message;
      const call = new ServerCall(room, message, headers, true);
      if (place === 'front') call.headed = 'later';
      room.ahead = true;
      try {
        agree(call, room);
        // The handler of SDK v2 serves it by itself, so no hook will see it.
        if (room.strict && call.method === 'subscriptions/listen') requireWellFormed(call);
      } catch (error) {
        if (!(error instanceof ContextError)) throw error;
        if (baseAgrees(message, headers)) {
          room.tracing?.atEdge?.(message, headers, error);
          throw error;
        }
        // The hook refuses it, should the SDK have found nothing wrong.
        call.agreed = false;
      }
      return call.message;
    },

    finished(message, { authInfo }) {
      const call = early.length === 0 ? undefined : waiting(message, room);
      // What a stricter server or a part of the author's may refuse has to get there.
      if (call?.agreed !== true || (room.strict && call.asked.issues.length > 0)) return undefined;
      for (const part of early) {
        const answer = atOnce(part.early?.(call, authInfo), 'early()', part.name);
        if (answer === undefined) continue;
        call.answered = answer.language;
        room.tracing?.atEdge?.(message, call.headers);
        return answer.bytes;
      }
      return undefined;
    },

    response(response, message) {
      const call = callOf(message, room);
      // Answered by somebody who did not pass our hook: what the answer says of its language stands in the body alone.
      if (
        call === undefined ||
        call.answered !== undefined ||
        call.headed === true ||
        !isMediaType(response.headers.get('content-type'), 'application/json')
      )
        return response;
      return readFrom(response, call);
    },

    head(head, body) {
      finishHead(head, body, room, place);
    },
  };
}

function isRequest(message: Message): boolean {
  const id = message['id'];
  return message['jsonrpc'] === '2.0' && kindOf(message) === 'request' && (typeof id === 'string' || Number.isSafeInteger(id));
}

async function readFrom(response: Response, call: ServerCall): Promise<Response> {
  call.answered = languageOf(await response.clone().text());
  return response;
}

function languageOf(text: string): string | null {
  try {
    const answer: unknown = JSON.parse(text);
    const kind = kindOf(answer);
    const meta = kind === undefined ? undefined : metaOf(answer, kind);
    const language = isObject(meta) ? own(meta, CONTENT_LANGUAGE) : undefined;
    return typeof language === 'string' && isFieldValue(language) ? language : null;
  } catch {
    return null;
  }
}
