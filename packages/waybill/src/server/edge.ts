/** The HTTP edge: passes the body of a request to the pipeline before the SDK sees it, and finishes the head of the answer. */
import type { Bodies, EdgeHooks, Message } from '../transport/index.js';
import { atOnce } from '../wire/maybe.js';
import { ContextError } from '../wire/errors.js';
import { isMediaType } from '../wire/headers.js';
import type { Issue } from '../wire/issue.js';
import { isObject } from '../wire/json.js';
import { kindOf } from '../wire/message.js';
import { baseAgrees } from './agreement.js';
import { redeem, requestOf } from './find.js';
import { finishHead, languageNamedIn, type EdgePlace } from './head.js';
import type { Layer } from './layer.js';
import { requireAgreement, requireWellFormed } from './pipeline.js';
import { IncomingRequest } from './request.js';

/**
 * Checks in the order of D-19: the shape of the JSON, the context beside `params`, then header agreement, base before language. Envelope,
 * capabilities and dispatch follow after the edge. The HTTP methods of a transport know sessions, so nothing is answered in front of them.
 */
export function edgeHooks(layer: Layer, bodies: Bodies, place: EdgePlace): EdgeHooks {
  const early = place === 'front' ? layer.steps.early : [];
  const answeredEarly = new WeakSet<IncomingRequest>();
  return {
    bodies,
    onFault: (error) => layer.fault(error),

    message(given, headers) {
      const message = place === 'front' ? given : redeem(given);
      // The SDK refuses a message that is not JSON-RPC. Only a request has a context.
      if (!isRequest(message) || unservedRequest(message, layer) !== undefined) return message;
      const request = new IncomingRequest(layer, message, headers, place);
      try {
        requireAgreement(request);
        // The handler of SDK v2 serves a subscription itself, so no hook sees it.
        if (layer.strict && request.method === 'subscriptions/listen') requireWellFormed(request);
      } catch (error) {
        if (!(error instanceof ContextError)) throw error;
        // D-19: if the base headers are wrong too, the SDK reports that. If it does not, the hook refuses the request.
        if (baseAgrees(message, headers)) {
          layer.telemetry?.atEdge?.(message, headers, error);
          throw error;
        }
      }
      return request.message;
    },

    finished(message, { authInfo }) {
      const request = early.length === 0 ? undefined : unservedRequest(message, layer);
      if (request === undefined || request.agreement.kind === 'disagree') return undefined;
      // A strict server refuses it, after the edge.
      if (layer.strict && request.received.issues.length > 0) return undefined;
      for (const part of early) {
        const answer = atOnce(part.early?.(request, authInfo), 'early()', part.name);
        if (answer === undefined) continue;
        answeredEarly.add(request);
        request.head.language = answer.language;
        layer.telemetry?.atEdge?.(message, request.headers);
        return answer.bytes;
      }
      return undefined;
    },

    response(response, message) {
      const request = requestOf(message);
      // An answer that did not pass the hook names its language only in the body.
      if (
        request?.layer !== layer ||
        request.head.language !== undefined ||
        request.head.isWritten ||
        !isMediaType(response.headers.get('content-type'), 'application/json')
      )
        return response;
      return readLanguage(response, request);
    },

    head(head, body) {
      const request = place === 'front' && isObject(body) ? unservedRequest(body, layer) : undefined;
      // The message of a stream may reach the server after the head has left.
      const isAnswered = head.status === 200 && isMediaType(head.get('Content-Type'), 'application/json');
      if (request !== undefined && isAnswered && !answeredEarly.has(request)) layer.report(UNCLAIMED);
      finishHead(head, body, layer, place);
    },
  };
}

const UNCLAIMED: Issue = {
  side: 'setup',
  concern: 'meta',
  key: 'attach',
  problem:
    'a request passed http() or node() and was answered by a server that is not attached; give that server to attach() or its class to instrument(), or write { standalone: true } beside the handler',
};

/** Returns the request that an edge of this layer has made for this message, if no server has it yet. */
function unservedRequest(message: Message, layer: Layer): IncomingRequest | undefined {
  const request = requestOf(message);
  return request?.layer === layer && !request.delivery.hasBegun ? request : undefined;
}

export function isRequest(message: unknown): message is Message {
  if (!isObject(message) || message['jsonrpc'] !== '2.0') return false;
  const { id } = message;
  return kindOf(message) === 'request' && (typeof id === 'string' || Number.isSafeInteger(id));
}

async function readLanguage(response: Response, request: IncomingRequest): Promise<Response> {
  request.head.language = languageNamedIn(parsed(await response.clone().text()));
  return response;
}

/** Returns the message in a text; `undefined` if it is no JSON object. */
export function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
