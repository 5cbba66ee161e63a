/** The members of Node's `IncomingMessage` that tell it from other requests. This entry names no type of Node, since it serves every runtime. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly complete: boolean;
}

/** The same for Node's `ServerResponse`. */
export interface NodeResponse {
  writeHead(status: number): unknown;
  end(): unknown;
}

/** The third argument is a parsed body, or the `next` of Express. */
export type NodeListener = (request: NodeRequest, response: NodeResponse, bodyOrNext?: unknown) => Promise<void>;

/**
 * A listener of `node:http` behind the edge: a function of Node's request and response, the parsed body, and the `next` of Express. An app
 * of Express or Connect is one, too.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- Node's types, or those of a framework on top of them
export type NodeListenerBehind = (request: any, response: any, parsedBody?: unknown, next?: (...args: unknown[]) => void) => unknown;
