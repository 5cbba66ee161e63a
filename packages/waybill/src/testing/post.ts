import { isStream } from '../transport/events.js';
import type { Message } from '../transport/index.js';
import { ACCEPT_LANGUAGE_HEADER, mirroredLanguage } from '../wire/headers.js';
import { isObject } from '../wire/json.js';
import type { Era } from './context.js';
import { copied, type SeenMessage, type Link } from './link.js';

type Fetch = (request: Request) => Response | Promise<Response>;

/** Connects to a fetch-shaped handler: each request is one POST, and no socket is opened. */
export function post(handler: { fetch: Fetch }, era: Era, lines: SeenMessage[]): Link {
  return {
    ask: async (given) => {
      const message = copied(given);
      lines.push({ from: 'client', message });
      const response = await handler.fetch(requestOf(message, era));
      const text = await response.text();
      const answers = isStream(response) ? eventsIn(text) : [parsed(text, response.status)];
      for (const answer of answers) lines.push({ from: 'server', message: answer });
      const answer = answers.find(({ id, method }) => id === message['id'] && method === undefined);
      if (answer === undefined) throw new Error(`callTool: the handler returned no JSON-RPC answer, only HTTP ${response.status}`);
      return answer;
    },
    close: () => Promise.resolve(),
  };
}

function requestOf(message: Message, era: Era): Request {
  const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' });
  headers.set('MCP-Protocol-Version', era);
  const { name } = message['params'] as { name?: unknown };
  if (era === '2026-07-28') headers.set('Mcp-Method', message['method'] as string);
  if (era === '2026-07-28' && typeof name === 'string') headers.set('Mcp-Name', fieldOf(name));
  const language = mirroredLanguage(message);
  if (language !== undefined) headers.set(ACCEPT_LANGUAGE_HEADER, language);
  return new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(message) });
}

/** A name with characters that no header may have is sent as `=?base64?…?=`. */
function fieldOf(name: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(name)) return name;
  return `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(name)))}?=`;
}

function eventsIn(text: string): Message[] {
  const data = text.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  return data.map((line) => line.slice(5).trim()).flatMap((line) => (line === '' ? [] : [parsed(line, 200)]));
}

function parsed(text: string, status: number): Message {
  try {
    const message: unknown = JSON.parse(text);
    if (isObject(message)) return message;
  } catch {
    // The error below quotes the text.
  }
  throw new Error(`callTool: the handler answered HTTP ${status} with something that is not a JSON-RPC message: ${text.slice(0, 200)}`);
}
