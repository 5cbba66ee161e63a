import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openRig, text } from '../../../../test/support/server-rig.js';
import type { Issue } from '../wire/issue.js';
import type { ServerContextOptions } from './options.js';
import { unknownTools } from './parts/toolNeeds.js';
import { serverContext, type ServerContext } from './server.js';
import { defineState } from './state/define.js';

/** Returns a context, and the keys and problems of its setup issues. */
function told(options: ServerContextOptions = {}): { waybill: ServerContext; issues: [string, string][] } {
  const issues: [string, string][] = [];
  const onIssue = ({ side, key, problem }: Issue): void => {
    if (side === 'setup') issues.push([key, problem]);
  };
  return { waybill: serverContext({ onIssue, ...options }), issues };
}

describe('D-33: mistakes of the program are reported', () => {
  it('CAP-21: an unknown capability is reported with the nearest name, and the server works', () => {
    const { issues } = told({ tools: { book: { requires: { elicitaton: {}, weather: {}, extensions: { 'a/b': {} } } } } });
    expect(issues).toEqual([
      ['tools.book.requires.elicitaton', 'is no known capability, so few clients declare it; did you mean elicitation?'],
      [
        'tools.book.requires.weather',
        'is no known capability, so few clients declare it; declare your own under extensions or experimental',
      ],
    ]);
  });

  it('a tool or a stand-in that does not exist is reported once, after the first list', async () => {
    const tools = { bok: { requires: { sampling: {} }, otherwise: 'in_words' }, look: { requires: {} } };
    const { waybill, issues } = told({ tools, filter: 'declared' });
    const rig = await openRig('v1', { book: () => text('x'), look: () => text('x') }, (server) => waybill.attach(server));
    expect(issues).toEqual([]);
    for (let time = 0; time < 2; time++) await rig.ask('tools/list');
    expect(issues).toEqual([
      ['tools.bok.otherwise', 'names "in_words", which is not in the list of tools; write the name of a tool that the server registers'],
      ['tools.bok', 'names "bok", which is not in the list of tools; did you mean book?'],
    ]);
  });

  it('a list in pages is complete with its last page, and pages without the first one report nothing', () => {
    const look = unknownTools({ a: {}, b: {}, c: {} });
    expect(look({ tools: [] }, { cursor: '2' })).toEqual([]);
    expect(look({ tools: [{ name: 'a' }], nextCursor: '2' }, {})).toEqual([]);
    expect(look({ tools: [{ name: 'b' }] }, { cursor: '2' }).map(({ key }) => key)).toEqual(['tools.c']);
    expect(look({ tools: [] }, {})).toEqual([]);
  });

  it('with two servers behind one context no list has to be complete', async () => {
    const { waybill, issues } = told({ tools: { book: { requires: {} } } });
    waybill.attach(new McpServer({ name: 'other', version: '1' }));
    const rig = await openRig('v1', { look: () => text('x') }, (server) => waybill.attach(server));
    await rig.ask('tools/list');
    expect(issues).toEqual([]);
  });

  it('a request that passed the edge and met no attached server is reported', async () => {
    const { waybill, issues } = told();
    const answers = [Response.json({}, { status: 401 }), Response.json({ jsonrpc: '2.0', id: 1, result: {} })];
    const handler = waybill.http((_request: Request) => answers.shift() as Response);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const ask = (): unknown =>
      handler(new Request('http://s.test/', { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
    await ask();
    expect(issues).toEqual([]);
    await ask();
    expect(issues).toEqual([['attach', expect.stringContaining('give that server to attach()')]]);
  });

  it('state that the server does not have is reported', async () => {
    const shop = defineState({ cart: { scope: 'session', schema: z.string() } });
    const run = async (options: ServerContextOptions): Promise<any> => {
      const rig = await openRig('v1', { look: (ctx) => text(String(shop.of(ctx).cart.get())) }, (server) =>
        serverContext(options).attach(server),
      );
      return (await rig.call('look'))['result'].content[0].text;
    };
    expect(await run({ state: shop })).toBe('undefined');
    expect(await run({})).toBe('of: this server was not given the state that defines cart; pass it as serverContext({ state })');
  });
});
