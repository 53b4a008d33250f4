/** The lists of a marketplace of 206 toolkits: search beyond the first page, and filters in the address. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { Toolkit, Tools } from 'svc-sdk';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { SEEDED_CALLS } from '../support/marketplace';
import { type MarketplaceConsole, openMarketplaceConsole } from '../support/marketplace-console';

let service: MarketplaceConsole;
beforeAll(async () => {
  service = await openMarketplaceConsole();
});
afterAll(() => service.close());

/** A toolkit that runs until the test ends, with an action that reports progress until the test ends it. */
async function runSlow(name: string) {
  const { key } = await service.keys.create({ kind: 'toolkit', name });
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  toolkit.action({ action: 'work', actionDescription: 'Works until it is told to end', payloadDescription: {} }, async (context) => {
    context.progress({ progress: 1, total: 2, message: 'half of it' });
    await ended;
    return 'done';
  });
  void toolkit.run();
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  await toolkit.ready;
  return { end };
}

const rows = (page: Page) => page.getByRole('table').locator('tbody tr');

test('a search finds toolkits of every page and counts all, and Back returns to the former view', async () => {
  const { page } = await service.owner();
  await page.goto('/toolkits');
  await page.getByText(/^Showing 50 of 20\d$/).waitFor();
  await page.getByLabel('Search by name, id or description').fill('invoices');
  await page.getByText('Showing 20 of 20').waitFor();
  await page.waitForURL('**/toolkits?q=invoices');
  expect(await rows(page).count()).toBe(20);
  await page.getByText('Offline 20', { exact: true }).click();
  await page.waitForURL('**/toolkits?q=invoices&state=offline');
  await page.getByRole('columnheader', { name: 'Calls, 24 h' }).getByRole('button').click();
  await page.waitForURL('**/toolkits?q=invoices&state=offline&sort=calls&order=desc');
  await rows(page).first().getByRole('link').click();
  await page.waitForURL(/\/toolkits\/[a-z]+-invoices$/);
  await page.goBack();
  await page.getByText('Showing 20 of 20').waitFor();
  expect(await page.getByLabel('Search by name, id or description').inputValue()).toBe('invoices');
  await page.getByLabel('Search by name, id or description').fill('nothing like it');
  await page.getByText('No offline toolkit matches “nothing like it”').waitFor();
});

test('calls are filtered by a toolkit and an action that no first page holds, and exported', async () => {
  const { page } = await service.owner();
  await page.goto('/calls');
  await page.getByRole('combobox', { name: 'Toolkit' }).fill('travel bud');
  await page.getByRole('option', { name: 'travel-budgets' }).click();
  await page.waitForURL('**/calls?toolkit=travel-budgets');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('combobox', { name: 'Action' }).fill('journeys travel');
  await page.getByRole('option', { name: 'travel-journeys__find_journeys' }).click();
  await page.waitForURL('**/calls?action=travel-journeys__find_journeys');

  await page.goto('/calls?outcome=ACTION_FAILED');
  await rows(page).first().waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('calls.csv');
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(1 + SEEDED_CALLS / 12);
  expect(lines.slice(1).every((line) => line.includes(',ACTION_FAILED,'))).toBe(true);
});

test('calls of a custom period are shown, and the period is in the address', async () => {
  const { page } = await service.owner({ timezoneId: 'Asia/Kolkata' });
  await page.goto('/calls?from=24h');
  await page.getByRole('combobox', { name: 'Time' }).click();
  await page.getByRole('option', { name: 'From … to …' }).click();
  await page.getByLabel('From (Asia/Calcutta)').or(page.getByLabel('From (Asia/Kolkata)')).fill('2026-01-31T05:30');
  await page.getByLabel('Call id').focus();
  await page.waitForURL((url) => url.searchParams.get('from') === '2026-01-31T00:00:00.000Z' && url.searchParams.has('to'));
  await rows(page).first().waitFor();
});

test('the way back from a call leads to the rows that were loaded, and to the place', async () => {
  const { page } = await service.owner();
  await page.goto('/calls');
  await rows(page).nth(99).waitFor();
  await page.getByRole('button', { name: 'Load more' }).click();
  await rows(page).nth(199).waitFor();
  const link = rows(page).nth(150).locator('.call-row-link');
  await link.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(2_000);
  await link.click();
  await page.waitForURL(/\/calls\/inv_/);
  await page.getByRole('heading', { level: 1, name: 'Call' }).waitFor();
  await page.goBack();
  await rows(page).nth(199).waitFor();
  await vi.waitFor(async () => expect(Math.abs((await page.evaluate(() => scrollY)) - place)).toBeLessThan(50));
});

test('a call that runs is followed: what happens on its way appears while it runs, and so does its end', async () => {
  const slow = await runSlow('slow work');
  const tools = new Tools({ baseUrl: service.url, apiKey: (await service.keys.create({ kind: 'agent', name: 'patient' })).key });
  const { page } = await service.owner();
  const called = tools.invoke('slow-work__work', {});
  await page.goto('/calls?outcome=running');
  await rows(page).first().locator('.call-row-link').click();
  await page.getByRole('heading', { name: 'Running' }).waitFor();
  await page.getByRole('list').getByText('Sent to the toolkit').waitFor();
  await page.getByRole('list').getByText('Progress').waitFor();
  slow.end();
  await called;
  await page.getByRole('heading', { name: 'Succeeded' }).waitFor();
});

test('a page of a missing item sends one request, for any number of running calls', async () => {
  const { page, mayBeRefused } = await service.owner();
  mayBeRefused(404, /^\/v1\/(invocations|reports)\//);
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('inv_nope') && asked.push(request.url()));
  await page.goto('/calls/inv_nope');
  await page.getByText('Call not found').waitFor();
  const tools = new Tools({ baseUrl: service.url, apiKey: (await service.keys.create({ kind: 'agent', name: 'busy' })).key });
  await page.goto('/toolkits/payroll-invoces');
  await page.getByRole('link', { name: 'payroll-invoices' }).waitFor();
  await page.goto('/calls?id=inv_nope');
  await page.getByText('Call not found').waitFor();
  const before = asked.length;
  // A second window shows when the change has arrived.
  const other = await page.context().newPage();
  await other.goto('/calls');
  await tools.invoke('nothing__asked_for', {}).catch(() => {});
  await other.getByRole('table').getByText('nothing__asked_for').waitFor();
  expect(asked).toHaveLength(before);
});

test('refused calls are in the overview, in the list and beside the key', async () => {
  const { key } = await service.keys.create({ kind: 'agent', name: 'nightly report', callsPerMinute: 1 });
  const tools = new Tools({ baseUrl: service.url, apiKey: key });
  for (let count = 0; count < 4; count++) await tools.invoke('nothing__there', {}, { timeoutMs: 300 }).catch(() => {});
  const { page } = await service.owner();
  await page.goto('/?span=1h');
  await page.getByRole('link', { name: /calls? with RATE_LIMITED/ }).click();
  await page.waitForURL('**/calls?outcome=RATE_LIMITED&from=1h');
  expect(await page.getByRole('combobox', { name: 'Time' }).inputValue()).toBe('Last hour');
  await rows(page).filter({ hasText: 'nightly report' }).filter({ hasText: 'refused in this minute' }).first().waitFor();
  await page.goto('/keys?text=nightly%20report');
  await page.getByRole('link', { name: 'nightly report', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByText(/calls? in the last 24 hours, last/)
    .waitFor();
  await page.getByRole('progressbar', { name: /Used of the limit/ }).waitFor();
});

test('a new secret is shown until the person confirms that it is saved', async () => {
  await service.keys.create({ kind: 'agent', name: 'to be rotated' });
  const { page } = await service.owner();
  await page.goto('/keys?text=to%20be%20rotated');
  await page.getByRole('link', { name: 'to be rotated' }).click();
  const drawer = page.getByRole('dialog', { name: /to be rotated/ });
  await drawer.getByRole('button', { name: 'Rotate secret' }).click();
  const question = page.getByRole('dialog', { name: 'Rotate the secret of' });
  await question.getByLabel('Works for a day').check();
  await question.getByRole('button', { name: 'Rotate secret' }).click();
  await drawer.getByText('Copy the key now').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
  expect(await drawer.getByRole('textbox', { name: 'Key to be rotated' }).inputValue()).toMatch(/^svc_agent_/);
  await drawer.getByRole('button', { name: "I've saved it" }).click();
  await drawer.getByText(/^works until /).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
});

test('an owner removes a toolkit, and its page requests no removed data', async () => {
  const { page } = await service.owner();
  const other = await page.context().newPage();
  await other.goto('/toolkits?q=golf-goods');
  await other.getByRole('table').getByText('golf-goods', { exact: true }).waitFor();
  // The change is sent to all windows before the answer has arrived.
  await page.route('**/toolkits/golf-goods', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue();
    const response = await route.fetch();
    await other.getByRole('table').getByText('golf-goods', { exact: true }).waitFor({ state: 'detached' });
    await route.fulfill({ response });
  });
  await page.goto('/toolkits/golf-goods');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove the toolkit' }).click();
  await page.waitForURL('**/toolkits');
  await page.getByLabel('Search by name, id or description').fill('golf-goods');
  await page.getByText('No toolkit matches “golf-goods”').waitFor();
});

test('the overview leads to the toolkits that are offline', async () => {
  const { page } = await service.owner();
  await page.goto('/');
  await page.getByRole('list', { name: 'Now' }).getByRole('link').click();
  await page.waitForURL('**/toolkits?state=offline');
  await page.getByText(/^Showing 50 of 20\d$/).waitFor();
});
