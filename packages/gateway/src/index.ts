/** `@waybill/gateway`: the five concerns for servers and clients that nobody can change. */
export { GATEWAY_USAGE, runGatewayCommand, type CommandIo } from './command.js';
export { ConfigText, type ConfigInput, type Overrides } from './config/load.js';
export { ConfigError } from './config/problem.js';
export type { GatewayConfig } from './config/types.js';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.js';
export type { ExchangeRecord, OnExchange, ExchangeOutcome } from './operations/record.js';
export type { Audit, LogEntry } from './operations/log.js';
