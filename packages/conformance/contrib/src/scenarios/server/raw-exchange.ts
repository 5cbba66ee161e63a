/** One request by node:http. `fetch` adds an Accept-Language header of its own and cannot send two lines of one name. */
import http from 'node:http';
import { at, isObject, type Json } from '../json.js';

export interface Answer {
  status: number;
  contentType: string;
  /** All lines of a response header. */
  lines(name: string): string[];
  message: Json | undefined;
  /** Notifications before the answer. */
  notifications: Json[];
}

const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };
let nextId = 1;

export function send(serverUrl: string, method: string, params: Json = {}, meta: Json = {}, headers: string[] = []): Promise<Answer> {
  const id = nextId++;
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'conformance-test-client', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...envelope, ...meta } } });
  const name = params[NAMED[method] ?? ''];
  const lines = [
    ...['Host', new URL(serverUrl).host, 'Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))],
    ...['Accept', 'application/json, text/event-stream'],
    ...['MCP-Protocol-Version', '2026-07-28', 'Mcp-Method', method, ...(typeof name === 'string' ? ['Mcp-Name', name] : [])],
    ...headers,
  ];
  return new Promise((resolve, reject) => {
    const request = http.request(serverUrl, { method: 'POST', headers: lines, timeout: 10_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject).on('end', () => {
        const contentType = response.headers['content-type'] ?? '';
        const messages = parse(text, contentType.startsWith('text/event-stream'));
        const flat = response.rawHeaders;
        resolve({
          status: response.statusCode ?? 0,
          contentType,
          lines: (wanted) => flat.flatMap((key, index) => (index % 2 === 0 && key.toLowerCase() === wanted ? [flat[index + 1] ?? ''] : [])),
          message: messages.find((one) => at(one, 'id') === id),
          notifications: messages.filter((one) => at(one, 'id') === undefined),
        });
      });
    });
    request.on('timeout', () => request.destroy(new Error(`no answer to ${method}`))).on('error', reject);
    request.end(body);
  });
}

function parse(text: string, stream: boolean): Json[] {
  const parts = stream ? text.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : [])) : [text];
  return parts.flatMap((part) => {
    try {
      const value: unknown = JSON.parse(part);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}
