/** The SDK hook: passes the messages of one transport to the pipeline. */
import type { Exchange, Hooks, Message, Observer, TransportLike } from '../transport/index.js';
import { canAskBack, headersIn, wireOf } from '../transport/sdk.js';
import { isObject } from '../wire/json.js';
import type { Issue } from '../wire/issue.js';
import { andThen } from '../wire/maybe.js';
import type { AsyncStorage } from '../transport/runtime.js';
import { noteInitialize, type PeerConnection } from './connection.js';
import { redeem, rememberMessage, requestOf } from './find.js';
import type { Layer } from './layer.js';
import { admit, finish, finishNotification } from './pipeline.js';
import { IncomingRequest } from './request.js';
import { tellChanged } from './runParts.js';

/** The transport of a framework chooses the status, and the hook cannot change it. */
const REFUSED_WITH_200: Issue = {
  side: 'setup',
  concern: 'language',
  key: 'attach',
  problem:
    'a request was refused over HTTP with a status that its transport chose, because it is not a transport of the SDKs; put http() or node() in front, which refuse it with 400',
};

export function connectionHooks(
  layer: Layer,
  transport: TransportLike,
  observers: ReadonlySet<Observer>,
  ambient: AsyncStorage | undefined,
  about: Pick<PeerConnection, 'target' | 'lifts'> & Partial<PeerConnection>,
): Hooks {
  const connection: PeerConnection = { declared: undefined, canAskBack: () => canAskBack(transport), ...about };
  return {
    observers,
    onIssue: layer.report,
    onFault: layer.fault,
    ...(layer.telemetry && { telemetry: layer.telemetry }),

    request(given, exchange) {
      if (exchange.sender === 'us') return given;
      if (exchange.method === 'initialize') noteInitialize(connection, given, transport);
      const { request, message } = requestFor(layer, given, exchange);
      request.delivery.begin(connection, exchange);
      exchange.note = request;
      if (request.agreement.kind === 'disagree' && wireOf(transport) === 'unknown' && request.edge === undefined)
        layer.report(REFUSED_WITH_200);
      return andThen(admit(request), (complete) => complete ?? message);
    },

    answer(message, exchange, direction) {
      const request = direction === 'out' ? servedIn(exchange) : undefined;
      if (request === undefined) return message;
      if (exchange?.entering === true && isObject(message['error'])) request.answer.refusal.bySdk(message['error']['code']);
      return finish(message, request);
    },

    notification(message, { direction, exchange }) {
      if (direction === 'in') return message;
      tellChanged(layer, message);
      const request = servedIn(exchange);
      return request === undefined ? message : finishNotification(message, request);
    },

    ...(ambient && {
      serve(exchange: Exchange, deliver: () => void) {
        ambient.run(exchange.note, deliver);
      },
    }),
  };
}

/** Returns the request that an edge of this layer has made, or a new one; and the message that goes on to the SDK. */
function requestFor(layer: Layer, given: Message, exchange: Exchange): { request: IncomingRequest; message: Message } {
  const message = redeem(given);
  const found = requestOf(message);
  if (found?.layer === layer && !found.delivery.hasBegun) return { request: found, message };
  const request = new IncomingRequest(layer, message, headersIn(exchange.extra));
  // The edge on the transport finishes the HTTP head, and knows the message as it came.
  if (request.headers !== undefined) rememberMessage(message, request);
  return { request, message: request.message };
}

function servedIn(exchange: Exchange | undefined): IncomingRequest | undefined {
  return exchange?.note as IncomingRequest | undefined;
}
