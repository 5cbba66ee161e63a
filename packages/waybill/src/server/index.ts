/** `waybill/server`: what a handler sees of its request, and an HTTP edge that keeps the rules; for any runtime. */
export type { AmbientStore } from './ambient.js';
export { contextOf, type Capabilities, type Environment, type Language, type RequestContext, type Trace } from './context.js';
export type { TimeRoom } from './environment.js';
export * from './localise/index.js';
export type { EnvironmentOptions, ServerOptions, ToolNeeds, TraceOptions } from './options.js';
export type { Call, Part } from './part.js';
export { serverContext, type NodeListener, type ServerContext } from './server.js';
export type { StdioOptions, StdioTransport } from './stdio.js';
