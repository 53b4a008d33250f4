// @module-tag chromium
/** An agent developer looks for three conversations: what the pages say is what was sent. */
import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { expectAccessible, expectNoSidewaysScroll, PHONE } from '../../../test/support/browser';
import { callApi, openConsole } from '../../../test/support/console';

async function converse() {
  const service = await openConsole();
  const owner = await service.owner();
  await callApi(owner.page, ADMIN_PATHS.settings, { searchTexts: 'all', content: 'all' }, 'PATCH');
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
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'writer', budget: { perCall: '1', perDay: '9' } });
  const tools = (sessionId: string, userId: string) => new Tools({ baseUrl: service.url, apiKey: key, sessionId, userId });
  const used = async (session: string, user: string, usage: string) => {
    const headers = { authorization: `Bearer ${key}`, [HEADERS.sessionId]: session, [HEADERS.userId]: user, [HEADERS.usage]: usage };
    expect((await fetch(service.url + PATHS.usage, { method: 'POST', headers })).status).toBe(204);
  };

  const dear = tools('dear', 'ada');
  await dear.search('translate a text');
  await dear.invoke('texts__translate');
  await dear.invoke('texts__translate');
  await used('dear', 'ada', '"gpt-6";id="u1";input=1200;cached=1024;output=86, "small";id="u2";input=10;output=4');
  const broken = tools('broken', 'ada');
  await broken.search('zzzz');
  await broken.invoke('texts__translate');
  await broken.invoke('texts__count').catch(() => {});
  await used('broken', 'ada', '"gpt-6";id="u1";input=500;output=20');
  await tools('free', 'bob').search('count the words');
  return { page: owner.page, tools };
}

test('three conversations are found by cost, error and user, and their numbers are those that were sent', async () => {
  const { page, tools } = await converse();
  await page.goto('/sessions');
  const table = page.getByRole('table', { name: 'Sessions' });
  const cellsOf = async (session: string) => {
    const row = table.getByRole('row').filter({ has: page.getByRole('link', { name: session, exact: true }) });
    return (await row.getByRole('cell').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  };
  await table.getByRole('link', { name: 'dear', exact: true }).waitFor();
  await page.setViewportSize({ width: 1600, height: 900 });
  expect((await cellsOf('dear')).slice(1, 7)).toEqual(['ada', '1', '2', '0', '0.06 USD', '1,300']);
  expect((await cellsOf('broken')).slice(1, 7)).toEqual(['ada', '1 1 in vain', '2', '1 ended with one', '0.03 USD', '520']);
  expect((await cellsOf('free')).slice(1, 7)).toEqual(['bob', '1 1 in vain', '0', '0', '0 USD', '–']);

  await table.getByRole('button', { name: 'Cost' }).click();
  await expect.poll(() => table.getByRole('row').nth(1).innerText()).toContain('dear');
  await page.waitForURL('**/sessions?sort=cost&order=desc');
  await page.getByLabel('Searched in vain').check();
  await table.getByRole('link', { name: 'dear', exact: true }).waitFor({ state: 'detached' });
  await page.getByLabel('Dearer than (USD)').fill('much');
  await page.getByText('An amount, such as 0.05').waitFor();
  await page.getByLabel('Dearer than (USD)').fill('0.01');
  await page.getByLabel('Dearer than (USD)').press('Enter');
  await table.getByRole('link', { name: 'free', exact: true }).waitFor({ state: 'detached' });
  expect(await table.getByRole('link', { name: 'broken', exact: true }).count()).toBe(1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await table.getByRole('link', { name: 'free', exact: true }).waitFor();
  await expectAccessible(page);

  // A new conversation appears by itself.
  await tools('new', 'eve').invoke('texts__translate');
  await table.getByRole('link', { name: 'new', exact: true }).waitFor();

  await table.getByRole('link', { name: 'dear', exact: true }).click();
  const sums = page.getByRole('region', { name: 'Sums' });
  await expect.poll(() => sums.innerText()).toMatch(/Searches\s+1\s+Calls\s+2\s+Cost\s+0.06\s+USD\s+Tokens\s+1,300\s/);
  const models = page.getByRole('table', { name: 'Tokens by model' });
  await expect
    .poll(async () => (await models.getByRole('row').allInnerTexts()).map((text) => text.split(/\s+/).join(' ')))
    .toEqual(['Model Input Of it cached Output', 'gpt-6 1,200 1,024 86', 'small 10 0 4']);
  expect(await page.title()).toBe('Session dear · svc-sdk');
  await page.getByRole('button', { name: 'Payload and result of texts__translate' }).first().click();
  await page.getByText('"Bonjour"').waitFor();

  await page.getByRole('region', { name: 'Facts' }).getByRole('link', { name: 'ada' }).click();
  await page.getByRole('heading', { level: 1, name: 'User ada' }).waitFor();
  expect(await sums.innerText()).toMatch(
    /Sessions\s+2\s+Searches\s+2\s+1 in vain\s+Calls\s+4\s+1 error\s+Cost\s+0.09\s+USD\s+Tokens\s+1,820/,
  );
  const days = page.getByRole('table', { name: 'Activity by day' });
  expect(await days.getByRole('row').nth(1).innerText()).toContain('0.09 USD');
  await table.getByRole('link', { name: 'broken', exact: true }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page);

  await page.getByRole('link', { name: 'All users' }).click();
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  const users = page.getByRole('table', { name: 'Users' });
  await users.getByRole('link', { name: 'ada' }).waitFor();
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1600, height: 900 });
  const cellsOfUser = async (name: string) => {
    const row = users.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    return (await row.getByRole('cell').allInnerTexts()).map((text) => text.trim());
  };
  expect((await cellsOfUser('ada')).slice(1, 7)).toEqual(['2', '2', '4', '1', '0.09 USD', '1,820']);
  await users.getByRole('button', { name: 'Cost' }).click();
  await page.waitForURL('**/users?sort=cost&order=desc');
  await expect.poll(() => users.getByRole('row').nth(1).innerText()).toContain('ada');
  await page.getByLabel('User', { exact: true }).fill('BO');
  await page.getByLabel('User', { exact: true }).press('Enter');
  await users.getByRole('link', { name: 'ada' }).waitFor({ state: 'detached' });
  expect((await cellsOfUser('bob')).slice(1, 4)).toEqual(['1', '1', '0']);
  await expectAccessible(page);
  await page.setViewportSize(PHONE);

  await page.goto('/spending?by=user');
  const spending = page.getByRole('table', { name: 'Spending by user' });
  await expect.poll(() => spending.getByRole('row').nth(1).innerText()).toMatch(/ada[\s\S]*0.09 USD/);
  await page.getByText('Session', { exact: true }).last().click();
  await page.getByRole('table', { name: 'Spending by session' }).getByRole('link', { name: 'dear', exact: true }).waitFor();
  await page.goto('/sessions');
  await table.getByRole('link', { name: 'dear', exact: true }).waitFor();
  await expectNoSidewaysScroll(page);
});
