import type { ServerContext, StdioTransport } from '../server/index.js';
import { isSdkServer } from '../transport/sdk.js';
import { INFO, capabilitiesOf, type TestContext, type Era } from './context.js';
import { connect, type SeenMessage, type Link, type Respond } from './link.js';
import { post } from './post.js';

/**
 * The server to call: an unconnected `Server` or `McpServer` of either SDK, a factory of them, anything else with `connect(transport)`, or the
 * handler of `createMcpHandler`, with or without `waybill.http(…)` around it.
 */
export type Target = object | { connect(transport: StdioTransport): unknown } | ((...args: never[]) => object | Promise<object>);

interface Shape {
  connect?(transport: never): unknown;
  close?(): unknown;
  fetch?(request: Request): Response | Promise<Response>;
}

export interface Opened {
  readonly link: Link;
  readonly era: Era;
  /** True if `initialize` has declared the capabilities. */
  readonly isInitialized: boolean;
}

export async function openTarget(
  target: Target,
  context: TestContext,
  { layer, respond }: { layer?: ServerContext | undefined; respond?: Respond | undefined },
  lines: SeenMessage[],
): Promise<Opened> {
  const { era } = context;
  if (layer !== undefined && typeof (layer as Partial<ServerContext> | null)?.attach !== 'function')
    throw new TypeError('callTool.layer: expected the result of serverContext()');
  if (isFetch(target)) {
    const handler = layer === undefined ? target : layer.http(target as never);
    const chosen = era ?? '2026-07-28';
    return { link: post(handler as never, chosen, lines), era: chosen, isInitialized: false };
  }
  const attached = layer === undefined || !isObjectOrFunction(target) ? target : layer.attach(target);
  const made: unknown = typeof attached === 'function' ? await (attached as (about: object) => unknown)({ era: 'legacy' }) : attached;
  const server = made as Shape;
  if (typeof made !== 'object' || made === null || typeof server.connect !== 'function')
    throw new TypeError(
      `callTool: expected a server with connect(), a factory of them, or a handler with fetch(), not ${made === null ? 'null' : typeof made}`,
    );
  if (era === '2026-07-28' && isSdkServer(server))
    throw new TypeError('callTool: a server connected by hand speaks 2025-11-25 only; for 2026-07-28 pass createMcpHandler(factory)');
  const link = await connect(server as Parameters<typeof connect>[0], lines, respond);
  if (era === '2026-07-28') return { link, era, isInitialized: false };
  const params = { protocolVersion: '2025-11-25', capabilities: capabilitiesOf(context), clientInfo: INFO };
  const { error } = (await link.ask({ jsonrpc: '2.0', id: 'initialize', method: 'initialize', params })) as { error?: { message: string } };
  if (error !== undefined) {
    await link.close();
    throw new Error(`callTool: initialize failed: ${error.message}`);
  }
  link.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { link, era: '2025-11-25', isInitialized: true };
}

/** Programs without types may pass anything, most often undefined. */
function isObjectOrFunction(target: unknown): boolean {
  return typeof target === 'function' || (typeof target === 'object' && target !== null);
}

/** In some frameworks a server has both methods; then `connect` is used. */
function isFetch(target: Target | undefined): boolean {
  const shape = target as Shape | undefined;
  return typeof shape?.fetch === 'function' && typeof shape.connect !== 'function';
}
