import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventRewriter } from '../events.js';
import { interceptBody } from './body.js';

type Answering = (response: ServerResponse) => void;

const JSON_TYPE = 'application/json';
const STREAM = 'text/event-stream';
const EVENT = 'data: {"n":1}\n\n';

/** The ways in which programs write an answer, and what leaves: the number in it is one higher. */
const WAYS: Record<string, [Answering, status: number, body: string]> = {
  'setHeader and end': [(response) => response.setHeader('Content-Type', JSON_TYPE).end('{"n":1}'), 200, '{"n":2}'],
  'statusCode, setHeader, write and end': [
    (response) => {
      response.statusCode = 201;
      response.setHeader('content-type', JSON_TYPE);
      response.write('{"n"');
      response.end(':1}');
    },
    201,
    '{"n":2}',
  ],
  'writeHead with a length': [
    (response) => response.writeHead(200, { 'Content-Type': JSON_TYPE, 'Content-Length': 7 }).end('{"n":1}'),
    200,
    '{"n":2}',
  ],
  'json() of Express': [(response) => (response as any).status(203).json({ n: 1 }), 203, '{"n":2}'],
  'a stream by setHeader and write': [
    (response) => {
      response.setHeader('Content-Type', STREAM);
      response.write(EVENT);
      response.end();
    },
    200,
    'data: {"n":2}\n\n',
  ],
  'a stream whose head is flushed first, by setHeader': [
    (response) => {
      response.setHeader('Content-Type', STREAM).flushHeaders();
      response.end(EVENT);
    },
    200,
    'data: {"n":2}\n\n',
  ],
  'a stream whose head is flushed first, by writeHead': [
    (response) => {
      response.writeHead(200, { 'Content-Type': STREAM }).flushHeaders();
      response.end(EVENT);
    },
    200,
    'data: {"n":2}\n\n',
  ],
  'no body': [(response) => ((response.statusCode = 202), response.end()), 202, ''],
  'another type': [(response) => response.setHeader('Content-Type', 'text/plain').end('{"n":1}'), 200, '{"n":1}'],
  'JSON that the hook fails on': [(response) => response.setHeader('Content-Type', JSON_TYPE).end('no json'), 200, 'no json'],
};

const app = express();
const faults: unknown[] = [];
app.use((request: IncomingMessage, response: ServerResponse) => {
  const raise = ({ n }: { n?: unknown }): Record<string, unknown> => ({ n: Number(n) + 1 });
  interceptBody(response, {
    json: async (text) => JSON.stringify(raise((await JSON.parse(text)) as object)),
    events: () => eventRewriter(raise),
    onFault: (error) => faults.push(error),
  });
  WAYS[decodeURIComponent((request.url ?? '').slice(1))]?.[0](response);
});

describe('the body of a node:http answer, however the program writes it', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${encodeURIComponent(path)}`);

  it.each(Object.entries(WAYS))('%s', async (way, [, status, body]) => {
    const response = await ask(way);
    expect([response.status, await response.text()]).toEqual([status, body]);
  });

  it('a fault of the hook is reported', async () => {
    faults.length = 0;
    await ask('JSON that the hook fails on');
    expect(faults).toEqual([expect.any(SyntaxError)]);
  });

  it('the head of a stream that was flushed leaves before the first event', async () => {
    let finish: () => void = () => undefined;
    WAYS['held'] = [
      (response) => {
        response.writeHead(200, { 'Content-Type': STREAM }).flushHeaders();
        finish = () => response.end(EVENT);
      },
      200,
      '',
    ];
    const response = await ask('held');
    expect(response.headers.get('content-type')).toBe(STREAM);
    finish();
    expect(await response.text()).toBe('data: {"n":2}\n\n');
  });
});
