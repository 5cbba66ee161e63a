/** Raw clients and raw upstreams over `node:http`: no SDK, so a test sees and sends exactly the bytes that it names. */
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { keys } from 'waybill';
import type { GatewayOptions } from '@waybill/gateway';
import { startGateway } from './through.js';

export type Json = any;
export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';
export const ENVELOPE = { [keys.PROTOCOL_VERSION]: MODERN, [keys.CLIENT_CAPABILITIES]: {} };
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** `message` is undefined for a request without a body; `text` is the body as it came. */
type Answer = (message: Json, response: ServerResponse, request: IncomingMessage, text: string) => void;

/** Told of notifications, and of answers to questions. */
type Notified = (message: Json) => void;

const servers: Server[] = [];
const gateways: Awaited<ReturnType<typeof startGateway>>[] = [];
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

export async function open(upstreams: object, more: object = {}, options: GatewayOptions = {}) {
  const gateway = await startGateway({ upstreams, ...more }, options);
  gateways.push(gateway);
  return gateway;
}

/** An upstream over HTTP. */
export async function web(answer: Answer): Promise<string> {
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (chunk) => (text += String(chunk)));
    incoming.on('end', () => answer(text === '' ? undefined : JSON.parse(text), response, incoming, text));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

export function say(response: ServerResponse, { id }: Json, result: object, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** A 2026 server: `answer` has the requests that are not `server/discover`. */
export const modernWeb = (answer: Answer, capabilities: object = {}, notified: Notified = () => undefined) =>
  web((message, response, incoming, text) => {
    if (message === undefined) response.writeHead(405).end();
    else if (message.id === undefined) {
      notified(message);
      response.writeHead(202).end();
    } else if (message.method === 'server/discover')
      say(response, message, { resultType: 'complete', supportedVersions: [MODERN], capabilities });
    else answer(message, response, incoming, text);
  });

/** A 2025 server without a stream of its own: `answer` has the requests that are not `initialize`. */
export const legacyWeb = (answer: Answer, notified: Notified = () => undefined) =>
  web((message, response, incoming, text) => {
    if (message === undefined) response.writeHead(incoming.method === 'GET' ? 405 : 200).end();
    else if (message.id === undefined || message.method === undefined) {
      notified(message);
      response.writeHead(202).end();
    } else if (message.method === 'server/discover') response.writeHead(400, JSON_HEADERS).end(errorOf(message));
    else if (message.method === 'initialize')
      say(response, message, { ...INITIALIZE, serverInfo: INITIALIZE.clientInfo }, { 'mcp-session-id': message.params.clientInfo.name });
    else answer(message, response, incoming, text);
  });

const errorOf = ({ id }: Json): string => JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600, message: 'no' } });

export interface Sending {
  readonly id?: Json;
  readonly meta?: object;
  readonly headers?: Record<string, string>;
  readonly session?: string;
  /** The text of the body in place of a message. */
  readonly body?: string;
  /** `text`: all that has come so far. */
  readonly onData?: (response: IncomingMessage, text: string) => void;
  readonly signal?: AbortSignal;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export function send(url: string, method: string, { headers = {}, body, onData, signal }: Sending): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ...(signal && { signal }) }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
        onData?.(response, text);
      });
      const done = (): void => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      response.on('end', done).on('error', done);
    });
    sent.on('error', reject).end(body);
  });
}

/** One message of a 2026 client. */
export function modern(
  url: string,
  method: string,
  params: Json = {},
  { id = 1, meta, headers, ...rest }: Sending = {},
): Promise<Received> {
  const name = /^(?:tools\/call|prompts\/get)$/.test(method) ? params.name : undefined;
  const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...ENVELOPE, ...meta } } };
  const mirrored = { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(name && { 'mcp-name': name }) };
  return send(url, 'POST', { body: JSON.stringify(message), ...rest, headers: { ...JSON_HEADERS, ...mirrored, ...headers } });
}

/** One message of a 2025 client. `id: null` makes a notification. */
export function legacy(
  url: string,
  method: string,
  params: Json = {},
  { id = 1, session, headers, ...rest }: Sending = {},
): Promise<Received> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...(id !== null && { id }), method, params });
  const given = { ...JSON_HEADERS, 'mcp-protocol-version': LEGACY, ...(session && { 'mcp-session-id': session }), ...headers };
  return send(url, 'POST', { body, ...rest, headers: given });
}

export const INITIALIZE = { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'c', version: '1' } };

/** Begins a session, and returns its id. */
export async function begin(url: string, capabilities: object = {}): Promise<string> {
  const { headers } = await legacy(url, 'initialize', { ...INITIALIZE, capabilities });
  const session = String(headers['mcp-session-id']);
  await legacy(url, 'notifications/initialized', {}, { id: null, session });
  return session;
}

export const listen = (url: string, session: string): Promise<Received> =>
  send(url, 'GET', { headers: { accept: 'text/event-stream', 'mcp-session-id': session } });
