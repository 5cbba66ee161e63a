/** Nothing is cut off or wider than the screen, in both languages of the page. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, hasChromium, httpTarget, launch, openPage, serve, Shop, toolOf } from './browser.js';
import type { Session } from '../../packages/cli/src/inspect/session.js';
import type { Page as ServedPage } from '../../packages/cli/src/inspect/server.js';

describe.skipIf(!hasChromium)('the layout of the page', () => {
  const shop = new Shop();
  let browser: Browser;
  let served: ServedPage<Session>;

  beforeAll(async () => {
    const [launched, url] = await Promise.all([launch(), shop.start()]);
    browser = launched;
    served = await serve(httpTarget(url));
  });
  afterAll(async () => {
    await browser.close();
    await served.close();
    await shop.stop();
  });

  /** Rows of tabs that are wider than their place, and the whole page if it is wider than the screen. */
  const tooWide = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
      const rows = [...document.querySelectorAll('.tabs, .drawer table, .drawer .actions button'), document.documentElement];
      return rows
        .filter((row) => row.scrollWidth > row.clientWidth)
        .map((row) => `${row.tagName} ${row.className} ${row.textContent.slice(0, 40)}`);
    });

  it.each([
    [390, 'de-AT'],
    [390, 'en-GB'],
    [1280, 'de-AT'],
    [1280, 'en-GB'],
  ] as const)('at %i pixels in %s every tab of the drawer fits', async (width, locale) => {
    const { page } = await openPage(browser, served.address, { locale, viewport: { width, height: 800 } });
    await page.getByRole('button', { name: locale === 'de-AT' ? 'Wien' : 'Vienna' }).click();
    await toolOf(page, 'add_to_cart').click();
    await page.locator('.argument input').first().fill('tea');
    await callsOf(page).click();
    await page.locator('.answer').waitFor();
    for (const tab of ['wire', 'jar', 'ledger', 'trace']) {
      await page.locator(`.drawer [data-id="${tab}"]`).click();
      if (tab === 'ledger') await page.locator('.ledger td', { hasText: ':' }).first().waitFor();
      expect([tab, await tooWide(page)]).toEqual([tab, []]);
    }
  });
});
