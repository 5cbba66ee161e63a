/** `waybill/otel`: spans and metrics by the MCP semantic conventions, for applications that have `@opentelemetry/api`. */
export * as names from './names.js';
export type { Capture, OpenTelemetryOptions } from './options.js';
export { openTelemetry, type OpenTelemetry } from './telemetry.js';
