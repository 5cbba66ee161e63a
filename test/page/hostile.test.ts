import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closePages, commandTarget, hasChromium, httpTarget, launch, openPage, serve } from './browser.js';
import type { Page as ServedPage } from '../../packages/cli/src/inspect/server.js';
import type { PageSession } from '../../packages/cli/src/inspect/pageSession.js';

const hostile = fileURLToPath(new URL('hostile.mjs', import.meta.url));

describe.skipIf(!hasChromium)('the page beside a server that means harm', () => {
  let browser: Browser;
  let served: ServedPage<PageSession>;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    browser = await launch();
    served = await serve(commandTarget(process.execPath, [hostile]));
    ({ page, faults } = await openPage(browser, served.address));
    await page.locator('.entries li').nth(4).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await served.close();
  });

  const call = async (name: string): Promise<void> => {
    await page.locator('.entries li button', { has: page.locator(`code:text-is("${name}")`) }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
  };

  it('shows a title that is a script as text', async () => {
    await call('script');
    await expect.poll(() => page.locator('.answer .prose').textContent()).toContain('<script>');
    expect(await page.locator('.entries').textContent()).toContain('<script>');
    expect(await page.title()).toBe('Waybill');
    expect(await page.locator('img').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('stays alive when a command prints a result of 50 MB', async () => {
    await call('huge');
    // The SDK ends the connection on a line of this size.
    await expect.poll(() => page.locator('.answer').textContent()).toContain('Reconnect');
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await page.locator('[data-status="ready"]').waitFor();
    await call('echo');
    await expect.poll(() => page.locator('.answer .prose').textContent()).toContain('<script>');
  });

  it('lets the user go on while a call gets no answer', async () => {
    await call('silent');
    await expect.poll(() => page.locator('.stage').textContent()).toContain('Waiting for the answer');
    await call('echo');
    await expect.poll(() => page.locator('.answer .prose').textContent()).toContain('<script>');
  });

  it('says that the server ended, and starts it again on Reconnect', async () => {
    await call('die');
    await expect.poll(() => page.getByRole('alert').first().textContent()).toContain('Reconnect');
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await page.locator('[data-status="ready"]').waitFor();
    await call('echo');
    await expect.poll(() => page.locator('.answer .prose').textContent()).toContain('<script>');
  });

  it('stays responsive and bounded after 10,000 exchanges', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let turn = 0; turn < 500; turn++) await served.source.send('tools/call', { name: 'echo', arguments: {} });
      }),
    );
    await expect.poll(() => page.getByRole('tab', { name: /^Wire/ }).textContent()).toContain('500');
    await call('echo');
    await expect.poll(() => page.locator('.answer .prose').textContent()).toContain('<script>');
    expect(await page.locator('.exchanges li').count()).toBeLessThanOrEqual(200);
    expect(served.source.log.all().length).toBe(500);
  });
});

describe.skipIf(!hasChromium)('the page without a server', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterEach(() => closePages(browser));
  afterAll(() => browser.close());

  it.each([
    ['an address where nothing listens', httpTarget('http://127.0.0.1:9/mcp'), 'Nothing answers at this address'],
    ['a command that is not there', commandTarget('waybill-no-such-command', []), 'The command was not found'],
    ['a command that ends at once', commandTarget(process.execPath, ['-e', '0']), 'Reconnect'],
    ['a server that never answers', { ...commandTarget(process.execPath, ['-e', 'setInterval(() => 0, 1000)']), timeout: 500 }, 'in time'],
  ])('says what to do about %s', async (_, target, hint) => {
    const served = await serve(target);
    const { page } = await openPage(browser, served.address);
    await expect.poll(() => page.getByRole('alert').first().textContent()).toContain(hint);
    await served.close();
    await expect.poll(() => page.getByRole('alert').first().textContent()).toContain('The command has ended');
  });

  it('shows a note in place of 50 MB that came over HTTP', async () => {
    const server = createServer((request, response) => {
      void answerHugely(request).then((body) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const served = await serve(httpTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`));
    const { page } = await openPage(browser, served.address);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expect.poll(() => page.locator('.answer').textContent()).toContain('too large for the page');
    await served.close();
    server.closeAllConnections();
    server.close();
  });

  it('tells of a token of an earlier launch', async () => {
    const served = await serve(httpTarget('http://127.0.0.1:9/mcp'));
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${served.address}x`);
    await expect.poll(() => page.getByRole('alert').first().textContent()).toContain('earlier launch');
    await served.close();
  });
});

/** A 2025-11-25 server with one tool, whose result has 50 MB. */
async function answerHugely(request: IncomingMessage): Promise<string> {
  const { id, method } = JSON.parse((await text(request)) || '{}') as { id?: number; method?: string };
  const results: Record<string, unknown> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'huge', version: '1' } },
    'tools/list': { tools: [{ name: 'huge', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'x'.repeat(50_000_000) }] },
  };
  const result = results[method ?? ''];
  return JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error: { code: -32601, message: 'unknown' } } : { result }) });
}
