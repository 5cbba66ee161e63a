import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from 'playwright-core';
import { servePage, type Page as ServedPage } from '../../packages/cli/src/inspect/server.js';
import { GatewayFeed, type FeedAddress } from '../../packages/cli/src/inspect/gatewayFeed.js';
import { PageSession, type InspectTarget } from '../../packages/cli/src/inspect/pageSession.js';

const root = new URL('../../', import.meta.url);
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

const found = NAMES.find((name) => spawnSync(name, ['--version']).error === undefined);

export const hasChromium: boolean = process.env['WAYBILL_NO_SKIP'] === '1' || found !== undefined;
if (!hasChromium) console.log('Tests of the page are skipped: they need Chromium (Debian package chromium).');

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: spawnSync('which', [found ?? 'chromium'], { encoding: 'utf8' }).stdout.trim(),
    args: [...FLAGS, '--disable-component-update', '--disable-sync'],
  });

const files = new URL('packages/cli/dist/page/', root);

export const serve = (target: InspectTarget): Promise<ServedPage<PageSession>> =>
  servePage({ open: (tell) => new PageSession(target, tell), files });

export const serveFeed = (address: FeedAddress): Promise<ServedPage> =>
  servePage({ open: (tell) => new GatewayFeed(address, tell), files });

/** The entry of a tool in the list on the left. */
export const toolOf = (page: Page, name: string): Locator =>
  page.locator('.entries li button', { has: page.locator(`code:text-is("${name}")`) });

export const SHOP: string = fileURLToPath(new URL('examples/shop/server.js', root));

export function httpTarget(url: string): InspectTarget {
  return { name: 'test', address: url, url, open: (fetch) => new StreamableHTTPClientTransport(new URL(url), { fetch }) };
}

export function commandTarget(command: string, args: readonly string[]): InspectTarget {
  const open = (): StdioClientTransport => new StdioClientTransport({ command, args: [...args], stderr: 'ignore' });
  return { name: command, address: [command, ...args].join(' '), open };
}

/** The shop over HTTP, in a process of its own. */
class Shop {
  #child: ChildProcess | undefined;

  async start(): Promise<string> {
    const child = spawn(process.execPath, [SHOP, '--http', '0']);
    this.#child = child;
    return new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    const over = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await over;
  }
}

export interface ShopPage {
  readonly browser: Browser;
  readonly served: ServedPage<PageSession>;
  /** The address of the shop. */
  readonly url: string;
}

/** The page on the shop, for all tests of a block. Each test begins without an open page. */
export function shopPage(): ShopPage {
  const shop = new Shop();
  const its = {} as { -readonly [Name in keyof ShopPage]: ShopPage[Name] };
  beforeAll(async () => {
    [its.browser, its.url] = await Promise.all([launch(), shop.start()]);
    its.served = await serve(httpTarget(its.url));
  });
  afterEach(() => closePages(its.browser));
  afterAll(async () => {
    await its.browser.close();
    await its.served.close();
    await shop.stop();
  });
  return its;
}

/** A new browser profile on the page, with everything that went wrong in it. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(address).origin) && !request.url().startsWith('data:')) faults.push(`asked ${request.url()}`);
  });
  await page.goto(address);
  await page.locator('[data-status="ready"], [data-status="lost"]').waitFor();
  return { page, faults };
}

/** Closes every page: one that stays open follows each change of the session and slows the tests after it. */
export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** The button that calls, gets or reads what is chosen. */
export const callsOf = (page: Page): Locator => page.locator('.stage form button[type="submit"]');
