/** Headers in the reference gateway: whether they repeat the body, and which go on to the upstream. */
import type { HeaderLine } from '../../wire/exchange.js';
import { at, type Message } from '../../wire/json.js';
import { ACCEPT_LANGUAGE, PROTOCOL_VERSION } from '../../wire/keys.js';
import type { Faults, Lines } from '../reply.js';

const FORWARDED = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id', 'accept-language'];

/** The headers that repeat the body, as the body has them. */
function ofBody({ method, params }: Message): Readonly<Record<string, unknown>> {
  return {
    'mcp-protocol-version': at(params, '_meta', PROTOCOL_VERSION),
    'mcp-method': method,
    ...(method === 'tools/call' && { 'mcp-name': at(params, 'name') }),
  };
}

const ignored = (faults: Faults, name: string): boolean => {
  if (faults.has('ignores-headers')) return true;
  return (name === 'mcp-method' && faults.has('ignores-method-header')) || (name === 'mcp-name' && faults.has('ignores-name-header'));
};

/** BASE-09: the name of a header that differs from the body. */
export function differing(faults: Faults, message: Message, lines: Lines): string | undefined {
  const names = Object.entries(ofBody(message)).filter(([name, value]) => lines(name).join() !== value);
  return names.map(([name]) => name).find((name) => !ignored(faults, name));
}

export function upstreamHeaders(faults: Faults, lines: Lines, forwarded: Message): HeaderLine[] {
  const sent = FORWARDED.filter((name) => !(name === 'accept-language' && faults.has('removes-language')));
  const body = ofBody(forwarded);
  const modern = body['mcp-protocol-version'] !== undefined;
  const language = at(forwarded, 'params', '_meta', ACCEPT_LANGUAGE);
  const own = sent.flatMap((name) => lines(name).map((value) => [name, value] as const));
  if (faults.has('language-adds-star') && lines('accept-language').length === 0) own.push(['accept-language', '*']);
  return own.map(([name, value]) => {
    if (name === 'mcp-name' && faults.has('wrong-upstream-headers')) return [name, 'something'];
    // A header that is not compared is written anew: the difference is gone before anybody sees it.
    if (modern && name in body && ignored(faults, name)) return [name, String(body[name])];
    return [name, faults.has('language-stale-header') && name === 'accept-language' && typeof language === 'string' ? 'en' : value];
  });
}
