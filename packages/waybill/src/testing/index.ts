/** `waybill/testing`: calls a tool under any context, in memory, with either SDK. */
export { callTool, matrix, type Axes, type CallOptions, type CallOutcome, type Row } from './call.js';
export type { Era, TestContext, TestState } from './context.js';
export type { Respond, SeenMessage } from './link.js';
export type { Target } from './target.js';
