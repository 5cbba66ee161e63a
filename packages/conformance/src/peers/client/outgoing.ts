/** Parts of a request of the reference client that need nothing of its memory: client context and headers. */
import type { HeaderLine } from '../../wire/exchange.js';
import { at, type Message } from '../../wire/json.js';
import { ACCEPT_LANGUAGE, LEGACY, MODERN } from '../../wire/keys.js';
import type { Faults } from '../reply.js';

/** The client context of a call; `started` is the moment at which the client did. */
export function environment(faults: Faults, started: string): Message {
  if (faults.has('environment-only-location')) return { userLocation: { country: 'AT' } };
  const now = faults.has('environment-old-time') ? started : new Date().toISOString();
  return {
    timezone: faults.has('environment-offset-as-zone') ? '+02:00' : 'Europe/Vienna',
    currentTimestamp: faults.has('environment-local-time') ? now.replace('Z', '') : now,
    locale: faults.has('environment-underscore') ? 'de_AT' : 'de-AT',
    userLocation: { country: faults.has('environment-country-name') ? 'Austria' : 'AT' },
  };
}

/** The headers of a request. `session` is the id that the server gave in the handshake of 2025-11-25. */
export function headers(faults: Faults, method: string, params: Message, modern: boolean, session: string | undefined): HeaderLine[] {
  const language = at(params, '_meta', ACCEPT_LANGUAGE);
  const lines =
    typeof language !== 'string' || faults.has('language-no-header')
      ? []
      : faults.has('language-two-lines')
        ? language.split(', ')
        : [language];
  return [
    ['MCP-Protocol-Version', modern ? MODERN : LEGACY],
    ...(session === undefined ? [] : [['Mcp-Session-Id', session] as const]),
    ...(modern ? [['Mcp-Method', faults.has('wrong-headers') ? 'tools/call' : method] as const] : []),
    ...(modern && method === 'tools/call' ? [['Mcp-Name', String(params['name'])] as const] : []),
    ...lines.map((line) => ['Accept-Language', line] as const),
  ];
}
