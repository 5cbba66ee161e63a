/** Nothing is cut off or wider than the screen, in both languages of the page. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callsOf, hasChromium, openPage, shopPage, toolOf } from './browser.js';

describe.skipIf(!hasChromium)('the layout of the page', () => {
  const its = shopPage();

  /** Rows of tabs that are wider than their place, and the whole page if it is wider than the screen. */
  const tooWide = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
      const rows = [...document.querySelectorAll('.tabs, .details table, .details .actions button'), document.documentElement];
      return rows
        .filter((row) => row.scrollWidth > row.clientWidth)
        .map((row) => `${row.tagName} ${row.className} ${row.textContent.slice(0, 40)}`);
    });

  it.each([
    [390, 'de-AT'],
    [390, 'en-GB'],
    [1280, 'de-AT'],
    [1280, 'en-GB'],
  ] as const)('at %i pixels in %s every tab of the details fits', async (width, locale) => {
    const { page } = await openPage(its.browser, its.served.address, { locale, viewport: { width, height: 800 } });
    await page.getByRole('button', { name: locale === 'de-AT' ? 'Wien' : 'Vienna' }).click();
    await toolOf(page, 'add_to_cart').click();
    await page.locator('.argument input').first().fill('tea');
    await callsOf(page).click();
    await page.locator('.answer').waitFor();
    for (const tab of ['wire', 'jar', 'ledger', 'trace']) {
      await page.locator(`.details [data-id="${tab}"]`).click();
      if (tab === 'ledger') await page.locator('.ledger td', { hasText: ':' }).first().waitFor();
      expect([tab, await tooWide(page)]).toEqual([tab, []]);
    }
  });
});
