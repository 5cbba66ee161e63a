/** The stream of a 2025 client, from a subscription at a 2026 upstream: for all that the server offers and the client has subscribed to. */
import { randomUUID } from 'node:crypto';
import { keys } from 'waybill';
import type { Event } from '../answer.js';
import type { Face, FaceRequest } from '../face.js';
import { at } from '../json/values.js';
import { isAnswer, makeMessage, readMessage } from '../message.js';
import { MODERN } from '../revision.js';
import type { Queue } from '../queue.js';
import { messagesOf } from '../sse.js';
import type { ClientSession } from './clientSession.js';
import { addEnvelope, mirrorHeaders } from './envelope.js';

export interface ListenOptions {
  readonly name: string;
  /** The subscription is open, or there will be none. */
  readonly whenOpen: () => void;
}

/** Resolves when the upstream ends the subscription, or the signal of `call` is aborted. */
export async function listenAtModern(
  upstream: Face,
  session: ClientSession,
  { caller, headers, signal }: FaceRequest,
  queue: Queue<Event>,
  { name, whenOpen }: ListenOptions,
): Promise<void> {
  const changes = (of: string): boolean => at(session.served, of, 'listChanged') === true;
  const notifications = {
    ...(changes('tools') && { toolsListChanged: true }),
    ...(changes('prompts') && { promptsListChanged: true }),
    ...(changes('resources') && { resourcesListChanged: true }),
    ...(session.subscribed.size > 0 && { resourceSubscriptions: [...session.subscribed] }),
  };
  if (Object.keys(notifications).length > 0) {
    const message = makeMessage({ jsonrpc: '2.0', id: randomUUID(), method: 'subscriptions/listen', params: { notifications } });
    addEnvelope(message, session);
    // Set once the subscription is open or breaks off. An upstream that refuses one leaves the stream as a silent server would.
    let endsStream = false;
    try {
      const sent = { message, caller, version: MODERN, headers: { ...headers, ...mirrorHeaders(message) }, signal };
      for await (const { text } of messagesOf(await upstream.post(sent), name)) {
        const notification = readMessage(text);
        if (notification === undefined || isAnswer(notification)) continue;
        if (notification.method === 'notifications/subscriptions/acknowledged') {
          endsStream = true;
          whenOpen();
        } else {
          notification.setMeta(keys.SUBSCRIPTION_ID, undefined);
          if (Object.keys(notification.meta).length === 0) notification.remove(['params', '_meta']);
          queue.push({ text: notification.text });
          await queue.room();
        }
      }
    } catch {
      endsStream = true;
    }
    // The client opens its stream again, and so the subscription. Without one its stream would be silent for ever.
    if (endsStream && !signal.aborted) queue.end();
  }
  whenOpen();
}
