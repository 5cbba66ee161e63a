import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, openPage, shopPage, toolOf as tool } from './browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const waybill = fileURLToPath(new URL('../../packages/cli/bin/waybill.js', import.meta.url));

describe.skipIf(!hasChromium)('the page on the shop', () => {
  const its = shopPage();
  const call = (page: Page) => page.getByRole('button', { name: 'Call', exact: true }).click();

  /** Violations of accessibility rules in the page as it stands. */
  async function violations(page: Page): Promise<string[]> {
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
    return page.evaluate(async () => {
      const { violations: all } = await (globalThis as any).axe.run(document);
      return all.map(({ id, nodes }: any) => `${id}: ${nodes.map(({ target }: any) => target).join(' ')}`);
    });
  }

  /** A context that every test can start from. */
  async function opened(options = {}): Promise<{ page: Page; faults: string[] }> {
    const start = await openPage(its.browser, its.served.address, options);
    await start.page.getByRole('button', { name: /Vienna|Wien/ }).click();
    await expect.poll(() => tool(start.page, 'context').textContent()).toContain('Was der Server sieht');
    return start;
  }

  it('removes the token from the address and asks nobody but its own server', async () => {
    const { page, faults } = await opened();
    expect(page.url()).toBe(its.served.address.split('#')[0]);
    await page.reload();
    await page.locator('[data-status="ready"]').waitFor();
    expect(faults).toEqual([]);
  });

  it('changes titles, zone and locale together when a city is chosen', async () => {
    const { page } = await opened();
    await page.getByRole('button', { name: 'Cairo' }).click();
    await expect.poll(() => tool(page, 'context').textContent()).toContain('ما يراه الخادم');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Africa/Cairo');
    expect(await page.getByLabel('Locale').inputValue()).toBe('ar-EG');
    // The title of the tool is Arabic, so it starts on the right.
    const title = tool(page, 'context').locator('span').first();
    expect(await title.evaluate((node) => getComputedStyle(node).direction)).toBe('rtl');
  });

  it('sends each field by itself, and the tool sees it', async () => {
    const { page } = await opened({ timezoneId: 'Asia/Tokyo' });
    await page.getByLabel('Languages').fill('fr;q=0.8');
    await page.getByLabel('Languages').press('Tab');
    await expect.poll(() => page.locator('.entries').textContent()).toContain('Ce que');
    await page.getByLabel('Time zone').fill('Asia/Kathmandu');
    await page.getByLabel('Time zone').press('Tab');
    await expect.poll(() => page.locator('.context').textContent()).toContain('UTC+5:45');
    await page.getByLabel('Clock').selectOption('month');
    await page.getByLabel('Precision of the place').selectOption('country');
    await tool(page, 'context').click();
    await call(page);
    const answer = page.locator('.answer');
    await expect.poll(() => answer.textContent()).toContain('Asia/Kathmandu');
    expect(await answer.textContent()).toContain('2026-10-31T23:50:00+05:45');
    expect(await answer.textContent()).toContain('"country": "AT"');
    expect(await answer.textContent()).not.toContain('"city"');
  });

  it('refuses a zone that is none, says so, and keeps the old one in force', async () => {
    const { page } = await opened();
    await page.getByLabel('Time zone').fill('Mars/Olympus');
    await page.getByLabel('Time zone').press('Tab');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Not a time zone');
    expect(its.served.source.context().context.timezone).toBe('Europe/Vienna');
  });

  it('greys out a tool whose capability is switched off, and says what it needs', async () => {
    const { page } = await opened();
    await page.getByLabel('elicitation.form').uncheck();
    await expect.poll(() => tool(page, 'needs_form').textContent()).toContain('elicitation.form');
    await page.getByLabel('elicitation.form').check();
    await expect.poll(() => tool(page, 'needs_form').textContent()).not.toContain('Needs');
  });

  it('answers a question of the server in the page', async () => {
    const { page } = await opened();
    await tool(page, 'ask').click();
    await call(page);
    const question = page.locator('.question');
    await question.locator('input').fill('blau');
    expect(await violations(page)).toEqual([]);
    expect(await question.locator('blockquote').getAttribute('lang')).toBe('de');
    await question.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => page.locator('.answer').textContent()).toContain('Danke');
  });

  it('repeats a call if the context changed before its answer came', async () => {
    const { page } = await opened();
    let calls = 0;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/send', async (route) => {
      if (route.request().postData()?.includes('tools/call') === true && ++calls === 1) await held;
      await route.continue();
    });
    await tool(page, 'today').click();
    await call(page);
    await page.getByRole('button', { name: 'Cairo' }).click();
    await expect.poll(() => tool(page, 'context').textContent()).toContain('ما يراه الخادم');
    release();
    await expect.poll(() => calls).toBe(2);
    await expect.poll(() => page.locator('.answer').textContent()).not.toContain('earlier context');
  });

  it('compares a call under several contexts and marks what differs', async () => {
    const { page } = await opened();
    await tool(page, 'context').click();
    await page.getByLabel('Compare').check();
    await page.getByRole('button', { name: 'Call under all contexts' }).click();
    await expect.poll(() => page.locator('.compared thead th').count()).toBe(3);
    const marked = await page.locator('.compared .differs').allTextContents();
    expect(marked.join()).toContain('Asia/Tokyo');
    expect(marked.join()).toContain('America/Los_Angeles');
  });

  it('shows what the server keeps, and a sealed value that was tampered with is refused', async () => {
    const { page } = await opened();
    await tool(page, 'sealed_counter').click();
    await call(page);
    await expect.poll(() => page.locator('.answer').textContent()).toContain('"value": 1');
    await call(page);
    await expect.poll(() => page.locator('.answer').textContent()).toContain('"value": 2');
    await page.getByRole('tab', { name: /^Jar/ }).click();
    await page
      .getByRole('row', { name: /counter/ })
      .getByRole('button', { name: 'Tamper' })
      .click();
    await call(page);
    await expect.poll(() => page.locator('.answer').textContent()).toContain('"value": 1');
    await page.getByRole('button', { name: 'Delete all' }).click();
    await expect.poll(() => page.locator('.jar').textContent()).toContain('keeps nothing here');
  });

  it('shows how old each value is, in the language of the page, and the moment itself on demand', async () => {
    const { page } = await opened();
    await tool(page, 'sealed_counter').click();
    await call(page);
    await page.locator('.answer').waitFor();
    await page.clock.install();
    await page.reload();
    await page.getByRole('tab', { name: /^Jar/ }).click();
    const age = page
      .getByRole('row', { name: /counter/ })
      .locator('td')
      .last();
    expect(await age.textContent()).toMatch(/^\d+ secs?$/);
    expect(await age.getAttribute('title')).toMatch(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d$/);
    await page.clock.fastForward('02:10');
    await expect.poll(() => age.textContent()).toBe('2 mins');
    await page.getByLabel('Language of this page').selectOption('de');
    await expect.poll(() => age.textContent()).toBe('2 Min.');
    expect(await age.getAttribute('title')).toMatch(/^\d+\.\d+\.\d{4}, \d\d:\d\d:\d\d$/);
    await page.getByRole('button', { name: 'Alles löschen' }).click();
    await age.waitFor({ state: 'detached' });
  });

  it('shows what the server was told, and withholds a field that is switched off', async () => {
    const { page } = await opened();
    await page.getByRole('tab', { name: 'Ledger' }).click();
    const zone = page.getByRole('row', { name: /timezone/ });
    await zone.getByRole('combobox').selectOption('never');
    await tool(page, 'context').click();
    await call(page);
    await expect.poll(() => page.locator('.answer').textContent()).not.toContain('Europe/Vienna');
    await expect.poll(() => zone.getByRole('cell').nth(2).textContent()).not.toBe('0');
    // The call is repeated under the new rule, so it asks at once.
    await zone.getByRole('combobox').selectOption('ask');
    await page.locator('.question').getByRole('button', { name: 'Once' }).click();
    await expect.poll(() => page.locator('.answer').textContent()).toContain('Europe/Vienna');
    await zone.getByRole('combobox').selectOption('');
  });

  it('colours _meta by concern, shows the header mirror, and draws the trace', async () => {
    const { page } = await opened();
    await tool(page, 'context').click();
    await call(page);
    await page.locator('.answer').waitFor();
    const exchange = page.locator('.exchange');
    await page.locator('.exchanges button', { hasText: 'tools/call' }).first().click();
    for (const concern of ['language', 'environment', 'trace', 'capabilities'])
      expect(await exchange.locator(`.concern.${concern}`).count(), concern).toBeGreaterThan(0);
    expect(await exchange.textContent()).toContain('Header and body name the same language');
    await page.getByRole('tab', { name: 'Trace' }).click();
    expect(await page.locator('.waterfall tr').count()).toBeGreaterThan(0);
  });

  it('records a call, replays it, and the command replays the same file', async () => {
    const { page } = await opened();
    await page.getByLabel('Clock').selectOption('month');
    await tool(page, 'price').click();
    await page.locator('.argument input').first().fill('3');
    await call(page);
    await page.locator('.answer').waitFor();
    await page.locator('.exchanges button', { hasText: 'tools/call' }).first().click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Record' }).click()]);
    const file = await download.path();
    await page.locator('input[type=file]').setInputFiles(file);
    await expect.poll(() => page.getByRole('status').textContent()).toBe('The same answer.');
    const { status, stdout, stderr } = spawnSync(process.execPath, [waybill, 'replay', file, its.url], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toContain('The same answer.');
    expect(status).toBe(0);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"timezone": "Europe/Vienna"', '"timezone": "Asia/Tokyo"'));
    await page.locator('input[type=file]').setInputFiles([]);
    await page.locator('input[type=file]').setInputFiles(file);
    await expect.poll(() => page.getByRole('status').textContent()).toContain('differs at');
    await page.getByLabel('Clock').selectOption('now');
  });

  it('replays the state of a record as the command does, and leaves the jar as it is', async () => {
    const { page } = await opened();
    const folder = mkdtempSync(join(tmpdir(), 'waybill-page-'));
    const add = (item: string, ...flags: string[]) => {
      const args = ['call', its.url, 'add_to_cart', `item=${item}`, '--jar', 'r.db', '--conversation', 'c', ...flags];
      return spawnSync(process.execPath, [waybill, ...args], { cwd: folder, encoding: 'utf8' });
    };
    add('tea');
    add('salt', '--record', 'r.json', '--with-state');
    const file = join(folder, 'r.json');
    expect(JSON.parse(readFileSync(file, 'utf8')).result.structuredContent).toEqual({ items: ['tea', 'salt'] });
    const before = await its.served.source.jar();
    const told = async (): Promise<number> => (await its.served.source.ledger()).entries.reduce((sum, { count }) => sum + count, 0);
    const count = await told();
    await page.locator('input[type=file]').setInputFiles(file);
    await expect.poll(() => page.getByRole('status').textContent()).toBe('The same answer.');
    expect(await told()).toBeGreaterThan(count);
    expect(await its.served.source.jar()).toEqual(before);
    expect(its.served.source.context().target.status).toBe('ready');
    rmSync(folder, { recursive: true });
  });

  it('clears the messages, and a record can still be replayed', async () => {
    const { page } = await opened();
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await page.getByRole('tab', { name: /^Wire/ }).textContent()).toBe('Wire 0');
    await expect.poll(() => page.locator('.wire').textContent()).toContain('No message here yet.');
    expect(await page.getByText('Replay a file').isVisible()).toBe(true);
    await tool(page, 'today').click();
    await call(page);
    await expect.poll(() => page.locator('.exchanges li').count()).toBe(1);
    expect(await page.getByRole('tab', { name: /^Wire/ }).textContent()).toBe('Wire 1');
  });

  it('speaks German, and keeps what was typed while another tool is looked at', async () => {
    const { page } = await opened({ locale: 'de-AT' });
    expect(await page.locator('header').textContent()).toContain('Neu verbinden');
    await tool(page, 'range').click();
    await page.locator('.argument input').fill('gestern');
    await tool(page, 'context').click();
    await tool(page, 'range').click();
    expect(await page.locator('.argument input').inputValue()).toBe('gestern');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.locator('.form textarea').fill('{"text": ');
    await page.getByRole('button', { name: 'Aufrufen' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Das ist kein JSON');
    expect(await page.locator('.form textarea').inputValue()).toBe('{"text": ');
  });

  it('works with the keyboard alone', async () => {
    const { page } = await opened();
    await page.getByRole('tab', { name: /^Tools/ }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: /^Prompts/ }).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('.stage h2').textContent()).not.toBe('');
    const toggle = page.getByRole('button', { name: 'What travelled' });
    await toggle.press('Enter');
    expect(await page.locator('.details-body').count()).toBe(0);
    await toggle.press('Enter');
    expect(await page.locator('.details-body').count()).toBe(1);
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('has no accessibility violation in %s at %d pixels, and does not scroll sideways', async (colorScheme, width) => {
    const { page } = await opened({ colorScheme, viewport: { width, height: 900 } });
    await tool(page, 'range').click();
    await page.locator('.argument input').fill('gestern');
    await call(page);
    await page.locator('.answer').waitFor();
    for (const tab of [/^Wire/, /^Jar/, /^Ledger/, /^Trace/]) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await violations(page)).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });
});
