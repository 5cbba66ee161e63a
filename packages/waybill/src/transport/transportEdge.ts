import { isPerRequest } from './sdk.js';
import { edge, withHead, type EdgeHooks } from './edge.js';
import { nodeEdge, type NodeHandler } from './node/edge.js';
import type { TransportLike } from './types.js';

type HttpMethod = (...args: unknown[]) => unknown;
type Loose = Record<string, HttpMethod | undefined>;

/** Marks a transport whose HTTP methods have an edge. */
const HAS_EDGE: unique symbol = Symbol('waybill.edge');

/**
 * Puts the edge into the public HTTP methods of a server's transport, on the transport object itself: `handleRequest` of both SDKs, for
 * fetch and for Node, `handlePostMessage` of the old SSE transport, and `handleMessage` of the v2 transport that serves one request. A
 * server that is connected to its transport by hand needs no other edge. A transport that is not HTTP has none of them.
 */
export function hookTransportEdge(transport: TransportLike, hooks: EdgeHooks): void {
  const loose = transport as unknown as Loose & { [HAS_EDGE]?: true };
  if (loose[HAS_EDGE] === true) return;
  Object.defineProperty(transport, HAS_EDGE, { value: true });
  for (const name of ['handleRequest', 'handlePostMessage']) {
    const base = loose[name];
    if (typeof base !== 'function') continue;
    const web = edge((...args) => base.apply(transport, args) as Promise<Response>, hooks) as unknown as HttpMethod;
    const node = nodeEdge(((...args: unknown[]) => base.apply(transport, args)) as NodeHandler, hooks) as unknown as HttpMethod;
    loose[name] = (...args) => (isWebRequest(args[0]) ? web : node)(...args);
  }
  const base = loose['handleMessage'];
  if (typeof base === 'function' && isPerRequest(transport)) {
    // Only the head is changed: the SDK has checked the message, and it stops the server of this one request after its answer.
    loose['handleMessage'] = async (message, extra) => withHead((await base.call(transport, message, extra)) as Response, message, hooks);
  }
}

function isWebRequest(value: unknown): value is Request {
  const headers = (value as Partial<Request> | undefined)?.headers;
  return typeof (headers as { get?: unknown } | undefined)?.get === 'function';
}
