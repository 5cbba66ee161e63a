/** The stream of a 2025 client, from a subscription at a 2026 upstream: for all that the server offers and the client has subscribed to. */
import { randomUUID } from 'node:crypto';
import { keys } from 'waybill';
import type { Event } from '../answer.js';
import type { Face, FaceRequest } from '../face.js';
import { at } from '../json/values.js';
import { isAnswer, makeMessage, MODERN, readMessage } from '../message.js';
import type { Queue } from '../queue.js';
import { messagesOf } from '../sse.js';
import { addEnvelope, mirrorHeaders, type ClientFacts } from './envelope.js';

export interface Subscriber extends ClientFacts {
  /** The capabilities of the server. */
  readonly served: unknown;
  /** The resources that the client has subscribed to. */
  readonly subscribed: ReadonlySet<string>;
}

export interface ListenOptions {
  readonly name: string;
  /** The subscription is open, or there will be none. */
  readonly whenOpen: () => void;
}

/** Resolves when the upstream ends the subscription, or the signal of `call` is aborted. */
export async function listenAtModern(
  upstream: Face,
  subscriber: Subscriber,
  { caller, headers, signal }: FaceRequest,
  queue: Queue<Event>,
  { name, whenOpen }: ListenOptions,
): Promise<void> {
  const changes = (of: string): boolean => at(subscriber.served, of, 'listChanged') === true;
  const notifications = {
    ...(changes('tools') && { toolsListChanged: true }),
    ...(changes('prompts') && { promptsListChanged: true }),
    ...(changes('resources') && { resourcesListChanged: true }),
    ...(subscriber.subscribed.size > 0 && { resourceSubscriptions: [...subscriber.subscribed] }),
  };
  if (Object.keys(notifications).length > 0) {
    const message = makeMessage({ jsonrpc: '2.0', id: randomUUID(), method: 'subscriptions/listen', params: { notifications } });
    addEnvelope(message, subscriber);
    /** The subscription was open, or broke off. An upstream that refuses one leaves the stream as a silent server would. */
    let isOver = false;
    try {
      const sent = { message, caller, version: MODERN, headers: { ...headers, ...mirrorHeaders(message) }, signal };
      for await (const { text } of messagesOf(await upstream.post(sent), name)) {
        const notification = readMessage(text);
        if (notification === undefined || isAnswer(notification)) continue;
        if (notification.method === 'notifications/subscriptions/acknowledged') {
          isOver = true;
          whenOpen();
        } else {
          notification.setMeta(keys.SUBSCRIPTION_ID, undefined);
          if (Object.keys(notification.meta).length === 0) notification.remove(['params', '_meta']);
          queue.push({ text: notification.text });
          await queue.room();
        }
      }
    } catch {
      isOver = true;
    }
    // The client opens its stream again, and so the subscription. Without one its stream would be silent for ever.
    if (isOver && !signal.aborted) queue.end();
  }
  whenOpen();
}
