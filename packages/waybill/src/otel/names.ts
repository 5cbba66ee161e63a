/**
 * Names of the OpenTelemetry semantic conventions for MCP (status: Development), as our own constants: the package that holds them has 10
 * MB, and the MCP names have moved out of it.
 */

/** The instrumentation scope of everything made here. */
export const SCOPE = 'waybill/otel';

export const MCP_METHOD = 'mcp.method.name';
export const MCP_PROTOCOL_VERSION = 'mcp.protocol.version';
export const MCP_RESOURCE_URI = 'mcp.resource.uri';
export const MCP_SESSION_ID = 'mcp.session.id';
export const REQUEST_ID = 'jsonrpc.request.id';
export const STATUS_CODE = 'rpc.response.status_code';
export const ERROR_TYPE = 'error.type';
export const OPERATION = 'gen_ai.operation.name';
export const TOOL_NAME = 'gen_ai.tool.name';
export const PROMPT_NAME = 'gen_ai.prompt.name';
export const TOOL_ARGUMENTS = 'gen_ai.tool.call.arguments';
export const TOOL_RESULT = 'gen_ai.tool.call.result';
export const NETWORK_TRANSPORT = 'network.transport';
export const NETWORK_PROTOCOL = 'network.protocol.name';
export const SERVER_ADDRESS = 'server.address';
export const SERVER_PORT = 'server.port';

/** The value of `gen_ai.operation.name` for a tool call, here and in the instrumentations of agents. */
export const EXECUTE_TOOL = 'execute_tool';
/** The value of `error.type` for a result with `isError`. */
export const TOOL_ERROR = 'tool_error';
/** Replaces values beyond the limit. */
export const OTHER = '_OTHER';

export const CLIENT_OPERATION = 'mcp.client.operation.duration';
export const SERVER_OPERATION = 'mcp.server.operation.duration';
export const CLIENT_SESSION = 'mcp.client.session.duration';
export const SERVER_SESSION = 'mcp.server.session.duration';
/** Seconds; the defaults of the SDKs are made for milliseconds. */
export const BUCKETS: number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** The conventions have no name for these. */
export const PROGRESS_EVENT = 'mcp.progress';
export const PROGRESS = 'mcp.progress.value';
export const PROGRESS_TOTAL = 'mcp.progress.total';
export const ISSUES = 'waybill.context.issues';
export const CONCERN = 'waybill.concern';
