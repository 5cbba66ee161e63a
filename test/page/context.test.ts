/** Every control of the context bar, from browsers in several places. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callsOf, hasChromium, openPage, shopPage, toolOf } from './browser.js';

describe.skipIf(!hasChromium)('the context bar', () => {
  const its = shopPage();
  const inForce = () => its.served.source.context().context;

  async function opened(options: BrowserContextOptions = {}): Promise<Page> {
    const { page } = await openPage(its.browser, its.served.address, options);
    await page.getByRole('button', { name: 'Tokyo' }).click();
    await page.getByRole('button', { name: 'Vienna' }).click();
    await expect.poll(() => inForce().timezone).toBe('Europe/Vienna');
    await expect.poll(() => toolOf(page, 'context').textContent()).toContain('Was der Server sieht');
    return page;
  }

  it.each([
    ['Vienna', 'de-AT,de;q=0.9,en;q=0.5', 'Europe/Vienna', 'de-AT', 'AT/Vienna'],
    ['Tokyo', 'ja,en;q=0.5', 'Asia/Tokyo', 'ja-JP', 'JP/Tokyo'],
    ['São Paulo', 'pt-BR,pt;q=0.9,en;q=0.5', 'America/Sao_Paulo', 'pt-BR', 'BR/São Paulo'],
    ['Cairo', 'ar-EG,ar;q=0.9,en;q=0.5', 'Africa/Cairo', 'ar-EG', 'EG/Cairo'],
    ['Los Angeles', 'en-US,en;q=0.9,es;q=0.5', 'America/Los_Angeles', 'en-US', 'US/California/Los Angeles'],
    ['Kathmandu', 'ne,en;q=0.5', 'Asia/Kathmandu', 'ne-NP', 'NP/Bagmati/Kathmandu'],
  ])('%s sets languages, zone, locale and place together', async (city, language, timezone, locale, place) => {
    const page = await opened({ timezoneId: 'Pacific/Auckland', locale: 'mi-NZ' });
    await page.getByLabel('Precision of the place').selectOption('city');
    const button = page.getByRole('button', { name: city });
    await button.click();
    await expect.poll(() => inForce()).toMatchObject({ language, timezone, locale });
    await expect.poll(() => page.getByLabel('Place', { exact: true }).inputValue()).toBe(place);
    expect(inForce().place).toMatchObject({ city, precision: 'city' });
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
    await page.getByLabel('Precision of the place').selectOption('');
    await expect.poll(() => inForce().place).toBeUndefined();
    // A value that is changed by hand is no longer the city's.
    await page.getByLabel('Locale').fill('fr-CH');
    await page.getByLabel('Locale').press('Enter');
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
  });

  it('finds a zone by part of its name, also by a name that the browser does not list, and shows its offset', async () => {
    const page = await opened({ timezoneId: 'America/St_Johns' });
    const zone = page.getByLabel('Time zone', { exact: false }).and(page.getByRole('combobox'));
    await zone.click();
    await zone.pressSequentially('kath');
    const option = page.getByRole('option', { name: 'Asia/Kathmandu' });
    expect(await option.textContent()).toContain('UTC+5:45');
    await zone.press('Enter');
    await expect.poll(() => inForce().timezone).toBe('Asia/Kathmandu');
    await zone.fill('kolk');
    await page.getByRole('option', { name: 'Asia/Kolkata' }).click();
    await expect.poll(() => inForce().timezone).toBe('Asia/Kolkata');
    await zone.fill('los ang');
    await zone.press('Escape');
    expect(await page.locator('#zones li').count()).toBe(0);
    await zone.press('Escape');
    await expect.poll(() => zone.inputValue()).toBe('Asia/Kolkata');
    await zone.fill('europe/');
    await zone.press('ArrowDown');
    await zone.press('ArrowUp');
    await zone.press('ArrowUp');
    await zone.press('ArrowDown');
    await zone.press('Enter');
    await expect.poll(() => inForce().timezone).toMatch(/^Europe\//);
  });

  it.each([
    ['Languages', ';;;q=x', 'Not a list of languages', 'de-AT,de;q=0.9,en;q=0.5', 'language'],
    ['Time zone', 'Mars/Olympus', 'Not a time zone', 'Europe/Vienna', 'timezone'],
    ['Locale', 'not a locale', 'Not a locale', 'de-AT', 'locale'],
  ] as const)('%s refuses %s, says what to write, and keeps what was typed', async (label, text, words, kept, name) => {
    const page = await opened();
    const field = page.getByLabel(label).and(page.locator('input'));
    await field.fill(text);
    await field.press('Tab');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain(words);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    // Another change neither hides the problem nor drops the text.
    await page.getByLabel('Trace', { exact: true }).uncheck();
    await expect.poll(() => inForce().trace).toBe('off');
    expect(await field.inputValue()).toBe(text);
    expect(await page.getByRole('alert').textContent()).toContain(words);
    expect(inForce()[name]).toBe(kept);
    await field.press('Escape');
    expect(await field.inputValue()).toBe(kept);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByLabel('Trace', { exact: true }).check();
    await expect.poll(() => inForce().trace).toBe('start');
  });

  it.each([1280, 390])('a refused value moves nothing on the page at %i pixels', async (width) => {
    const page = await opened({ viewport: { width, height: 900 } });
    if (width === 390) await page.locator('.context summary').click();
    const heights = () => page.evaluate(() => [...document.querySelectorAll('.context, .field')].map((one) => one.clientHeight));
    const before = await heights();
    for (const [label, text] of [
      ['Languages', ';;;q=x'],
      ['Locale', 'not a locale'],
    ] as const) {
      await page.getByLabel(label).fill(text);
      await page.getByLabel(label).press('Tab');
    }
    await expect.poll(() => page.getByRole('alert').count()).toBe(2);
    expect(await heights()).toEqual(before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    if (process.env['SHOTS'] !== undefined) await page.screenshot({ path: `${process.env['SHOTS']}/refused-${width}.png` });
  });

  it('refuses a place that is none, and sends one at the precision that is chosen', async () => {
    const page = await opened();
    const [place, precision] = [page.getByLabel('Place', { exact: true }), page.getByLabel('Precision of the place')];
    await place.fill('nowhere at all');
    await precision.selectOption('city');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Not a place');
    await place.fill('JP/Osaka');
    await place.press('Enter');
    await precision.selectOption('country');
    await expect.poll(() => inForce().place).toMatchObject({ country: 'JP', precision: 'country' });
    await precision.selectOption('coordinates');
    await place.fill('48.21,16.37');
    await place.press('Enter');
    await expect.poll(() => inForce().place).toMatchObject({ coordinates: { latitude: 48.21, longitude: 16.37 } });
    await precision.selectOption('');
    await expect.poll(() => inForce().place).toBeUndefined();
  });

  it('does not lose a change that is made while another one is on its way', async () => {
    const page = await opened();
    await page.route('**/api/context', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await page.getByLabel('Languages').fill('fr');
    await page.getByLabel('Time zone').and(page.locator('input')).fill('Asia/Tokyo');
    await page.getByLabel('Locale').fill('fr-CA');
    await page.getByLabel('Locale').press('Enter');
    await page.getByLabel('roots').check();
    await page.getByLabel('elicitation.url').check();
    // The answers to the earlier changes do not turn a later switch back.
    for (let seen = inForce(); seen.locale !== 'fr-CA'; seen = inForce()) {
      expect(await page.getByLabel('elicitation.url').isChecked()).toBe(true);
      await page.waitForResponse('**/api/context');
    }
    await expect.poll(() => inForce()).toMatchObject({ language: 'fr', timezone: 'Asia/Tokyo', locale: 'fr-CA' });
    await expect.poll(() => inForce().capabilities).toEqual(['elicitation.form', 'roots', 'elicitation.url']);
    await page.getByLabel('roots').uncheck();
    await page.getByLabel('elicitation.url').uncheck();
    await expect.poll(() => inForce().capabilities).toEqual(['elicitation.form']);
  });

  it('travels in time in the zone of the context, and still knows it after a reload', async () => {
    const page = await opened({ timezoneId: 'Asia/Kolkata' });
    await page.getByLabel('Clock').selectOption('dst');
    await expect.poll(() => inForce().now).toBe('2026-03-29T12:00:00+02:00');
    await page.getByRole('button', { name: 'Los Angeles' }).click();
    await expect.poll(() => inForce().now).toBe('2026-03-08T12:00:00-07:00');
    await page.reload();
    await expect.poll(() => page.getByLabel('Clock').inputValue()).toBe('dst');
    await page.getByLabel('Clock').selectOption('month');
    await expect.poll(() => inForce().now).toBe('2026-10-31T23:50:00-07:00');
    await page.getByLabel('Clock').selectOption('now');
    await expect.poll(() => inForce().now).toBeUndefined();
  });

  it('repeats a call that changes nothing when the context changes, and no other', async () => {
    const page = await opened();
    await toolOf(page, 'today').click();
    await callsOf(page).click();
    await expect.poll(() => page.locator('.blocks').textContent()).toContain('Heute ist');
    await page.getByRole('button', { name: 'Cairo' }).click();
    await expect.poll(() => page.locator('.blocks').textContent()).toContain('اليوم');
    expect(await page.locator('.prose').evaluate((node) => getComputedStyle(node).direction)).toBe('rtl');
    await toolOf(page, 'sealed_counter').click();
    await callsOf(page).click();
    await page.locator('.answer').waitFor();
    const before = await page.locator('.blocks').textContent();
    await page.getByRole('button', { name: 'Vienna' }).click();
    await expect.poll(() => page.locator('.answer h3').textContent()).toContain('earlier context');
    expect(await page.locator('.blocks').textContent()).toBe(before);
    await page.getByLabel('Repeat on change').check();
    await page.getByRole('button', { name: 'Tokyo' }).click();
    await expect.poll(() => page.locator('.answer h3').textContent()).not.toContain('earlier context');
    expect(await page.locator('.blocks').textContent()).not.toBe(before);
  });

  it('sends no field that is empty', async () => {
    const page = await opened();
    for (const label of ['Languages', 'Locale']) {
      await page.getByLabel(label).fill('');
      await page.getByLabel(label).press('Enter');
    }
    await page.getByLabel('Time zone').and(page.locator('input')).fill('');
    await page.getByLabel('Languages').focus();
    await expect.poll(() => Object.keys(inForce()).sort()).toEqual(['capabilities', 'trace']);
  });
});
