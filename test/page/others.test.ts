/** The page on servers that are not ours: npm's server-everything, and a gateway's feed. */
import { createRequire } from 'node:module';
import { createGateway, type Gateway } from '@waybill/gateway';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTarget, hasChromium, launch, openPage, serve, serveFeed, SHOP, toolOf } from './browser.js';
import type { Page as ServedPage } from '../../packages/cli/src/inspect/server.js';

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

describe.skipIf(!hasChromium)("the page on npm's server-everything", () => {
  let browser: Browser;
  let served: ServedPage;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    browser = await launch();
    served = await serve(commandTarget(process.execPath, [everything]));
    ({ page, faults } = await openPage(browser, served.address));
  });
  afterAll(async () => {
    await browser.close();
    await served.close();
  });

  it('calls a tool with the fields of its schema, and shows the context that it sent', async () => {
    await toolOf(page, 'get-sum').click();
    await page.locator('.argument input').first().fill('2');
    await page.locator('.argument input').nth(1).fill('40');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expect.poll(() => page.locator('.answer').textContent()).toContain('42');
    expect(await page.locator('.facts').first().textContent()).toContain('Europe/Vienna');
  });

  it('reads a resource, gets a prompt, and draws an image', async () => {
    await page.getByRole('tab', { name: /^Resources/ }).click();
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.locator('.answer .prose').waitFor();
    await page.getByRole('tab', { name: /^Prompts/ }).click();
    await page.getByRole('button', { name: 'Get', exact: true }).click();
    await page.locator('.answer .prose').waitFor();
    await page.getByRole('tab', { name: /^Tools/ }).click();
    await toolOf(page, 'get-tiny-image').click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.locator('.answer img').waitFor();
  });

  it('answers its question in the page', async () => {
    await toolOf(page, 'trigger-elicitation-request').click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const question = page.locator('.question');
    await question.locator('input').first().fill('Ada');
    await question.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => page.locator('.answer').textContent()).toContain('Ada');
    expect(faults).toEqual([]);
  });

  it('says that the command has ended, and keeps what was typed', async () => {
    await toolOf(page, 'echo').click();
    await page.locator('.argument input').fill('a long sentence');
    await served.close();
    await expect.poll(() => page.getByRole('alert').first().textContent()).toContain('The command has ended');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expect.poll(() => page.locator('.answer').textContent()).toContain('The command has ended');
    expect(await page.locator('.argument input').inputValue()).toBe('a long sentence');
  });
});

describe.skipIf(!hasChromium)('the page after its command has ended', () => {
  it('says so at a click on the ledger or on a question, without an error of its own', async () => {
    const [browser, served] = await Promise.all([launch(), serve(commandTarget(process.execPath, [SHOP, '--stdio']))]);
    const { page } = await openPage(browser, served.address);
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.getByRole('tab', { name: 'Ledger' }).click();
    await toolOf(page, 'ask').click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.locator('.question').waitFor();
    await served.close();
    const zone = page.getByRole('row', { name: /timezone/ }).getByRole('combobox');
    await zone.selectOption('never');
    // The switch goes back: nothing has changed.
    await expect.poll(() => zone.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.locator('.question').getByRole('button', { name: 'Decline' }).click();
    await expect.poll(() => page.locator('.banner').textContent()).toContain('The command has ended');
    // A rejection that nobody handles is reported after the request has failed.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(errors).toEqual([]);
    await browser.close();
  });

  it('says why a record cannot be replayed', async () => {
    const [browser, served] = await Promise.all([launch(), serve(commandTarget(process.execPath, [SHOP, '--stdio']))]);
    const { page } = await openPage(browser, served.address);
    await served.close();
    const record = { record: 1, context: {}, request: { method: 'tools/call', params: { name: 'today' } }, result: {} };
    await page.locator('input[type=file]').setInputFiles({
      name: 'record.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(record)),
    });
    await expect.poll(() => page.getByRole('status').textContent()).toContain('The command has ended');
    await browser.close();
  });
});

describe.skipIf(!hasChromium)("the page on a gateway's feed", () => {
  const token = 'a token of the admin address';
  let browser: Browser;
  let gateway: Gateway;
  let base: string;

  beforeAll(async () => {
    browser = await launch();
    gateway = await createGateway({
      listen: '127.0.0.1:0',
      admin: { listen: '127.0.0.1:0', token },
      feed: 'bodies',
      upstreams: { shop: { command: [process.execPath, SHOP, '--stdio'] } },
    });
    base = await gateway.listen();
  });
  afterAll(async () => {
    await browser.close();
    await gateway.close();
  });

  const feedUrl = (): URL => new URL('/feed', gateway.admin);
  const callThrough = (name: string): Promise<Response> =>
    fetch(`${base}/shop/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': name,
        'Accept-Language': 'de',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name,
          arguments: {},
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
            'io.modelcontextprotocol/acceptLanguage': 'de',
          },
        },
      }),
    });

  it('shows each exchange with upstream, outcome, sizes and what was told, and draws them in time', async () => {
    const served = serveFeed({ url: feedUrl(), token });
    const { page, faults } = await openPage(browser, (await served).address);
    expect((await callThrough('today')).status).toBe(200);
    const row = page.locator('.exchanges button', { hasText: 'today' });
    await expect.poll(() => row.textContent()).toContain('shop');
    await row.click();
    const exchange = page.locator('.exchange');
    expect(await exchange.textContent()).toMatch(/Outcomeok · 200/);
    expect(await exchange.locator('.concern.language').first().textContent()).toContain('language');
    expect(await exchange.textContent()).toContain('Heute ist');
    await page.getByRole('tab', { name: /^Trace/ }).click();
    expect(await page.locator('.waterfall tr').count()).toBeGreaterThan(0);
    expect(await page.getByRole('tab', { name: /^Jar/ }).count()).toBe(0);
    expect(faults).toEqual([]);
    await (await served).close();
  });

  it('says what to do about a wrong token', async () => {
    const served = await serveFeed({ url: feedUrl(), token: 'another' });
    const { page } = await openPage(browser, served.address);
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('WAYBILL_TOKEN');
    await served.close();
  });
});
