import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { acceptedContent, inputRequired } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { keys } from 'waybill';
import { clientContext, type StatefulClientContext } from 'waybill/client';
import { jar } from 'waybill/client/jar';
import * as hosts from 'waybill/hosts';
import { contextOf } from 'waybill/server';
import { Internet, plain, serve, visit, type Guest } from '../state/internet.js';

/** Hosts that may keep state, redirects, and what is sent over HTTP. */

const ELICIT = { message: 'Sure?', requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } } } as const;

describe('a host', () => {
  it.each(['https://mcp.example.com/mcp', 'https://user.github.io/', 'https://MCP.bücher.de:8443/x'])(
    'STATE-33: %s keeps state',
    async (url) => {
      const internet = new Internet();
      internet.site(new URL(url).host, serve(plain));
      const { call, client } = await visit(internet, url);
      expect(await call('set', { scope: 'server', name: 'x', value: 1 })).toBe(true);
      expect(await call('seen')).toEqual({ available: true, session: {}, server: { x: 1 } });
      await client.close();
    },
  );

  it.each([
    'http://mcp.example.com/mcp',
    'https://localhost/mcp',
    'http://localhost:3000/mcp',
    'https://127.0.0.1/mcp',
    'https://0x7f.1/mcp',
    'https://[::1]/mcp',
    'https://co.uk/mcp',
    'https://github.io/mcp',
    'https://intranet/mcp',
    'https://printer.local/mcp',
    'https://a.b.unknown-tld/mcp',
  ])('STATE-32, STATE-36, STATE-37, STATE-38: %s keeps no state, gets no capability, and sets none', async (url) => {
    const internet = new Internet();
    const { host } = new URL(url);
    // A host that sets state without the capability.
    const rude = serve(plain);
    internet.site(host, async (request) => {
      const response = await rude(request);
      if (!(response.headers.get('content-type') ?? '').includes('json')) return response;
      const body = await response.json();
      if (body.result !== undefined) body.result._meta = { ...body.result._meta, [keys.STATE_SPELLINGS.server[0]]: { planted: 'secret' } };
      return Response.json(body, { headers: response.headers });
    });
    const { call, client, waybill, issues } = await visit(internet, url);
    expect(await call('set', { scope: 'server', name: 'x', value: 1 })).toBe(false);
    const result = (await client.callTool({ name: 'seen', arguments: {} })) as any;
    expect(result.structuredContent.given).toEqual({ available: false, session: {}, server: {} });
    expect(JSON.stringify(result)).not.toContain('planted');
    expect(await waybill.jar.principals()).toEqual([]);
    expect(internet.reached(host)).not.toMatch(/planted|"state":/);
    expect(issues.filter(({ concern, side }) => concern === 'state' && side !== 'setup')).toHaveLength(1);
    await client.close();
  });

  it('STATE-31: hosts of one domain share nothing, ports of one host share a drawer', async () => {
    const internet = new Internet();
    for (const host of ['a.example.com', 'b.example.com', 'example.com', 'a.example.com:8443']) internet.site(host, serve(plain));
    const first = await visit(internet, 'https://a.example.com/mcp');
    await first.call('set', { scope: 'server', name: 'x', value: 'secret of a' });
    for (const host of ['b.example.com', 'example.com']) {
      const { call, client } = await visit(internet, `https://${host}/mcp`, {}, {}, first.waybill);
      expect((await call('seen')).server).toEqual({});
      expect(internet.reached(host)).not.toContain('secret of a');
      await client.close();
    }
    const { call } = await visit(internet, 'https://a.example.com:8443/mcp', {}, {}, first.waybill);
    expect((await call('seen')).server).toEqual({ x: 'secret of a' });
  });
});

describe('a redirect', () => {
  function moved(partial: { to: string; status?: number }): { internet: Internet } {
    const internet = new Internet();
    const there = serve(plain);
    let away = false;
    internet.site('a.example.com', (request) => {
      if (!away) return serveA(request);
      return new Response(null, { status: partial.status ?? 307, headers: { location: partial.to } });
    });
    const serveA = serve({
      ...plain,
      leave: () => {
        away = true;
        return true;
      },
    });
    internet.site(new URL(partial.to).host, there);
    return { internet };
  }

  it('STATE-41, D-07: a redirect to another host switches the drawer before anything is sent again', async () => {
    const { internet } = moved({ to: 'https://b.example.com/mcp' });
    const { call, waybill, client } = await visit(internet, 'https://a.example.com/mcp', {}, { redirectPolicy: 'follow' });
    await call('set', { scope: 'server', name: 'x', value: 'secret of a' });
    await call('set', { scope: 'session', name: 'y', value: 'secret of a' });
    await call('leave');
    expect(await call('seen')).toEqual({ available: true, session: {}, server: {} });
    await call('set', { scope: 'server', name: 'x', value: 'of b' });
    await call('set', { scope: 'session', name: 'y', value: 'of b' });
    expect(await call('seen')).toEqual({ available: true, session: { y: 'of b' }, server: { x: 'of b' } });
    expect(internet.reached('b.example.com')).not.toContain('secret of a');
    const values = async (server: string) =>
      (await waybill.jar.show(server)).map(({ name, value }) => `${name}=${JSON.stringify(value)}`).sort();
    expect(await values('a.example.com')).toEqual(['x="secret of a"', 'y="secret of a"']);
    expect(await values('b.example.com')).toEqual(['x="of b"', 'y="of b"']);
    await client.close();
  });

  it('STATE-41, STATE-37: a redirect to a host that may keep nothing takes neither state nor capability there, and brings nothing back', async () => {
    const { internet } = moved({ to: 'https://co.uk/mcp' });
    const { call, waybill, client } = await visit(internet, 'https://a.example.com/mcp', {}, { redirectPolicy: 'follow' });
    await call('set', { scope: 'server', name: 'x', value: 'secret of a' });
    await call('leave');
    expect(await call('seen')).toEqual({ available: false, session: {}, server: {} });
    expect(internet.reached('co.uk')).not.toMatch(/secret of a|"state":/);
    expect((await waybill.jar.list()).map(({ server }) => server)).toEqual(['a.example.com']);
    await client.close();
  });

  it('STATE-37, STATE-41: state of a host that may keep nothing is not kept, also not in the drawer of the host before', async () => {
    const { internet } = moved({ to: 'https://co.uk/mcp' });
    internet.site('co.uk', async (request) => {
      const { id } = (await request.json()) as { id: number };
      const _meta = { [keys.STATE_SPELLINGS.server[0]]: { x: 'of co.uk' }, [keys.STATE_SPELLINGS.session[0]]: { y: 'of co.uk' } };
      return Response.json({
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', content: [], structuredContent: { given: true }, _meta },
      });
    });
    const { call, waybill, client } = await visit(internet, 'https://a.example.com/mcp', {}, { redirectPolicy: 'follow' });
    await call('set', { scope: 'server', name: 'x', value: 'of a' });
    await call('leave');
    await call('seen');
    expect((await waybill.jar.show('a.example.com')).map(({ name, value }) => [name, value])).toEqual([['x', 'of a']]);
    expect((await waybill.jar.list()).map(({ server }) => server)).toEqual(['a.example.com']);
    await client.close();
  });

  it('STATE-40, STATE-41: a redirect from a host that keeps nothing leads to the drawer of the caller, in the conversation of the call', async () => {
    const internet = new Internet();
    internet.site('gateway.internal', () => new Response(null, { status: 307, headers: { location: 'https://b.example.com/mcp' } }));
    internet.site('b.example.com', serve(plain));
    const { call, waybill, client } = await visit(internet, 'https://gateway.internal/mcp', {}, { redirectPolicy: 'follow' });
    const conversation = waybill.jar.begin({ principal: 'ada' });
    await waybill.run({ principal: 'ada', conversation }, async () => {
      await call('set', { scope: 'server', name: 'x', value: 'of ada' });
      await call('set', { scope: 'session', name: 'y', value: 'of ada' });
      expect(await call('seen')).toEqual({ available: true, session: { y: 'of ada' }, server: { x: 'of ada' } });
    });
    expect(await waybill.run({ principal: 'bob' }, () => call('seen'))).toEqual({ available: true, session: {}, server: {} });
    expect(await waybill.jar.principals()).toEqual(['ada']);
    await client.close();
  });

  it('D-07: a redirect is not followed if the client does not follow, and then nothing is sent there', async () => {
    const { internet } = moved({ to: 'https://b.example.com/mcp' });
    const { call, client } = await visit(internet, 'https://a.example.com/mcp');
    await call('set', { scope: 'server', name: 'x', value: 'secret of a' });
    await call('leave');
    await expect(call('seen')).rejects.toThrow();
    expect(internet.reached('b.example.com')).toBe('[]');
    await client.close();
  });

  describe('on SDK v1', () => {
    async function visitV1(internet: Internet, options: object): Promise<{ waybill: StatefulClientContext; call: Guest['call'] }> {
      const waybill = clientContext({ onIssue: () => undefined, state: jar({ hosts }) });
      const client = new ClientV1({ name: 'guest', version: '1.0.0' });
      const transport = new HttpV1(new URL('https://a.example.com/mcp'), { fetch: internet.fetch, ...options });
      await client.connect(waybill.attach(transport));
      const call = async (name: string, args = {}): Promise<any> => {
        const { structuredContent } = (await client.callTool({ name, arguments: args })) as any;
        return structuredContent.given;
      };
      return { waybill, call };
    }

    it("STATE-41, D-07: 'follow' leads to another host as it does without the layer, and switches the drawer", async () => {
      const { internet } = moved({ to: 'https://b.example.com/mcp' });
      const { waybill, call } = await visitV1(internet, {
        redirectPolicy: 'follow',
        requestInit: { headers: { authorization: 'Bearer of a', 'x-api-key': 'of a' } },
      });
      await call('set', { scope: 'server', name: 'x', value: 'secret of a' });
      await call('leave');
      expect(await call('seen')).toEqual({ available: true, session: {}, server: {} });
      await call('set', { scope: 'server', name: 'x', value: 'of b' });
      expect(internet.reached('b.example.com')).not.toContain('secret of a');
      const values = async (server: string) => (await waybill.jar.show(server)).map(({ value }) => value);
      expect([await values('a.example.com'), await values('b.example.com')]).toEqual([['secret of a'], ['of b']]);
    });

    it.each([
      ['the default policy', {}],
      ['redirect: manual', { redirectPolicy: 'follow', requestInit: { redirect: 'manual' } }],
    ])('D-07: %s follows nowhere, and nothing is sent there', async (_, options) => {
      const { internet } = moved({ to: 'https://b.example.com/mcp' });
      const { call } = await visitV1(internet, options);
      await call('leave');
      await expect(call('seen')).rejects.toThrow();
      expect(internet.reached('b.example.com')).toBe('[]');
    });

    it.each([
      ['without the layer', (transport: HttpV1) => transport],
      ['without a jar', (transport: HttpV1) => clientContext({ language: 'de' }).attach(transport as never)],
    ])('%s the same redirect is followed', async (_, attach) => {
      const { internet } = moved({ to: 'https://b.example.com/mcp' });
      const client = new ClientV1({ name: 'guest', version: '1.0.0' });
      const transport = new HttpV1(new URL('https://a.example.com/mcp'), { fetch: internet.fetch, redirectPolicy: 'follow' });
      await client.connect(attach(transport));
      await client.callTool({ name: 'leave', arguments: {} });
      await client.callTool({ name: 'seen', arguments: {} });
      expect(internet.reached('b.example.com')).toContain('seen');
    });
  });

  it("D-07: a redirect within one host switches the drawer too, under partition 'endpoint'", async () => {
    const internet = new Internet();
    const [one, two] = [serve(plain), serve(plain)];
    let away = false;
    internet.site('a.example.com', (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/two') return two(request);
      return away ? new Response(null, { status: 308, headers: { location: '/two' } }) : one(request);
    });
    const { hosts } = { hosts: await import('waybill/hosts') };
    const { call, client } = await visit(internet, 'https://a.example.com/one', { state: jar({ hosts, partition: 'endpoint' }) });
    await call('set', { scope: 'server', name: 'x', value: 'secret of one' });
    away = true;
    expect(await call('seen')).toEqual({ available: true, session: {}, server: {} });
    away = false;
    expect((await call('seen')).server).toEqual({ x: 'secret of one' });
    await client.close();
  });
});

describe('a question before a result', () => {
  it('IX-08: state of an input-required result is on the retry', async () => {
    const internet = new Internet();
    internet.site(
      'a.example.com',
      serve({
        ask: (ctx) => {
          const { state } = contextOf(ctx);
          const { inputResponses } = (ctx as any).mcpReq;
          if (acceptedContent(inputResponses, 'sure') !== undefined) return { step: state.session.get('step') };
          state.session.set('step', 1);
          return inputRequired({ inputRequests: { sure: inputRequired.elicit(ELICIT) }, requestState: 'asked' });
        },
      }),
    );
    const { call, client } = await visit(internet, 'https://a.example.com/mcp');
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { yes: true } }));
    expect(await call('ask')).toEqual({ step: 1 });
    await client.close();
  });
});

describe('an answer that sets state', () => {
  const headersOf = (internet: Internet) => internet.answered.at(-1)!.headers.get('cache-control');

  it('D-24, IX-09: an answer that sets state must not be stored; others are left alone', async () => {
    const internet = new Internet();
    internet.site('a.example.com', serve(plain));
    const { call, client } = await visit(internet, 'https://a.example.com/mcp');
    await call('set', { scope: 'server', name: 'x', value: 1 });
    expect(headersOf(internet)).toContain('no-store');
    await call('seen');
    expect(headersOf(internet) ?? '').not.toContain('no-store');
    await client.close();
  });

  it('D-24: on a stream, whose head leaves first, no answer to a client that keeps state may be stored', async () => {
    const internet = new Internet();
    const slow = serve({
      ...plain,
      slow: async (ctx) => (
        (ctx as any).mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }),
        new Promise((resolve) => setTimeout(resolve, 5))
      ),
    });
    internet.site('a.example.com', slow);
    const stream = async (capabilities: object): Promise<string | null> => {
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': capabilities,
        progressToken: 1,
      };
      const response = await internet.fetch('https://a.example.com/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'slow',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow', arguments: {}, _meta: meta } }),
      });
      await response.text();
      expect(response.headers.get('content-type')).toContain('event-stream');
      return response.headers.get('cache-control');
    };
    expect(await stream({ state: {} })).toContain('no-store');
    expect((await stream({})) ?? '').not.toContain('no-store');
  });
});
