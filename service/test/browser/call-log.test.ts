// @module-tag chromium
/** The log of calls at hundreds of calls a second: the page shows the calls of the API, once each, in order. */
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS, type InvocationsPage, type OwnedKeysPage } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { callApi, openConsole, type TestConsole } from '../../../test/support/console';

const CALLERS = 8;

/** Two toolkits, one of which fails each third call, and two agents that call all of it again and again until they are stopped. */
async function openShop() {
  const service = await openConsole();
  let calls = 0;
  for (const name of ['orders', 'mail']) {
    await service.toolkit(name, (toolkit) => {
      for (const action of ['find', 'change'])
        toolkit.action({ action, actionDescription: `Does ${action} in ${name}`, payloadDescription: {} }, (context) => {
          calls++;
          return name === 'mail' && calls % 3 === 0 ? context.error('FULL', 'The box is full') : { done: calls };
        });
    });
  }
  const owner = await service.owner();
  return { service, owner };
}

/** Calls at full speed, 200 at first and 200 more whenever the test wants them: a slow page would otherwise have tens of thousands of rows. */
async function startLoad(service: TestConsole) {
  const agents = await Promise.all(['one', 'two'].map((name) => service.tools({}, { name })));
  const actions = ['orders__find', 'orders__change', 'mail__find', 'mail__change'];
  let stopped = false;
  let made = 0;
  let left = 200;
  const caller = async (caller: number) => {
    for (let call = caller; !stopped; call++) {
      while (left === 0 && !stopped) await setTimeout(5);
      if (stopped) return;
      left--;
      await agents[call % 2]?.invoke(actions[call % actions.length] ?? '', {}).catch(() => {});
      made++;
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, index) => caller(index));
  const stop = async () => {
    stopped = true;
    await Promise.all(callers);
    return made;
  };
  onTestFinished(() => void stop());
  const goOn = () => {
    left += 200;
  };
  return { stop, goOn, made: () => made };
}

/** Ids of the calls in the table, from top to bottom. */
async function shownIds(page: Page): Promise<string[]> {
  return page
    .getByRole('table')
    .locator('.call-row-link')
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname.replace('/calls/', '')));
}

/** All that the API lists for these filters, newest first. */
async function listedIds(page: Page, filters: Record<string, string> = {}): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ ...filters, limit: '100', ...(cursor && { cursor }) });
    const found = await callApi<InvocationsPage>(page, `${ADMIN_PATHS.invocations}?${query}`);
    ids.push(...found.invocations.map(({ id }) => id));
    cursor = found.nextCursor;
  } while (cursor);
  return ids;
}

/** The rows in reading order: newest first, without duplicates. */
function expectInOrder(ids: readonly string[]): void {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted().reverse());
}

async function loadAll(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'Load more' });
  while ((await more.count()) > 0) {
    const before = (await shownIds(page)).length;
    await more.click();
    await vi.waitFor(async () => expect((await shownIds(page)).length).toBeGreaterThan(before));
  }
}

test('under load rows appear at the top, in order and once each; afterwards the page has every call that the API has', async () => {
  const { service, owner } = await openShop();
  const { page } = owner;
  await page.goto('/calls');
  await page.getByText('No calls yet').waitFor();
  const load = await startLoad(service);

  let newest = '';
  for (let look = 0; look < 4; look++) {
    await vi.waitFor(async () => expect(((await shownIds(page))[0] ?? '') > newest).toBe(true));
    const ids = await shownIds(page);
    expectInOrder(ids);
    newest = ids[0] ?? '';
    load.goOn();
  }
  await vi.waitFor(() => expect(load.made()).toBeGreaterThan(400), 30_000);
  const made = await load.stop();
  const newestListed = async () => (await callApi<InvocationsPage>(page, `${ADMIN_PATHS.invocations}?limit=1`)).invocations[0]?.id;
  await vi.waitFor(async () => expect((await shownIds(page))[0]).toBe(await newestListed()));
  await loadAll(page);

  const [shown, listed] = [await shownIds(page), await listedIds(page)];
  expect(listed).toHaveLength(made);
  expectInOrder(shown);
  expect(shown).toEqual(listed);
  await page.getByText('end of list').waitFor();
});

test('each filter shows the calls of the API, and is part of the address', async () => {
  const { service, owner } = await openShop();
  const { page } = owner;
  await page.goto('/calls');
  const load = await startLoad(service);
  await vi.waitFor(() => expect(load.made()).toBeGreaterThan(120), 30_000);
  await load.stop();
  await page.reload();
  const { keys } = await callApi<OwnedKeysPage>(page, PATHS.keys);
  const one = keys.find(({ name }) => name === 'one')?.id ?? '';

  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const expectShown = async (filters: Record<string, string>) => {
    await page.waitForURL((url) => Object.entries(filters).every(([name, value]) => url.searchParams.get(name) === value));
    const listed = await listedIds(page, filters);
    expect(listed.length).toBeGreaterThan(0);
    await vi.waitFor(async () => expect((await shownIds(page))[0]).toBe(listed[0]));
    await loadAll(page);
    expect(await shownIds(page)).toEqual(listed);
  };

  await choose('Key', 'one');
  await expectShown({ key: one });
  await choose('Toolkit', 'mail');
  await expectShown({ key: one, toolkit: 'mail' });
  await choose('Outcome', 'ACTION_FAILED');
  await expectShown({ key: one, toolkit: 'mail', outcome: 'ACTION_FAILED' });
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('combobox', { name: 'Action' }).fill('orders__find');
  await page.getByRole('combobox', { name: 'Action' }).press('Enter');
  await expectShown({ action: 'orders__find' });

  const [some = ''] = (await listedIds(page)).slice(20);
  const { startedAt = '' } = await callApi<{ startedAt?: string }>(page, `${ADMIN_PATHS.invocations}/${some}`);
  await page.goto(`/calls?to=${encodeURIComponent(startedAt)}`);
  await expectShown({ to: startedAt });
  await page.goto(`/calls?from=${encodeURIComponent(startedAt)}`);
  await expectShown({ from: startedAt });

  await page.goto('/calls');
  await page.getByLabel('Call id').fill(some);
  await page.getByLabel('Call id').press('Enter');
  await vi.waitFor(async () => expect(await shownIds(page)).toEqual([some]));
});

test('a row leads to its call: outcome, times and what happened on the way; back leads to where one was', async () => {
  const { service, owner } = await openShop();
  const { page } = owner;
  const tools = await service.tools({}, { name: 'one' });
  await tools.invoke('orders__find', {});
  await page.goto('/calls?action=orders__find');
  await page.getByRole('table').locator('.call-row-link').first().click();
  await page.waitForURL(/\/calls\/inv_/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const main = page.getByRole('main');
  for (const text of ['orders__find', 'one', 'Sent to the toolkit']) await main.getByText(text).first().waitFor();
  expect(await main.getByText('ok', { exact: true }).count()).toBeGreaterThan(0);
  await page.goBack();
  await page.waitForURL('**/calls?action=orders__find');
  expect(await shownIds(page)).toHaveLength(1);
});
