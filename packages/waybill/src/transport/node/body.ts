import type { ServerResponse } from 'node:http';
import { isMediaType } from '../../wire/headers.js';
import type { EventRewriter } from '../events.js';
import { fieldsOf, pairs } from './head.js';

interface BodyHooks {
  /** Called with the head of the answer, once the kind of its body is known. */
  head?(get: (name: string) => string | undefined): void;
  /** Gets the whole text of a JSON answer and returns the text that leaves. */
  json(text: string): Promise<string>;
  /** Changes the events of a stream. */
  events(): EventRewriter;
  onFault(error: unknown): void;
}

type Done = (error?: Error | null) => void;

/**
 * Passes the body of a `node:http` answer to the hooks: JSON when it is complete, a stream event by event. The head of a JSON answer is
 * held back until its body is known. Any other body leaves unchanged.
 */
export function interceptBody(response: ServerResponse, hooks: BodyHooks): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  const write = response.write.bind(response) as (chunk: Uint8Array) => boolean;
  const end = response.end.bind(response) as (done?: Done) => ServerResponse;
  const flushHeaders = response.flushHeaders.bind(response);
  let head: [status: number, ...rest: unknown[]] | undefined;
  let take: ((chunk: Uint8Array | undefined, isLast: boolean) => Promise<void>) | undefined;
  let queue: Promise<void> = Promise.resolve();
  let isHeadSent = false;

  /** Called even if the program did not call `writeHead`: Node would call the one below, which holds the head back. */
  const sendHead = (): void => {
    isHeadSent = true;
    writeHead(...(head ?? [response.statusCode]));
  };
  const send = (bytes: Uint8Array): void => void write(bytes);

  /** Chooses how to treat the body, by its type. */
  function begin(): NonNullable<typeof take> {
    const given = pairs(head?.at(-1));
    const fields = fieldsOf(response, given);
    const type = fields.get('content-type');
    hooks.head?.((name) => fields.get(name));
    if (isMediaType(type, 'application/json')) {
      fields.remove('content-length');
      if (head !== undefined && given !== undefined) head[head.length - 1] = Object.fromEntries(given);
      const chunks: Uint8Array[] = [];
      return async (chunk, isLast) => {
        if (chunk !== undefined) chunks.push(chunk);
        if (!isLast) return;
        const bytes = Buffer.concat(chunks);
        const final = await hooks.json(bytes.toString()).then(
          (text) => Buffer.from(text),
          (error: unknown) => {
            hooks.onFault(error);
            return bytes;
          },
        );
        sendHead();
        send(final);
      };
    }
    sendHead();
    if (!isMediaType(type, 'text/event-stream'))
      return (chunk) => {
        if (chunk !== undefined) send(chunk);
        return Promise.resolve();
      };
    const events = hooks.events();
    return async (chunk, isLast) => {
      if (chunk !== undefined) for await (const bytes of events.push(chunk)) send(bytes);
      if (isLast) send(events.rest());
    };
  }

  function pass(args: unknown[], isLast: boolean): void {
    const done = args.find((value) => typeof value === 'function') as Done | undefined;
    const [given, encoding] = args;
    const isText = typeof given === 'string';
    const chunk = isText ? Buffer.from(given, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8') : given;
    take ??= begin();
    const taking = take;
    // Chunks stay in order while a part works on one of them.
    queue = queue
      .then(() => taking(chunk instanceof Uint8Array ? chunk : undefined, isLast))
      .catch((error: unknown) => hooks.onFault(error))
      .then(() => {
        if (isLast) end(done);
        else done?.();
      });
  }

  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (status < 200 || isHeadSent) return writeHead(status, ...rest);
    head = [status, ...rest];
    return response;
  };
  response.flushHeaders = () => {
    take ??= begin();
    if (isHeadSent) flushHeaders();
  };
  response.write = ((...args: unknown[]) => {
    pass(args, false);
    return true;
  }) as typeof response.write;
  response.end = ((...args: unknown[]) => {
    pass(args, true);
    return response;
  }) as typeof response.end;
}
