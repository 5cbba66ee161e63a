/** `credentials`: headers that an upstream gets with each request. */
import { isFieldValue } from 'waybill/adapter';
import type { Headers } from '../answer.js';
import { isObject } from '../json/values.js';
import type { Problem } from './problem.js';

export const isFieldName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);

/** Headers that each request has already, or that say how it is sent. */
const OURS = /^(?:accept|accept-language|connection|content-.*|keep-alive|mcp-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Lower case. A header that cannot be sent would make each request fail, and nobody would look for the reason here. */
export function credentialsOf(given: unknown, path: readonly string[], problems: Problem[]): Headers {
  if (!isObject(given)) return {};
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given) as [string, string][]) {
    const tell = (text: string, member?: string): void =>
      void problems.push({ path: member === undefined ? [...path, name] : path, text, ...(member !== undefined && { member }) });
    if (!isFieldName(name)) tell('is not a header name', name);
    else if (OURS.test(name)) tell('is a header that the gateway writes itself', name);
    else if (!isFieldValue(value) || value.trim() !== value)
      tell('has a line break, a blank at an end or a letter that no header may have');
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
