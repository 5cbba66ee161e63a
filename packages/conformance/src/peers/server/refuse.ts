/** Requests that the reference server refuses: for their headers as every server does, for the rest only with a fault. */
import { at, isObject, type Message } from '../../wire/json.js';
import { CLIENT_CONTEXT, HEADER_MISMATCH, INVALID_PARAMS, isKnownKey, PROTOCOL_VERSION, SESSION_STATE } from '../../wire/keys.js';
import { isTraceparent } from '../../wire/trace.js';
import type { Faults, Lines } from '../reply.js';
import { Refusal } from './request.js';

/** BASE-08 */
export function requireHeaders(faults: Faults, { method, params }: Message, meta: Message, lines: Lines): void {
  if (faults.has('ignores-headers')) return;
  const name = at(params, method === 'resources/read' ? 'uri' : 'name');
  const named = typeof name === 'string' && !faults.has('ignores-name-header');
  const expected = { 'mcp-protocol-version': meta[PROTOCOL_VERSION], 'mcp-method': method, ...(named && { 'mcp-name': name }) };
  for (const [header, value] of Object.entries(expected)) {
    const sent = lines(header);
    if (sent.length === 0 && faults.has('ignores-missing-headers')) continue;
    if (!headerAgrees(faults, sent.join(', '), value)) throw new Refusal(HEADER_MISMATCH, `${header} differs`, 400);
  }
}

/** A name that does not fit into a header comes in Base64. */
function headerAgrees(faults: Faults, sent: string, value: unknown): boolean {
  const encoded = faults.has('reads-no-base64') ? undefined : /^=\?base64\?(.*)\?=$/.exec(sent)?.[1];
  const read = encoded === undefined ? sent : Buffer.from(encoded, 'base64').toString('utf8');
  if (faults.has('headers-without-case')) return read.toLowerCase() === String(value).toLowerCase();
  return read === value;
}

/** Faults of servers that are strict where they should not be. */
export function refuseKeys(faults: Faults, message: Message, meta: Message, modern: boolean, capabilities: Message | undefined): void {
  const names = Object.keys(meta);
  if (faults.has('refuses-unknown-meta') && !names.every(isKnownKey)) throw new Refusal(INVALID_PARAMS, 'unknown key');
  if (faults.has('refuses-client-context') && CLIENT_CONTEXT in meta && message['method'] !== 'tools/call')
    throw new Refusal(INVALID_PARAMS, 'clientContext');
  if (faults.has('refuses-extensions') && capabilities?.['extensions'] !== undefined)
    throw new Refusal(INVALID_PARAMS, 'unknown extension');
  const list = message['method'] === 'tools/list';
  if (faults.has('legacy-refuses-keys') && list && !modern && names.some((name) => name.startsWith('io.modelcontextprotocol/')))
    throw new Refusal(INVALID_PARAMS, 'protocolVersion is missing');
  if (faults.has('state-trusts') && SESSION_STATE in meta && !isObject(meta[SESSION_STATE])) throw new TypeError('state is no object');
}

/** Faults of servers that refuse trace context. */
export function refuseTrace(faults: Faults, { traceparent, tracestate, baggage }: Message, lines: Lines | undefined): void {
  if (faults.has('trace-refuses-long') && [tracestate, baggage].some((value) => typeof value === 'string' && value.length > 500))
    throw new Refusal(INVALID_PARAMS, 'too long');
  if (traceparent === undefined) return;
  if (faults.has('trace-refuses-numbers') && typeof traceparent !== 'string') throw new Refusal(INVALID_PARAMS, 'traceparent is no text');
  if (faults.has('trace-refuses-later') && typeof traceparent === 'string' && traceparent.length > 55)
    throw new Refusal(INVALID_PARAMS, 'traceparent is too long');
  if (faults.has('trace-refuses') || faults.has('trace-refuses-on-calls'))
    throw new Refusal(INVALID_PARAMS, 'traceparent is not known here');
  if (faults.has('trace-refuses-malformed') && !isTraceparent(traceparent)) throw new Refusal(INVALID_PARAMS, 'traceparent is malformed');
  const [sent] = lines?.('traceparent') ?? [];
  if (faults.has('trace-demands-agreement') && sent !== undefined && sent !== traceparent)
    throw new Refusal(HEADER_MISMATCH, 'traceparent', 400);
}
