/** `@waybill/conformance`: executable rules for servers, clients and gateways. It imports no other package of ours. */
export { runCheckCommand, type CheckIo } from './command/command.js';
export { REQUIREMENTS, type Level, type Requirement } from './requirements.js';
export type { Report, Row } from './report/fold.js';
