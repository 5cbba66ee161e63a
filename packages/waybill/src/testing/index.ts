/** `waybill/testing`: calls a tool under any context, in memory, with either SDK. */
export { callTool, type CallOptions, type CallOutcome } from './call.js';
export type { Era, TestContext, TestState } from './context.js';
export { matrix, type Axes, type Row } from './call.js';
export type { Respond, SeenMessage } from './link.js';
export type { Target } from './target.js';
