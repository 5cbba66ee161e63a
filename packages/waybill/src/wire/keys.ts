/** Every key on the wire, of the five proposals and our own. No other file spells one. */

export const ACCEPT_LANGUAGE = 'io.modelcontextprotocol/acceptLanguage';
export const CONTENT_LANGUAGE = 'io.modelcontextprotocol/contentLanguage';

// D-03
/** The prefix belongs to MCP; we use it because the field comes from an MCP proposal. Configurable. */
export const CLIENT_CONTEXT = 'io.modelcontextprotocol/clientContext';
// CTX-01
/** The literal form of the proposal: a member of the JSON-RPC request beside `params`. */
export const CLIENT_CONTEXT_SIBLING = 'clientContext';

// D-02
/** Accepted spellings in order of precedence; the first is written by default, the last with `stateKeys: 'alias'`. */
export const STATE_SPELLINGS = {
  session: [
    'modelcontextprotocol.io/state/session',
    'http://modelcontextprotocol.io/state/session',
    'modelcontextprotocol.io/state/session/',
    'io.modelcontextprotocol/state.session',
  ],
  server: [
    'modelcontextprotocol.io/state/server',
    'http://modelcontextprotocol.io/state/server',
    'modelcontextprotocol.io/state/server/',
    'io.modelcontextprotocol/state.server',
  ],
} as const;

export const TRACEPARENT = 'traceparent';
export const TRACESTATE = 'tracestate';
export const BAGGAGE = 'baggage';

export const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
export const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';
export const PROGRESS_TOKEN = 'progressToken';

export const REQUIRED_CAPABILITIES = 'io.modelcontextprotocol/requiredCapabilities';
export const WHEN_CAPABILITIES_UNAVAILABLE = 'io.modelcontextprotocol/whenCapabilitiesUnavailable';

// BASE-06
/** Our own keys; third parties use their own prefix. */
export const OWN_PREFIX = 'dev.waybill/';
export const EXTENSION_ID = 'dev.waybill/context';
export const STATE_CONFLICTS = 'dev.waybill/state.conflicts';
/** Per-request capabilities on a 2025-11-25 connection, where the reserved key would be rejected. */
export const OWN_CLIENT_CAPABILITIES = 'dev.waybill/clientCapabilities';
/** The reason why the client half disabled a tool. It never leaves the process. */
export const UNAVAILABLE = 'dev.waybill/unavailable';

export const OPENAI_LOCALE = 'openai/locale';
export const OPENAI_LOCATION = 'openai/userLocation';
export const OPENAI_AGENT = 'openai/userAgent';
