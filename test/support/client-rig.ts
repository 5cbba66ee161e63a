/** A client layer on our own transport: what it sends, and what it lets through. */
import {
  clientContext,
  type AttachOptions,
  type ClientContext,
  type ClientContextOptions,
} from '../../packages/waybill/src/client/index.js';
import type { Issue } from '../../packages/waybill/src/wire/issue.js';
import * as keys from '../../packages/waybill/src/wire/keys.js';

export type Message = Record<string, any>;

/** The server of a rig: returns a result, `{ error }`, or nothing. */
export type Server = (request: Message) => Message | undefined;

export interface Rig {
  readonly waybill: ClientContext;
  readonly transport: any;
  /** Requests and notifications as they left. */
  readonly sent: Message[];
  /** Answers and notifications that reached the SDK. */
  readonly delivered: Message[];
  readonly issues: Issue[];
  readonly faults: unknown[];
  /** Sends a request like the SDK; returns the answer as the SDK gets it. */
  ask(method: string, params?: Message): Promise<Message>;
  /** Returns the `_meta` of that request. */
  metaOf(method: string, params?: Message): Promise<Message>;
  /** Delivers a message of the server. */
  say(message: Message): void;
}

export const NOW = Date.UTC(2026, 9, 25, 0, 30, 0, 123);
export const PLATFORM = { timezone: 'Europe/Vienna', locale: 'de-AT', languages: ['de-AT', 'de'] };

/** The envelope that a 2026-07-28 client puts on every request. */
export function modern(params: Message = {}, capabilities: Message = {}): Message {
  const envelope = {
    [keys.PROTOCOL_VERSION]: '2026-07-28',
    [keys.CLIENT_INFO]: { name: 'c', version: '1' },
    [keys.CLIENT_CAPABILITIES]: capabilities,
  };
  return { ...params, _meta: { ...envelope, ...params['_meta'] } };
}

export function rig(options: ClientContextOptions = {}, server: Server = () => ({}), attach: AttachOptions = {}): Rig {
  const [sent, delivered, issues, faults] = [[] as Message[], [] as Message[], [] as Issue[], [] as unknown[]];
  const waybill = clientContext({
    onIssue: (issue) => issues.push(issue),
    onFault: (error) => faults.push(error),
    clock: () => NOW,
    platform: () => PLATFORM,
    ...options,
  });
  const transport: any = {
    send(message: Message) {
      sent.push(message);
      const answer = message['id'] === undefined || message['method'] === undefined ? undefined : server(message);
      const { id } = message;
      if (answer !== undefined) transport.onmessage?.({ jsonrpc: '2.0', id, ...('error' in answer ? answer : { result: answer }) });
      return Promise.resolve();
    },
    close: () => Promise.resolve(transport.onclose?.()),
  };
  waybill.attach(transport, attach);
  const waiting = new Map<number, (message: Message) => void>();
  transport.onclose = () => undefined;
  transport.onmessage = (message: Message) => {
    delivered.push(message);
    waiting.get(message['id'])?.(message);
  };
  let next = 0;
  async function ask(method: string, params?: Message): Promise<Message> {
    const id = next++;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    await transport.send({ method, ...(params && { params }), jsonrpc: '2.0', id });
    return answered;
  }
  return {
    waybill,
    transport,
    sent,
    delivered,
    issues,
    faults,
    ask,
    async metaOf(method, params) {
      const { id } = await ask(method, params);
      return sent.find((message) => message['id'] === id)!['params']?._meta ?? {};
    },
    say: (message) => transport.onmessage({ jsonrpc: '2.0', ...message }),
  };
}
