/** `subscriptions/listen` of a 2026 client, from the shared stream of a 2025 session and counted `resources/subscribe`. */
import { randomUUID } from 'node:crypto';
import { keys } from 'waybill';
import { Refusal, type Event } from '../answer.js';
import type { Post } from '../face.js';
import { at, isObject, own, textOf, type JsonRecord } from '../json/values.js';
import { makeMessage, replyTo, type Message } from '../message.js';
import type { Queue } from '../queue.js';
import type { LegacySession } from './legacySession.js';

const MAX_EARLY = 64;

/** Resolves when the upstream ends its stream. */
export async function listenAtLegacy(
  session: LegacySession,
  { message, signal }: Post,
  queue: Queue<Event>,
  /** Sends a request to the upstream and waits for its answer. */
  request: (message: Message) => Promise<void>,
): Promise<void> {
  const filter = own(message.params, 'notifications');
  if (!isObject(filter)) throw new Refusal(400, -32602, "Invalid params: 'notifications' is required");
  const id = message.idText;
  const honoured = honouredOf(filter, own(session.introduction, 'capabilities'));
  const uris = honoured.resourceSubscriptions ?? [];
  /** The acknowledgement is the first message of the stream, so what comes sooner waits for it. */
  let early: Message[] | undefined = [];
  const stamp = (notification: Message): void => {
    notification.setText(['params', '_meta', keys.SUBSCRIPTION_ID], id);
    queue.push({ text: notification.text });
  };
  const subscribe = async (uri: string, step: 1 | -1): Promise<void> => {
    const before = session.subscribed.get(uri) ?? 0;
    if (before + step === 0) session.subscribed.delete(uri);
    else session.subscribed.set(uri, before + step);
    // The upstream is told of the first listener for a resource, and of the last one that goes.
    if (before + step !== (step === 1 ? 1 : 0)) return;
    const method = step === 1 ? 'resources/subscribe' : 'resources/unsubscribe';
    await request(makeMessage({ jsonrpc: '2.0', id: randomUUID(), method, params: { uri } }));
  };
  let ended = (): void => undefined;
  const over = new Promise<void>((resolve) => (ended = resolve));
  signal.addEventListener('abort', ended, { once: true });
  const notify = (notification: Message): void => {
    if (!isWanted(notification, honoured)) return;
    // Others listen to the same stream and must not wait for this one. A client that subscribes again knows that it has missed something.
    if (queue.isFull || (early !== undefined && early.length >= MAX_EARLY)) ended();
    else if (early === undefined) stamp(notification.copy());
    else early.push(notification.copy());
  };
  const leave = await session.stream.join({ ended, notify });
  await Promise.all(uris.map((uri) => subscribe(uri, 1)));
  stamp(makeMessage({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications: honoured } }));
  for (const notification of early) stamp(notification);
  early = undefined;
  await over;
  signal.removeEventListener('abort', ended);
  leave();
  await Promise.all(uris.map((uri) => subscribe(uri, -1)));
  const end = replyTo(message, { result: { resultType: 'complete', _meta: {} } });
  end.setText(['result', '_meta', keys.SUBSCRIPTION_ID], id);
  queue.push({ text: end.text });
}

type Honoured = JsonRecord & { readonly resourceSubscriptions?: readonly string[] };

/** The part of a filter that the server offers. */
function honouredOf(filter: JsonRecord, offered: unknown): Honoured {
  const wants = (member: string, name: string): boolean => own(filter, member) === true && at(offered, name, 'listChanged') === true;
  const asked = own(filter, 'resourceSubscriptions');
  const uris = Array.isArray(asked) && at(offered, 'resources', 'subscribe') === true ? asked.filter((uri) => typeof uri === 'string') : [];
  return {
    ...(wants('toolsListChanged', 'tools') && { toolsListChanged: true }),
    ...(wants('promptsListChanged', 'prompts') && { promptsListChanged: true }),
    ...(wants('resourcesListChanged', 'resources') && { resourcesListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  };
}

function isWanted({ method, params }: Message, honoured: Honoured): boolean {
  if (method === 'notifications/resources/updated')
    return honoured.resourceSubscriptions?.includes(textOf(own(params, 'uri')) ?? '') === true;
  const name = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
  return name !== undefined && honoured[`${name}ListChanged`] === true;
}
