import { PassThrough } from 'node:stream';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport as StdioV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpHandler, McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport as StdioV2 } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { liftStream } from '../../transport/node/lift.js';
import { CLIENT_CAPABILITIES, CLIENT_INFO, EXTENSION_ID, PROTOCOL_VERSION } from '../../wire/keys.js';
import { serverContext, type ServerContext } from '../server.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const DISCOVER = {
  jsonrpc: '2.0',
  id: 1,
  method: 'server/discover',
  params: { _meta: { [PROTOCOL_VERSION]: '2026-07-28', [CLIENT_INFO]: { name: 'x', version: '1' }, [CLIENT_CAPABILITIES]: {} } },
};
const info = { name: 's', version: '1' };

/** Returns the settings of the extension that the server declares to a client of this transport. */
async function overStdio(server: any, make: (stdin: PassThrough, stdout: PassThrough) => any): Promise<unknown> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  await serverContext().attach(server).connect(make(stdin, stdout));
  const line = new Promise<string>((resolve) => stdout.once('data', (bytes: Buffer) => resolve(bytes.toString())));
  stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  const { capabilities } = JSON.parse(await line).result;
  await server.close();
  return capabilities.extensions[EXTENSION_ID];
}

async function overHttp(
  wrap: (handler: any) => any,
  asking: object = INITIALIZE,
  build: (waybill: ServerContext) => ServerV2 = () => new ServerV2(info),
): Promise<unknown> {
  const waybill = serverContext();
  const handler = wrap({
    waybill,
    inner: createMcpHandler(
      waybill.attach(() => build(waybill)),
      { keepAliveMs: 0 },
    ),
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(asking === DISCOVER && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' }),
  };
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify(asking) });
  const text = await (await handler.fetch(request)).text();
  return JSON.parse(text.replace(/^(?:event: message\n)?data: /, '')).result.capabilities.extensions[EXTENSION_ID];
}

describe('D-03: the server declares lifts only if it is true', () => {
  it.each([
    ['v1', () => new ServerV1(info), StdioV1],
    ['v2', () => new ServerV2(info), StdioV2],
  ] as const)('not behind the stdio transport of SDK %s, which drops the line, unless its stream is ours', async (_, build, Stdio) => {
    expect(await overStdio(build(), (stdin, stdout) => new Stdio(stdin, stdout))).toEqual({});
    expect(await overStdio(build(), (stdin, stdout) => new Stdio(liftStream(stdin), stdout))).toEqual({ lifts: true });
    expect(await overStdio(build(), (stdin, stdout) => serverContext().stdio({ stdin, stdout }).transport)).toEqual({ lifts: true });
  });

  it.each([
    ['initialize', INITIALIZE],
    ['server/discover', DISCOVER],
  ])('not by createMcpHandler without an edge in front, and with one: %s', async (_, asking) => {
    expect(await overHttp(({ inner }) => inner, asking)).toEqual({});
    expect(await overHttp(({ inner, waybill }) => waybill.http(inner), asking)).toEqual({ lifts: true });
  });

  it('not by serveStdio over the SDK’s own transport, but over ours', async () => {
    const over = async (make: (stdin: PassThrough, stdout: PassThrough) => unknown): Promise<unknown> => {
      const [stdin, stdout] = [new PassThrough(), new PassThrough()];
      const line = new Promise<string>((resolve) => stdout.once('data', (bytes: Buffer) => resolve(bytes.toString())));
      const served = serveStdio(
        serverContext().attach(() => new ServerV2(info)),
        { transport: make(stdin, stdout) as never },
      );
      stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
      const { capabilities } = JSON.parse(await line).result;
      await served.close();
      return capabilities.extensions[EXTENSION_ID];
    };
    expect(await over((stdin, stdout) => new StdioV2(stdin, stdout))).toEqual({});
    expect(await over((stdin, stdout) => serverContext().stdio({ stdin, stdout }).transport)).toEqual({ lifts: true });
  });

  it('not on a transport that we do not recognise, unless an edge stands in front', async () => {
    const over = async (isFront: boolean): Promise<unknown> => {
      const waybill = serverContext();
      let answered: (message: any) => void;
      // Works like transports of frameworks: it checks a message strictly before it passes it on.
      const transport: any = {
        start: () => Promise.resolve(),
        close: () => Promise.resolve(),
        send: (message: any) => {
          answered(message);
          return Promise.resolve();
        },
      };
      await waybill.attach(new ServerV1(info)).connect(transport);
      const serve = (_request: Request, { parsedBody }: any = {}): Promise<Response> =>
        new Promise((resolve) => {
          answered = (message) => resolve(Response.json(message));
          transport.onmessage(parsedBody ?? INITIALIZE);
        });
      const body = JSON.stringify(INITIALIZE);
      const request = new Request('http://127.0.0.1/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const response = await (isFront ? waybill.http(serve) : serve)(request);
      return (await response.json()).result.capabilities.extensions[EXTENSION_ID];
    };
    expect([await over(false), await over(true)]).toEqual([{}, { lifts: true }]);
  });

  it('not if a factory attaches by itself', async () => {
    const waybill = serverContext();
    const alone = (): any => createMcpHandler(() => waybill.attach(new ServerV2(info)), { keepAliveMs: 0 });
    expect(await overHttp(() => alone(), DISCOVER)).toEqual({});
    expect(await overHttp(() => waybill.http(alone()), DISCOVER)).toEqual({ lifts: true });
  });

  it('not if the factory returns a server that is already attached', async () => {
    const build = (waybill: ServerContext): ServerV2 => waybill.attach(new ServerV2(info));
    expect(await overHttp(({ inner }) => inner, INITIALIZE, build)).toEqual({});
  });
});
