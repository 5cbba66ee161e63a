/** Environment: the literal form is lifted into `_meta`, defaults are filled in, and a tool's own time-zone argument is filled from it. */
import { keys } from 'waybill';
import { readRequest } from 'waybill/adapter';
import type { EnvironmentConfig } from '../config/types.js';
import { textAt } from '../json/spans.js';
import { at, isObject, own, textOf } from '../json/values.js';
import type { Message } from '../message.js';
import { paramHeader, paramHeadersOf, writeParamHeaders, type ParamHeaders } from '../pairs/toolHeaders.js';
import type { Hop, Rule } from './rule.js';

const SIBLING = keys.CLIENT_CONTEXT_SIBLING;
const CONTEXT: readonly string[] = ['params', '_meta', keys.CLIENT_CONTEXT];

/** `mayKnow`: the policy lets the upstream know this of the client. An argument must not tell what `_meta` may not. */
export function environmentRule({ mode, defaults, fill }: EnvironmentConfig, mayKnow: (field: 'timezone' | 'locale') => boolean): Rule {
  const declared = new Map<string, ParamHeaders>();
  /** The calls that this rule has changed. */
  const filled = new WeakSet<Hop>();

  function fillArguments(hop: Hop): void {
    const { message } = hop;
    const name = message.name ?? '';
    const wanted = own(fill, name) as EnvironmentConfig['fill'][string] | undefined;
    if (wanted === undefined) return;
    const { environment = {} } = readRequest(message.value);
    let isFilled = false;
    for (const [argument, { from, hide }] of Object.entries(wanted)) {
      const given = at(message.params, 'arguments', argument);
      const value = (mayKnow(from) ? environment[from] : undefined) ?? defaults[from];
      if (given !== undefined && !hide) continue;
      const path = ['params', 'arguments', argument];
      if (value !== undefined) message.set(path, value);
      // A caller cannot choose a parameter that it cannot see.
      else if (given !== undefined) message.remove(path);
      isFilled = true;
    }
    if (isFilled) filled.add(hop);
    writeHeaders(hop);
  }

  /** Headers repeat some arguments, so they follow what was filled in. */
  function writeHeaders(hop: Hop): boolean {
    const { message, headers } = hop;
    const repeated = declared.get(message.name ?? '');
    if (repeated === undefined || !filled.has(hop)) return false;
    const next = writeParamHeaders(repeated, own(message.params, 'arguments'));
    const before = { ...headers };
    for (const { header } of repeated) Reflect.deleteProperty(headers, paramHeader(header));
    Object.assign(headers, next);
    return repeated.some(({ header }) => headers[paramHeader(header)] !== before[paramHeader(header)]);
  }

  function learn(tools: readonly unknown[]): void {
    for (const tool of tools) {
      const name = textOf(own(tool, 'name'));
      if (name !== undefined && Object.hasOwn(fill, name)) declared.set(name, paramHeadersOf(own(tool, 'inputSchema')));
    }
  }

  function hide(tool: unknown): unknown {
    const name = textOf(own(tool, 'name'));
    const hidden = Object.entries((own(fill, name ?? '') as EnvironmentConfig['fill'][string] | undefined) ?? {}).filter(
      ([, { hide: is }]) => is,
    );
    const schema = own(tool, 'inputSchema');
    if (hidden.length === 0 || !isObject(tool) || !isObject(schema)) return tool;
    const names = new Set(hidden.map(([argument]) => argument));
    const { properties, required } = schema;
    const seen = isObject(properties)
      ? Object.fromEntries(Object.entries(properties).filter(([argument]) => !names.has(argument)))
      : properties;
    const left = Array.isArray(required) ? required.filter((argument) => !names.has(argument as string)) : undefined;
    const { required: _, ...rest } = schema;
    return { ...tool, inputSchema: { ...rest, properties: seen, ...(left !== undefined && left.length > 0 && { required: left }) } };
  }

  return {
    name: 'environment',
    request(hop) {
      const { message } = hop;
      if (message.kind !== 'request') return;
      lift(message);
      if (mode === 'strip' && message.meta[keys.CLIENT_CONTEXT] !== undefined) message.remove(CONTEXT);
      if (message.method !== 'tools/call') return;
      fillArguments(hop);
      if (mode === 'strip') return;
      // CTX-31: never `now`, which only the client knows.
      for (const [member, value] of Object.entries(defaults))
        if (at(message.meta, keys.CLIENT_CONTEXT, member) === undefined) message.set([...CONTEXT, member], value);
    },
    headersRefused(hop, tools) {
      if (!filled.has(hop)) return false;
      learn(tools);
      return writeHeaders(hop);
    },
    looksAt: ({ message }) => message.method === 'tools/list' && Object.keys(fill).length > 0,
    answer(message) {
      const tools = at(message.value, 'result', 'tools');
      if (!Array.isArray(tools)) return;
      learn(tools);
      message.become(['result', 'tools'], tools.map(hide));
    },
  };
}

/** D-03: `_meta` wins, then the member beside `params`, then the one in them, which only `tools/call` has. */
function lift(message: Message): void {
  // Most messages have neither: the value says so without a search through the text.
  const beside = own(message.value, SIBLING) === undefined ? undefined : textAt(message.text, [SIBLING]);
  const isInside = message.method === 'tools/call' && own(message.params, SIBLING) !== undefined;
  const inside = isInside ? textAt(message.text, ['params', SIBLING]) : undefined;
  if (beside === undefined && inside === undefined) return;
  if (beside !== undefined) message.remove([SIBLING]);
  if (inside !== undefined) message.remove(['params', SIBLING]);
  if (message.meta[keys.CLIENT_CONTEXT] === undefined) message.setText(CONTEXT, (beside ?? inside) as string);
}
