import type { WireOptions } from './concern.js';

interface RefusalRow {
  readonly code: number;
  readonly seedCode?: number;
  readonly status: number;
  readonly message: string;
}

// D-01, D-13
/** Every refusal this layer can make. Any other mistake of a peer is an issue, not an error. */
export const refusals = {
  // LANG-46
  /** `Accept-Language` and the body disagree. The seed's code is the one SEP-2792 first asked for. */
  'language-mismatch': { code: -32020, seedCode: -32005, status: 400, message: 'Accept-Language header and _meta disagree' },
  // BASE-03, CAP-03
  /** This request does not declare a capability that it needs. */
  'missing-capability': { code: -32021, status: 400, message: 'Missing required client capability' },
  /** With `strict: true` only: a context value is malformed. */
  'invalid-context': { code: -32602, status: 400, message: 'Invalid request context' },
  // LANG-49
  /** `Content-Language` and the body of an answer disagree. The client makes this error for its own caller; it never crosses the wire. */
  'malformed-response': { code: -32603, status: 502, message: 'Malformed response: Content-Language header and _meta disagree' },
  'invalid-json': { code: -32700, status: 400, message: 'Parse error: the body is not JSON' },
  'unread-body': { code: -32700, status: 400, message: 'Parse error: the body could not be read to its end' },
  'too-deep': { code: -32600, status: 400, message: 'Invalid Request: the body is nested too deeply' },
  'too-large': { code: -32600, status: 413, message: 'Invalid Request: the body is too large' },
  'too-slow': { code: -32600, status: 408, message: 'Invalid Request: the body took too long to arrive' },
  'too-busy': { code: -32603, status: 503, message: 'Internal error: the server is reading too many bodies at once' },
} as const satisfies Record<string, RefusalRow>;

export type Refusal = keyof typeof refusals;

/** A refusal that the proposals demand, as a JSON-RPC error and as an HTTP status. */
export class ContextError extends Error {
  override readonly name: string = 'ContextError';
  readonly reason: Refusal;
  readonly code: number;
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(reason: Refusal, data: Readonly<Record<string, unknown>> = {}, options: WireOptions & { message?: string } = {}) {
    const row: RefusalRow = refusals[reason];
    super(options.message ?? row.message);
    this.reason = reason;
    this.code = options.wire === 'seed' ? (row.seedCode ?? row.code) : row.code;
    this.status = row.status;
    this.data = data;
  }
}

/** The JSON-RPC answer for a refusal. The id is `null` if the request has no readable one. */
export function errorAnswer(id: unknown, error: ContextError): Record<string, unknown> {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  const data = Object.keys(error.data).length > 0 ? { data: error.data } : {};
  return { jsonrpc: '2.0', id: known, error: { code: error.code, message: error.message, ...data } };
}
