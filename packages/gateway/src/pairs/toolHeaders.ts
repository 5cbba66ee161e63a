/** The arguments that a tool wants repeated in headers: `x-mcp-header` in its input schema, `Mcp-Param-*` on the request. */
import type { Headers } from '../answer.js';
import { at, own, textOf, type JsonRecord } from '../json/values.js';
import { makeMessage, type Message } from '../message.js';
import { headerText } from './envelope.js';

export type ParamHeaders = readonly { readonly path: readonly string[]; readonly header: string }[];

const MAX_PAGES = 1_000;

export function paramHeadersOf(schema: unknown, path: readonly string[] = []): ParamHeaders {
  const properties = (schema as { properties?: unknown } | undefined)?.properties;
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties as JsonRecord).flatMap(([name, inner]) => {
    const header = (inner as JsonRecord | null)?.['x-mcp-header'];
    const here = typeof header === 'string' && /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(header) ? [{ path: [...path, name], header }] : [];
    return [...here, ...paramHeadersOf(inner, [...path, name])];
  });
}

export function paramHeader(name: string): string {
  return `mcp-param-${name.toLowerCase()}`;
}

export function writeParamHeaders(declared: ParamHeaders, args: unknown): Headers {
  const headers: Record<string, string> = {};
  for (const { path, header } of declared) {
    const value = path.reduce<unknown>((inner, name) => (inner as JsonRecord | undefined)?.[name], args);
    if (typeof value === 'string') headers[paramHeader(header)] = headerText(value);
    else if (typeof value === 'number' || typeof value === 'boolean') headers[paramHeader(header)] = String(value);
  }
  return headers;
}

/** All tools of an upstream, page by page. `send` makes one request and returns its answer. */
export async function listTools(send: (request: Message) => Promise<Message>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const { value } = await send(makeMessage({ jsonrpc: '2.0', id: `tools ${page}`, method: 'tools/list', params }));
    const tools = at(value, 'result', 'tools');
    if (Array.isArray(tools)) all.push(...(tools as unknown[]));
    cursor = at(value, 'result', 'nextCursor');
    if (typeof cursor !== 'string') break;
  }
  return all;
}

/** The tools of a list that want something repeated, by name. */
export function paramHeadersByTool(tools: readonly unknown[]): ReadonlyMap<string, ParamHeaders> {
  const found = new Map<string, ParamHeaders>();
  for (const tool of tools) {
    const name = textOf(own(tool, 'name'));
    const declared = paramHeadersOf(own(tool, 'inputSchema'));
    if (name !== undefined && declared.length > 0) found.set(name, declared);
  }
  return found;
}
