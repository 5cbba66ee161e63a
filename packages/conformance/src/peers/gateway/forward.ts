/** The message that the reference gateway sends to the upstream: as it came, but for the faults that are switched on. */
import { isObject, type Message } from '../../wire/json.js';
import { ACCEPT_LANGUAGE, CLIENT_CAPABILITIES, CLIENT_CONTEXT, isKnownKey, SESSION_STATE } from '../../wire/keys.js';
import type { Faults } from '../reply.js';

/** `state` is what the upstream has set for anybody: a fault hands it to everybody. `parent` is the traceparent of HTTP. */
export function forward(faults: Faults, message: Message, state: unknown, parent?: string): Message {
  const { params } = message;
  if (!isObject(params)) return message;
  const meta = metaOf(faults, message, params['_meta'], state);
  if (parent !== undefined && faults.has('trace-from-header')) meta['traceparent'] = parent;
  const passed = argumentsOf(faults, retryOf(faults, params));
  const empty = Object.keys(meta).length === 0 && params['_meta'] === undefined;
  return { ...message, params: empty ? passed : { ...passed, _meta: meta } };
}

function metaOf(faults: Faults, { method }: Message, sent: unknown, state: unknown): Message {
  const changed: Message = { ...(isObject(sent) && sent) };
  changeTrace(faults, changed, method === 'tools/call' ? 'call' : 'list');
  changeRest(faults, changed);
  if (faults.has('state-shared') && state !== undefined) changed[SESSION_STATE] ??= state;
  const dropped = (key: string) =>
    changed[key] === undefined ||
    (key === ACCEPT_LANGUAGE && (faults.has('removes-language') || faults.has('language-removes-body-only'))) ||
    (faults.has('drops-unknown') && !isKnownKey(key));
  return Object.fromEntries(Object.entries(changed).filter(([key]) => !dropped(key)));
}

function changeTrace(faults: Faults, meta: Message, kind: 'call' | 'list'): void {
  const { traceparent, tracestate, baggage } = meta;
  if (faults.has('trace-lost') || faults.has(`trace-lost-on-${kind}`)) meta['traceparent'] = meta['tracestate'] = undefined;
  else if (faults.has('trace-malformed') && typeof traceparent === 'string') meta['traceparent'] = `x${traceparent.slice(1)}`;
  if (faults.has('trace-state-lost')) meta['tracestate'] = undefined;
  if (faults.has('trace-cuts-state') && typeof tracestate === 'string') meta['tracestate'] = tracestate.slice(0, 256);
  if (faults.has('baggage-adds')) meta['baggage'] = [baggage, 'user=alice'].filter(Boolean).join(',');
  if (faults.has('baggage-bare') && typeof baggage === 'string')
    meta['baggage'] = baggage
      .split(',')
      .map((member) => member.split(';')[0])
      .join(',');
}

function changeRest(faults: Faults, meta: Message): void {
  const { [ACCEPT_LANGUAGE]: language, [CLIENT_CONTEXT]: context, [CLIENT_CAPABILITIES]: declared, progressToken: token } = meta;
  if (faults.has('language-rewrites') && typeof language === 'string') meta[ACCEPT_LANGUAGE] = language.replaceAll(', ', ',');
  if (faults.has('environment-restamps') && isObject(context))
    meta[CLIENT_CONTEXT] = { ...context, currentTimestamp: new Date().toISOString() };
  if (faults.has('capabilities-adds') && isObject(declared)) meta[CLIENT_CAPABILITIES] = { ...declared, sampling: {} };
  if (faults.has('token-as-number') && token !== undefined && !Number.isNaN(Number(token))) meta['progressToken'] = Number(token);
}

function argumentsOf(faults: Faults, params: Message): Message {
  const args = params['arguments'];
  if (!faults.has('arguments-as-text') || !isObject(args)) return params;
  const texts = Object.entries(args).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]);
  return { ...params, arguments: Object.fromEntries(texts) as Message };
}

/** Faults of gateways that know only some members of a call. */
function retryOf(faults: Faults, params: Message): Message {
  const { requestState, inputResponses, ...rest } = params;
  if (faults.has('drops-request-state')) return { ...rest, ...(inputResponses !== undefined && { inputResponses }) };
  if (!faults.has('changes-responses') || inputResponses === undefined) return params;
  return { ...rest, requestState, inputResponses: JSON.stringify(inputResponses) };
}
