/** Name and attributes of a request, by the conventions. Nothing here may carry personal data unless it was asked for. */
import type { Attributes, Span } from '@opentelemetry/api';
import type { Exchange, Message } from '../transport/index.js';
import { EMPTY, isObject, own, type Meta } from '../wire/json.js';
import { PROTOCOL_VERSION } from '../wire/keys.js';
import { versionIn, type TracedConnection } from './connection.js';
import { fewValues, MAX_NAME } from './metrics.js';
import {
  EXECUTE_TOOL,
  MCP_METHOD,
  MCP_PROTOCOL_VERSION,
  MCP_RESOURCE_URI,
  MCP_SESSION_ID,
  OPERATION,
  PROMPT_NAME,
  REQUEST_ID,
  TOOL_ARGUMENTS,
  TOOL_NAME,
} from './names.js';
import type { Settings } from './options.js';

/** The longest captured value. */
const MAX_CAPTURED = 8192;
/** The number of different names of peers that become names of spans and values of metrics: a caller can invent any number of tools. */
const MAX_NAMES = 1000;

/** Returns the name of a request, and the attributes that it shares with others. */
export type Describe = (message: Message, exchange: Exchange, connection: TracedConnection) => Description;

export interface Description {
  readonly name: string;
  /** Has few different values, so it suits a metric. */
  readonly metric: Attributes;
}
interface Target {
  readonly key: string;
  readonly name: string;
}

/** Makes each description once. */
export function createDescribe(): Describe {
  const known = fewValues(MAX_NAMES);
  // Counted separately: a caller that invents tools must not use up the names of methods.
  const knownMethods = fewValues(MAX_NAMES);
  const descriptions: ByText<ByText<ByText<ByText<Description>>>> = new Map();
  let size = 0;
  return (message, exchange, connection) => {
    const { method } = exchange;
    const params = paramsOf(message);
    const target = targetOf(method, params);
    const version = versionOf(params, exchange, connection);
    const name = target?.name ?? '';
    const found = descriptions
      .get(connection.key)
      ?.get(version ?? '')
      ?.get(method)
      ?.get(name);
    if (found !== undefined) return found;
    const few = target && known(target.name);
    const made = descriptionOf(knownMethods(method), target?.key, few, version, connection);
    // A name beyond the limit becomes `_OTHER` and is not remembered.
    if (size < 4 * MAX_NAMES && made.metric[MCP_METHOD] === method && few === target?.name) {
      size++;
      below(below(below(descriptions, connection.key), version ?? ''), method).set(name, made);
    }
    return made;
  };
}

/** Maps in maps, by texts that already exist: one joined key would have to be built for each request. */
type ByText<T> = Map<string, T>;

function below<T>(level: ByText<ByText<T>>, key: string): ByText<T> {
  const found = level.get(key) ?? new Map<string, T>();
  level.set(key, found);
  return found;
}

function descriptionOf(
  method: string,
  key: string | undefined,
  few: string | undefined,
  version: string | undefined,
  connection: TracedConnection,
): Description {
  const metric: Attributes = { [MCP_METHOD]: method };
  if (version !== undefined) metric[MCP_PROTOCOL_VERSION] = version;
  Object.assign(metric, connection.attributes);
  if (key === undefined || few === undefined) return { name: method, metric };
  metric[key] = few;
  if (key === TOOL_NAME) metric[OPERATION] = EXECUTE_TOOL;
  return { name: `${method} ${few}`, metric };
}

/** Sets the attributes that only this request has, on a span that records. */
export function detail(
  span: Span,
  message: Message,
  exchange: Exchange,
  connection: TracedConnection,
  { metric }: Description,
  settings: Settings,
): void {
  span.setAttribute(REQUEST_ID, String(exchange.id).slice(0, MAX_NAME));
  const session = connection.sessionId();
  if (session !== undefined) span.setAttribute(MCP_SESSION_ID, session);
  const params = paramsOf(message);
  const target = targetOf(exchange.method, params);
  if (target !== undefined && metric[target.key] !== target.name) span.setAttribute(target.key, target.name.slice(0, MAX_NAME));
  const uri = resourceOf(exchange.method, params);
  if (uri !== undefined) span.setAttribute(MCP_RESOURCE_URI, uri);
  if (settings.capture.has('arguments') && target?.key === TOOL_NAME) span.setAttribute(TOOL_ARGUMENTS, captured(own(params, 'arguments')));
}

function paramsOf({ params }: Message): Meta {
  return isObject(params) ? params : EMPTY;
}

function targetOf(method: string, params: Meta): Target | undefined {
  const key = method === 'tools/call' ? TOOL_NAME : method === 'prompts/get' ? PROMPT_NAME : undefined;
  const name = key === undefined ? undefined : own(params, 'name');
  return key !== undefined && typeof name === 'string' ? { key, name } : undefined;
}

/** The envelope of 2026-07-28 names the revision; before it, `initialize` did, or on HTTP a header. */
function versionOf(params: Meta, exchange: Exchange, connection: TracedConnection): string | undefined {
  const meta = own(params, '_meta');
  const declared = isObject(meta) ? own(meta, PROTOCOL_VERSION) : undefined;
  const version = typeof declared === 'string' ? declared : (connection.version ?? versionIn(exchange));
  return version?.slice(0, 64);
}

/** Removes what identifies a user or a session: credentials, query and fragment. */
function resourceOf(method: string, params: Meta): string | undefined {
  const uri = method.startsWith('resources/') ? own(params, 'uri') : undefined;
  if (typeof uri !== 'string') return undefined;
  // Cut last: a long password could lose the @ that marks it.
  return withoutCredentials(uri)
    .replace(/[?#].*$/s, '')
    .slice(0, MAX_NAME);
}

/** The text before the path, if there are no credentials: a host, perhaps with a port. */
const HOST = /^(\[[^\]]*\]|[^:@]*)(:\d{0,5})?$/;

/** Credentials end at the last @ before the query, or at the last @ of all if a password has an unescaped ? or #. */
function withoutCredentials(uri: string): string {
  const scheme = /^[^/?#]*\/\//.exec(uri)?.[0];
  if (scheme === undefined) return uri;
  const rest = uri.slice(scheme.length);
  if (HOST.test(/^[^/?#]*/.exec(rest)?.[0] ?? '')) return uri;
  const path = /^[^?#]*/.exec(rest)?.[0] ?? '';
  return scheme + rest.slice((path.includes('@') ? path : rest).lastIndexOf('@') + 1);
}

export function captured(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // The value does not come from the wire and cannot be shown.
  }
  return (text ?? '').slice(0, MAX_CAPTURED);
}
