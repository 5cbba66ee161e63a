/** `waybill/testing`: call a tool under any context, in memory, whichever SDK serves it. */
export { callTool, type CallOptions, type CallOutcome } from './call.js';
export type { TestContext, Era, TestState } from './context.js';
export { matrix, type Axes, type Row } from './matrix.js';
export type { Respond, SeenMessage } from './link.js';
export type { Target } from './target.js';
