import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { EdgeHooks, ResponseHead } from '../edge.js';
import { addDirective, addVary, isMediaType } from '../../wire/headers.js';

type Loose = (status: number, ...rest: unknown[]) => ServerResponse;

/**
 * Passes the head of a `node:http` answer to the hook just before it leaves. Every way out, `writeHead` or the first byte of a body, uses
 * the `writeHead` of the response object. Without a `body`, for a GET, only streams are changed.
 */
export function interceptHead(response: ServerResponse, body: unknown, hooks: EdgeHooks): void {
  if (hooks.head === undefined) return;
  const writeHead = response.writeHead.bind(response) as Loose;
  response.writeHead = (status: number, ...rest: unknown[]): ServerResponse => {
    // Called once, for the real status: a status of 1xx comes before it.
    if (status < 200) return writeHead(status, ...rest);
    response.writeHead = writeHead;
    const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
    const given = pairs(rest[1] ?? rest[0]);
    const head = { status, ...fieldsOf(response, given) };
    if (body === undefined && !isMediaType(head.get('Content-Type'), 'text/event-stream')) return writeHead(status, ...rest);
    if (given !== undefined) keepFront(response, given);
    try {
      hooks.head?.(head, body);
    } catch (error) {
      hooks.onFault?.(error);
    }
    const phrase = reason !== undefined && head.status === status ? [reason] : [];
    return writeHead(head.status, ...phrase, ...(given === undefined ? [] : [Object.fromEntries(given)]));
  };
}

/**
 * Keeps headers that code in front has set (`Vary: Origin`, `Cache-Control: no-store`): the arguments of `writeHead`, also those of an
 * inner edge, must not replace them (LANG-62, LANG-63). A `Cache-Control` that is not about privacy is left to its author.
 */
function keepFront(response: ServerResponse, given: Map<string, OutgoingHttpHeader>): void {
  for (const [key, value] of given) {
    const name = key.toLowerCase();
    const before = response.getHeader(name);
    const add = name === 'vary' ? addVary : name === 'cache-control' && PRIVATE.test(String(value)) ? addDirective : undefined;
    if (before === undefined || add === undefined) continue;
    const fields = [value].flat().join(',').split(',');
    given.set(
      key,
      fields.reduce((all, field) => add(all, field.trim()), [before].flat().join(', ')),
    );
  }
}

const PRIVATE = /\b(?:private|no-store)\b/i;

/** Arguments of `writeHead` beat headers that were set on the response, so a value is changed in its own place. */
export function fieldsOf(response: ServerResponse, given: Map<string, OutgoingHttpHeader> | undefined): Omit<ResponseHead, 'status'> {
  const spelled = (name: string): string | undefined => [...(given?.keys() ?? [])].find((key) => key.toLowerCase() === name.toLowerCase());
  return {
    get(name) {
      const key = spelled(name);
      const value = key === undefined ? response.getHeader(name) : given?.get(key);
      return value === undefined ? undefined : Array.isArray(value) ? value.join(', ') : String(value);
    },
    set(name, value) {
      const key = spelled(name);
      if (key === undefined) response.setHeader(name, value);
      else given?.set(key, value);
    },
    remove(name) {
      const key = spelled(name);
      if (key !== undefined) given?.delete(key);
      response.removeHeader(name);
    },
  };
}

/**
 * Reads the three shapes that `writeHead` takes: an object, a flat list, a list of pairs. Repeated names of a list become one list of
 * values.
 */
export function pairs(headers: unknown): Map<string, OutgoingHttpHeader> | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if (!Array.isArray(headers)) return new Map(Object.entries(headers as Record<string, OutgoingHttpHeader>));
  const flat = headers.flat() as OutgoingHttpHeader[];
  const found = new Map<string, OutgoingHttpHeader>();
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const name = String(flat[at]);
    const value = flat[at + 1] as OutgoingHttpHeader;
    const before = found.get(name);
    found.set(name, before === undefined ? value : [before, value].flat().map(String));
  }
  return found;
}
