import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Issue } from 'waybill';
import { clientContext, type StatefulClientContext, type ClientContextOptions } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import * as hosts from 'waybill/hosts';
import { contextOf, serverContext, type ServerContextOptions } from 'waybill/server';

/** Servers under any name, without a socket: a client's fetch goes to the handler of that host. */
export class Internet {
  readonly #sites = new Map<string, (request: Request) => Response | Promise<Response>>();
  /** Every body that was sent, by host. */
  readonly sent: { host: string; body: any }[] = [];
  readonly answered: { host: string; headers: Headers }[] = [];

  site(host: string, answer: (request: Request) => Response | Promise<Response>): void {
    this.#sites.set(host, answer);
  }

  readonly fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    for (let at = new URL(url), hops = 0; ; hops++) {
      const site = this.#sites.get(at.host);
      if (site === undefined || hops > 5) throw new TypeError('fetch failed');
      if (typeof init?.body === 'string') this.sent.push({ host: at.host, body: JSON.parse(init.body) });
      const response = await site(new Request(at, init));
      const location = response.headers.get('location');
      // Follows redirects like a browser, without asking.
      if (location === null || init?.redirect === 'manual') {
        this.answered.push({ host: at.host, headers: response.headers });
        return response;
      }
      at = new URL(location, at);
    }
  };

  /** Returns everything that reached a host, as one text. */
  reached(host: string): string {
    return JSON.stringify(this.sent.filter((one) => one.host === host).map(({ body }) => body));
  }
}

type Tool = (ctx: object, args: any) => unknown;

/** A server with these tools behind the layer. */
export function serve(tools: Record<string, Tool>, options: ServerContextOptions = {}): (request: Request) => Promise<Response> {
  const waybill = serverContext(options);
  const build = (): McpServer => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' });
    for (const [name, run] of Object.entries(tools))
      server.registerTool(name, { inputSchema: z.looseObject({}) }, async (args, ctx) => {
        const given = await run(ctx, args);
        if (typeof given === 'object' && given !== null && 'resultType' in given) return given as never;
        return { content: [], structuredContent: { given: given ?? null } };
      });
    return server;
  };
  const handler = waybill.http(createMcpHandler(waybill.attach(build)));
  return async (request) => handler.fetch(request);
}

/** Sets the given values, and returns what it received. */
export const plain: Record<string, Tool> = {
  set: (ctx, { scope, name, value }) => (contextOf(ctx).state as any)[scope].set(name, value),
  seen: (ctx) => {
    const { state } = contextOf(ctx);
    const all = (names: any) => Object.fromEntries(names.names().map((name: string) => [name, names.get(name)]));
    return { available: state.available, session: all(state.session), server: all(state.server) };
  },
};

export interface Guest {
  readonly waybill: StatefulClientContext;
  readonly client: Client;
  readonly issues: Issue[];
  call(name: string, args?: object): Promise<any>;
}

export async function visit(
  internet: Internet,
  url: string,
  options: ClientContextOptions = {},
  transport: object = {},
  known?: StatefulClientContext,
): Promise<Guest> {
  const issues: Issue[] = [];
  const waybill = known ?? clientContext({ onIssue: (issue) => issues.push(issue), state: jar({ hosts }), ...options });
  const client = new Client(
    { name: 'guest', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
  );
  await client.connect(waybill.attach(new StreamableHTTPClientTransport(new URL(url), { fetch: internet.fetch, ...transport })));
  const call = async (name: string, args = {}) => {
    const result = (await client.callTool({ name, arguments: args })) as any;
    if (result.isError) throw new Error(JSON.stringify(result));
    return result.structuredContent.given;
  };
  return { waybill, client, issues, call };
}
