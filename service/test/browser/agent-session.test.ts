// @module-tag chromium
/** The page of a session: the searches and calls of one conversation, for an operator and for a member. */
import type { Page } from 'playwright-core';
import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { expectAccessible, expectAccessibleInEachColor, expectNoSidewaysScroll, PHONE } from '../../../test/support/browser';
import { callApi, openConsole } from '../../../test/support/console';

/** Characters that an address has to escape. */
const SESSION = 'chat/7?50%25#"a"';
const USER = '4711';

async function openShop() {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  await callApi(page, ADMIN_PATHS.settings, { searchTexts: 'all' }, 'PATCH');
  let finish = () => {};
  const running = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await service.toolkit('texts', (toolkit) => {
    toolkit.action(
      { action: 'translate', actionDescription: 'Translates a text', payloadDescription: {}, payment: { amount: '0.05' } },
      (context) => {
        context.charge('0.03');
        return 'Bonjour';
      },
    );
    toolkit.action({ action: 'count', actionDescription: 'Counts the words of a text', payloadDescription: {} }, (context) =>
      context.error('BROKEN', 'It does not count'),
    );
    toolkit.action({ action: 'print', actionDescription: 'Prints a text', payloadDescription: {} }, () => running);
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'writer', budget: { perCall: '1', perDay: '9' } });
  return {
    service,
    owner,
    page,
    key,
    finish,
    inSession: (sessionId: string) => new Tools({ baseUrl: service.url, apiKey: key, sessionId, userId: USER }),
  };
}

const openSession = async (page: Page, id: string) => {
  await page.goto(`/sessions/${encodeURIComponent(id)}`);
  await page.getByRole('heading', { level: 1, name: 'Session' }).waitFor();
};

const rows = (page: Page) => page.getByRole('region', { name: 'Searches and calls' }).locator('.session-row:not(.session-axis)');

test('a session shows each search with its calls, and each call with outcome, duration and cost', async () => {
  const { page, inSession } = await openShop();
  const tools = inSession(SESSION);
  await tools.search('translate a text');
  await tools.invoke('texts__translate');
  await tools.invoke('texts__count').catch(() => {});
  await tools.search('zzzz');

  await openSession(page, SESSION);
  const [search, paid, failed, empty] = [0, 1, 2, 3].map((index) => rows(page).nth(index));
  await search?.getByRole('link', { name: 'translate a text' }).waitFor();
  const shown = search?.getByRole('list', { name: 'Shown actions' }).getByRole('listitem');
  await shown?.filter({ hasText: 'texts__translate' }).getByRole('link', { name: 'called' }).waitFor();
  expect(await shown?.filter({ hasText: 'texts__print' }).getByRole('link', { name: 'called' }).count()).toBe(0);
  await paid?.getByText('0.03 USD').waitFor();
  await paid?.getByText('ok', { exact: true }).waitFor();
  await failed?.getByText('ACTION_FAILED').waitFor();
  await empty?.getByText('Found nothing').waitFor();
  const facts = page.getByRole('region', { name: 'Facts' });
  const sums = page.getByRole('region', { name: 'Sums' });
  await expect.poll(() => sums.innerText()).toMatch(/Searches\s+2\s+1 in vain\s+Calls\s+2\s+1 error\s+Cost\s+0.03\s+USD\s+Tokens\s+–\s/);

  // The whole row opens its payload and result, and the way back leads through the facts of the call.
  await paid?.click({ position: { x: 500, y: 8 } });
  await page.getByText('Payloads and results are not stored (see Settings).').first().waitFor();
  await page.getByRole('link', { name: 'Timeline of this call' }).click();
  await page.getByRole('heading', { level: 1, name: 'Call' }).waitFor();
  await facts.getByRole('link', { name: SESSION }).click();
  await page.getByRole('heading', { level: 1, name: 'Session' }).waitFor();
  await rows(page).nth(3).waitFor();
  await facts.getByRole('link', { name: USER }).click();
  await page.getByRole('heading', { level: 1, name: `User ${USER}` }).waitFor();
  await page.getByRole('link', { name: 'Calls for this user' }).click();
  await page.waitForURL('**/calls?user=%224711%22');
  await page.getByRole('table').getByText('texts__count').waitFor();
});

test('the list of calls has sessions and users as filters, which the address keeps', async () => {
  const { page, inSession, service } = await openShop();
  await inSession(SESSION).invoke('texts__translate');
  const other = await service.tools({ sessionId: 'other' });
  await other.invoke('texts__count').catch(() => {});

  await page.goto('/calls');
  const table = page.getByRole('table');
  await table.getByText('texts__count').waitFor();
  await page.getByLabel('Session', { exact: true }).fill(SESSION);
  await page.getByLabel('Session', { exact: true }).press('Enter');
  await table.getByText('texts__count').waitFor({ state: 'detached' });
  await table.getByText('texts__translate').waitFor();
  await page.reload();
  expect(await page.getByLabel('Session', { exact: true }).inputValue()).toBe(SESSION);
  await page.getByRole('link', { name: 'Open session' }).click();
  await rows(page).first().waitFor();
  await page.getByRole('link', { name: 'Calls of this session' }).click();
  await table.getByText('texts__translate').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await table.getByText('texts__count').waitFor();

  await page.goto(`/calls?user=${USER}`);
  await table.getByText('texts__translate').waitFor();
  expect(await table.getByText('texts__count').count()).toBe(0);
});

test('the page of an active session is updated, also for a running call', async () => {
  const { page, inSession, finish } = await openShop();
  const tools = inSession('live');
  await tools.search('print a text');
  await openSession(page, 'live');
  await rows(page).getByText('print a text').waitFor();
  const printed = tools.invoke('texts__print');
  await rows(page).getByText('running').waitFor();
  finish();
  await printed;
  await rows(page).getByText('ok', { exact: true }).waitFor();
});

test('the keyboard alone opens a call; the page is accessible in every look, and fits a phone', async () => {
  const { page, inSession } = await openShop();
  const tools = inSession('keyboard');
  await tools.search('a text');
  await tools.invoke('texts__translate');
  await openSession(page, 'keyboard');
  await rows(page).nth(1).waitFor();
  await expectAccessibleInEachColor(page);
  const window = page.viewportSize() ?? PHONE;
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await page.setViewportSize(window);

  await rows(page).nth(0).getByRole('link', { name: 'a text', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Timeline of this call' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Timeline of this call' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByRole('link', { name: 'Timeline of this call' }).waitFor();
  await rows(page).nth(1).getByRole('link', { name: 'Call of texts__translate' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Call' }).waitFor();
});

test('texts that are not stored are marked as missing; a session of other people is not found', async () => {
  const { page, inSession, owner, service } = await openShop();
  await callApi(page, ADMIN_PATHS.settings, { searchTexts: 'off' }, 'PATCH');
  await inSession('quiet').search('a secret wish');
  await openSession(page, 'quiet');
  await rows(page).getByText('Its text is not stored').waitFor();
  expect(await page.getByText('a secret wish').count()).toBe(0);

  const member = await service.member(owner);
  member.mayBeRefused(404, /^\/v1\/sessions\//);
  await openSession(member.page, 'quiet');
  await member.page.getByText('Session not found').waitFor();
  await member.page.getByRole('link', { name: 'All calls' }).click();
  await member.page.getByText('No calls yet').waitFor();
});

test('a long session shows the number of loaded entries, and loads the rest', async () => {
  const { page, inSession } = await openShop();
  const tools = inSession('long');
  await Promise.all(Array.from({ length: 205 }, (_, index) => tools.search(`text ${index}`)));
  await openSession(page, 'long');
  await page.getByText('Showing the first 200, more below').waitFor();
  expect(await rows(page).count()).toBe(200);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => rows(page).count()).toBe(205);
  await expect.poll(() => page.getByRole('region', { name: 'Sums' }).innerText()).toMatch(/Searches\s+205\s/);
  expect(await page.getByText('more below').count()).toBe(0);
});
