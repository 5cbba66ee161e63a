import type { Message, TransportLike } from '../transport/index.js';

/** One message between client and server. */
export interface SeenMessage {
  readonly from: 'client' | 'server';
  readonly message: Message;
}

/** The client's end of a connection to one server. */
export interface Link {
  ask(message: Message): Promise<Message>;
  close(): Promise<void>;
}

/** Answers a request of the server to its client, such as `elicitation/create`. */
export type Respond = (method: string, params: unknown) => unknown;

/** Copies a message through JSON, as every real transport does, so that the two sides share no object. */
export const copied = (message: unknown): Message => JSON.parse(JSON.stringify(message)) as Message;

/** Connects a server of either SDK to a transport inside this process. */
export async function connect(
  server: { connect(transport: never): unknown; close?(): unknown },
  lines: SeenMessage[],
  respond: Respond | undefined,
): Promise<Link & { tell(message: Message): void }> {
  const waiting = new Map<unknown, { resolve: (message: Message) => void; reject: (error: Error) => void }>();
  let open = true;

  const transport: TransportLike & { start(): Promise<void> } = {
    start: () => Promise.resolve(),
    send: (message) => {
      receive(copied(message));
      return Promise.resolve();
    },
    close: () => {
      if (!open) return Promise.resolve();
      open = false;
      for (const { reject } of waiting.values()) reject(new Error('callTool: the server closed the connection without an answer'));
      transport.onclose?.();
      return Promise.resolve();
    },
  };

  function receive(message: Message): void {
    lines.push({ from: 'server', message });
    const { id, method } = message;
    if (typeof method !== 'string') waiting.get(id)?.resolve(message);
    else if (id !== undefined) void answer(id, method, message['params']);
  }

  async function answer(id: unknown, method: string, params: unknown): Promise<void> {
    try {
      if (respond === undefined) throw new Error(`${method}: the test has no answer; pass respond to callTool`);
      tell({ jsonrpc: '2.0', id, result: await respond(method, params) });
    } catch (error) {
      tell({ jsonrpc: '2.0', id, error: { code: -32601, message: String(error instanceof Error ? error.message : error) } });
    }
  }

  function tell(message: Message): void {
    const line = copied(message);
    lines.push({ from: 'client', message: line });
    transport.onmessage?.(copied(line) as never);
  }

  await server.connect(transport as never);
  return {
    tell,
    ask: (message) =>
      new Promise<Message>((resolve, reject) => {
        waiting.set(message['id'], { resolve, reject });
        tell(message);
      }),
    close: async () => {
      await server.close?.();
      await transport.close();
    },
  };
}
