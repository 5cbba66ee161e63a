/** What a request is called and which attributes it has, by the conventions. Nothing here may carry personal data unless it was asked for. */
import type { Attributes } from '@opentelemetry/api';
import type { Exchange, Message } from '../transport/index.js';
import { isObject, own, type Meta } from '../wire/json.js';
import { PROTOCOL_VERSION } from '../wire/keys.js';
import { headersOf, versionIn, type Connection } from './connection.js';
import {
  EXECUTE_TOOL,
  MCP_METHOD,
  MCP_PROTOCOL_VERSION,
  MCP_RESOURCE_URI,
  MCP_SESSION_ID,
  OPERATION,
  OTHER,
  PROMPT_NAME,
  REQUEST_ID,
  TOOL_ARGUMENTS,
  TOOL_NAME,
} from './names.js';
import type { Settings } from './options.js';

export interface Description {
  readonly name: string;
  /** Few distinct values: fit for a metric. */
  readonly metric: Attributes;
  readonly span: Attributes;
}

/** Longest name of a peer's on a span, and longest captured value. */
const MAX_NAME = 256;
const MAX_CAPTURED = 8192;
/** How many distinct names of peers become names of spans and values of metrics: a caller can invent any number of tools. */
const MAX_NAMES = 1000;

/** Whether a name may be one more; the same answer for the same name. */
export type Known = (name: string) => string;

export function knownNames(limit: number = MAX_NAMES): Known {
  const seen = new Set<string>();
  return (name) => {
    if (seen.has(name)) return name;
    if (seen.size >= limit || name.length > MAX_NAME) return OTHER;
    seen.add(name);
    return name;
  };
}

export function describe(message: Message, exchange: Exchange, connection: Connection, known: Known, settings: Settings): Description {
  const params = isObject(message['params']) ? message['params'] : {};
  const method = known(exchange.method);
  const target = targetOf(exchange.method, params);
  const metric: Attributes = { [MCP_METHOD]: method };
  const version = versionOf(params, exchange, connection);
  if (version !== undefined) metric[MCP_PROTOCOL_VERSION] = version;
  Object.assign(metric, connection.attributes);
  let name = method;
  if (target !== undefined) {
    const few = known(target.name);
    name = `${method} ${few}`;
    metric[target.key] = few;
    if (target.key === TOOL_NAME) metric[OPERATION] = EXECUTE_TOOL;
  }
  const span: Attributes = { ...metric, [REQUEST_ID]: String(exchange.id).slice(0, MAX_NAME) };
  if (target !== undefined) span[target.key] = target.name.slice(0, MAX_NAME);
  const session = connection.sessionId();
  if (session !== undefined) span[MCP_SESSION_ID] = session;
  const uri = resourceOf(exchange.method, params);
  if (uri !== undefined) span[MCP_RESOURCE_URI] = uri;
  if (settings.capture.has('arguments') && target?.key === TOOL_NAME) span[TOOL_ARGUMENTS] = captured(own(params, 'arguments'));
  return { name, metric, span };
}

function targetOf(method: string, params: Meta): { key: string; name: string } | undefined {
  const key = method === 'tools/call' ? TOOL_NAME : method === 'prompts/get' ? PROMPT_NAME : undefined;
  const name = key === undefined ? undefined : own(params, 'name');
  return key !== undefined && typeof name === 'string' ? { key, name } : undefined;
}

/** The envelope of 2026-07-28 tells; before it, `initialize` did, or on HTTP a header. */
function versionOf(params: Meta, exchange: Exchange, connection: Connection): string | undefined {
  const meta = own(params, '_meta');
  const declared = isObject(meta) ? own(meta, PROTOCOL_VERSION) : undefined;
  const version = typeof declared === 'string' ? declared : (connection.version ?? versionIn(headersOf(exchange)));
  return version?.slice(0, 64);
}

/** Without what identifies a user or a session: credentials, query and fragment stay off the span. */
function resourceOf(method: string, params: Meta): string | undefined {
  const uri = method.startsWith('resources/') ? own(params, 'uri') : undefined;
  if (typeof uri !== 'string') return undefined;
  return uri
    .slice(0, MAX_NAME)
    .replace(/[?#].*$/s, '')
    .replace(/^([^/]*:\/\/)[^/]*@/, '$1');
}

export function captured(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // Not from the wire, then, and nothing that could be told.
  }
  return (text ?? '').slice(0, MAX_CAPTURED);
}
