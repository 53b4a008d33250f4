// @module-tag chromium
/** The things that hold on every page: the shortcut to search, texts from right to left, ids to copy, the end of a session in another tab. */
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type InvocationsPage } from '#sdk/protocol/admin';
import { expectAccessible } from '../../../test/support/browser';
import { callApi, openConsole } from '../../../test/support/console';

const HEBREW = 'מוצא חנויות לפי עיר';

async function openShop() {
  const service = await openConsole();
  const owner = await service.owner();
  await callApi(owner.page, ADMIN_PATHS.settings, { content: 'all', searchTexts: 'all' }, 'PATCH');
  await service.toolkit('shop', (shop) => {
    shop.action({ action: 'find', actionDescription: HEBREW, payloadDescription: {} }, () => 'found');
    shop.action({ action: 'charge', actionDescription: 'Charges a card', payloadDescription: {} }, (ctx) => {
      throw ctx.error('CARD_DECLINED', `The bank declined the card: ${'see the statement of the bank, '.repeat(12)}`);
    });
  });
  const tools = await service.tools({ sessionId: 'chat-7' }, { name: 'shop-agent' });
  return { service, owner, page: owner.page, tools };
}

test('Ctrl K opens the search from every page, also from within a field', async () => {
  const { page } = await openShop();
  await page.goto('/calls');
  await page.getByLabel('Call id').focus();
  await page.keyboard.press('Control+k');
  await page.waitForURL('**/search');
  await expect.poll(() => page.getByLabel('Search query').evaluate((box) => box === document.activeElement)).toBe(true);
});

test('a text in Hebrew begins at the right', async () => {
  const { page } = await openShop();
  await page.goto('/actions/shop__find');
  const text = page.getByRole('region', { name: 'Description' }).getByText(HEBREW);
  await text.waitFor();
  const gaps = await text.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [words, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return { left: words.left - box.left, right: box.right - words.right };
  });
  expect(gaps.right).toBeLessThan(gaps.left);
});

test("a failed call shows the toolkit's own code and message, wrapped, and its id can be copied", async () => {
  const { page, tools } = await openShop();
  await tools.invoke('shop__charge', {}).catch(() => {});
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/calls');
  await page.getByRole('table').getByText('CARD_DECLINED').filter({ visible: true }).waitFor();
  const { invocations } = await callApi<InvocationsPage>(page, ADMIN_PATHS.invocations);
  await page.goto(`/calls/${invocations[0]?.id}`);
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await outcome.getByText(/^CARD_DECLINED: The bank declined the card/).waitFor();
  const error = page.getByRole('region', { name: 'Error as JSON' });
  expect(await error.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
  expect(await page.title()).toBe('Call shop__charge · svc-sdk');
  await page.getByRole('button', { name: `Copy: ${invocations[0]?.id}` }).waitFor();
  await outcome.getByRole('link', { name: 'CARD_DECLINED' }).click();
  await page.waitForURL('**/calls?toolkitCode=CARD_DECLINED');
  await page.getByRole('table').getByText('shop__charge').first().waitFor();
});

test('the tab of a session has its id, and a session that ended is not asked for again', async () => {
  const { page, tools, service } = await openShop();
  await tools.invoke('shop__find', {});
  await page.clock.install();
  await page.goto('/sessions/chat-7');
  await page.getByRole('link', { name: 'shop__find' }).first().waitFor();
  expect(await page.title()).toBe('Session chat-7 · svc-sdk');
  await page.clock.setFixedTime(Date.now() + 600_000);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v1/sessions/chat-7')) asked++;
  });
  // A second window shows when the changes have arrived.
  const calls = await page.context().newPage();
  await calls.goto('/calls');
  const others = await service.tools({}, { name: 'others' });
  for (let count = 0; count < 3; count++) await others.invoke('shop__find', {});
  await expect.poll(() => calls.getByRole('table').getByText('shop__find').count()).toBeGreaterThan(3);
  expect(asked).toBe(0);
});

test('a sign-out in another tab leads to the sign-in page, and never says that the service does not answer', async () => {
  const { page, owner } = await openShop();
  owner.mayBeRefused(401, /./);
  await page.goto('/calls');
  await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor();
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.body.textContent?.includes('does not answer')) document.documentElement.dataset.wasLost = 'true';
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  const other = await page.context().newPage();
  await other.goto('/');
  await other.getByRole('button', { name: /^Account of/ }).click();
  await expectAccessible(other);
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.waitForURL('**/sign-in');
  await page.waitForURL(/\/sign-in/);
  expect(await page.evaluate(() => document.documentElement.dataset.wasLost)).toBeUndefined();
});

test.each([320, 390])('Demand has its buttons in sight at %d px', async (width) => {
  const { page, tools } = await openShop();
  const query = 'rent a cargo bike for a weekend in Malmö';
  await tools.search(query);
  await page.setViewportSize({ width, height: 800 });
  await page.goto('/demand');
  for (const name of ['Search now', 'Build this']) {
    const button = page.getByRole('link', { name: `${name}: ${query}` });
    await button.waitFor();
    const { x = 0, width: wide = 0 } = (await button.boundingBox()) ?? {};
    expect(x + wide, name).toBeLessThanOrEqual(width);
  }
});
