// @module-tag chromium
/** The walks of four people through one service: what each reads is what was sent, and the pages agree. */
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { type Toolkit, Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { openVisitor } from '../../../test/support/browser';
import { callApi, openConsole } from '../../../test/support/console';
import { runToolkit } from '../../../test/support/service';

const PRICE = '0.05';
const FAILING = /^Toolkit "Company registry": 33 % of 24 calls failed/;

function registry(toolkit: Toolkit): void {
  void toolkit.updateToolkit({
    name: 'Company registry',
    description: 'Companies of Sweden by name and number.',
    readme: '# Companies\n\nOf **all** of Sweden.',
    category: 'data',
    version: '2.1',
  });
  toolkit.action(
    {
      action: 'find_company',
      actionDescription: 'Finds a company in the registry by its name',
      payloadDescription: { name: { type: 'string', description: 'Name of the company', required: true } },
      payment: { amount: PRICE },
      annotations: { readOnly: true },
    },
    (context, { name }: { name: string }) =>
      name === 'Nobody AB' ? context.error('COMPANY_UNKNOWN', 'The registry has no such company') : { number: 7 },
  );
}

/** A toolkit of a member, and the agent of another person: 3 sessions, 24 calls to a paid action of which 8 fail and cost nothing, 1 search in vain. */
async function stage() {
  const service = await openConsole({ catalogue: 'public' });
  const owner = await service.owner();
  await callApi(owner.page, ADMIN_PATHS.settings, { content: 'all', searchTexts: 'all' }, 'PATCH');
  const member = await service.member(owner);
  const { key } = await callApi<CreatedKey>(member.page, PATHS.keys, { kind: 'toolkit', name: 'registry' });
  await runToolkit(service.url, key, registry);
  const agent = await service.keys.create({ kind: 'agent', name: 'research', budget: { perCall: '1', perDay: '50' } });
  const tools = (sessionId: string, userId: string) => new Tools({ baseUrl: service.url, apiKey: agent.key, sessionId, userId });
  for (const session of ['monday', 'tuesday', 'wednesday']) {
    const conversation = tools(session, session === 'monday' ? 'ada' : 'bob');
    await conversation.search(session === 'wednesday' ? 'order a pizza' : 'find a company by its name');
    for (let call = 0; call < 8; call++)
      await conversation
        .invoke('registry__find_company', { name: call < 4 && session !== 'monday' ? 'Nobody AB' : 'Tea AB' })
        .catch(() => {});
    await conversation.reportUsage({ model: 'gpt-6', inputTokens: 1_000, outputTokens: 50 });
    await conversation.flushUsage();
  }
  return { service, owner, member };
}

const figuresOf = async (region: Locator) =>
  Object.fromEntries(
    (await region.locator('dl > div').allInnerTexts()).map((text) => {
      const [label = '', ...values] = text.split(/\s*\n\s*/);
      return [label, values.join(' ')];
    }),
  );

test('a toolkit developer reads use, failures and earnings of the toolkit', async () => {
  const { page } = (await stage()).member;
  await page.goto('/?span=1h');
  const overview = page.getByRole('region', { name: 'The calls to your toolkits', exact: true });
  await overview.getByText('24 total').waitFor();
  await overview.getByText('33%').waitFor();

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Toolkits' }).click();
  await page.getByRole('table', { name: 'Toolkits' }).getByRole('link', { name: 'Company registry' }).click();
  await page.waitForURL('**/toolkits/registry');
  const day = page.getByRole('region', { name: 'The last day' });
  await expect.poll(() => figuresOf(day)).toMatchObject({ 'Calls, last day': '24', Errors: '8 33%' });
  await page
    .getByRole('table', { name: 'Error codes of the toolkit' })
    .getByRole('row', { name: /COMPANY_UNKNOWN.*8.*8/ })
    .waitFor();
  await page.getByRole('region', { name: 'Earnings' }).getByText('0.8 USD for 24 paid calls').waitFor();
});

test('an agent developer finds a conversation by its failures, and reads what it did, used and cost', async () => {
  const { page } = (await stage()).owner;
  await page.goto('/sessions');
  const table = page.getByRole('table', { name: 'Sessions' });
  await table.getByRole('link', { name: 'monday', exact: true }).waitFor();
  await page.getByLabel('Searched in vain').check();
  await table.getByRole('link', { name: 'monday', exact: true }).waitFor({ state: 'detached' });
  await table.getByRole('link', { name: 'wednesday', exact: true }).click();
  const sums = page.getByRole('region', { name: 'Sums' });
  await expect
    .poll(() => figuresOf(sums))
    .toMatchObject({ Searches: '1 1 in vain', Calls: '8 4 errors', Cost: '0.2 USD', Tokens: '1,050' });
  expect(await page.getByRole('button', { name: 'Payload and result of registry__find_company' }).count()).toBe(8);
  await page.getByRole('button', { name: 'Payload and result of registry__find_company' }).first().click();
  await page.getByText('"Nobody AB"').waitFor();

  await page.getByRole('region', { name: 'Facts' }).getByRole('link', { name: 'bob' }).click();
  await page.getByRole('heading', { level: 1, name: 'User bob' }).waitFor();
  await expect.poll(() => figuresOf(sums)).toMatchObject({ Sessions: '2', Calls: '16 8 errors', Cost: '0.4 USD', Tokens: '2,100' });
  await page.goto('/spending?by=user');
  await page
    .getByRole('table', { name: 'Spending by user' })
    .getByRole('row', { name: /bob.*0.4 USD/ })
    .waitFor();
});

test('an operator is led from an alert to the failed calls, exports them, and sees the nodes', async () => {
  const { page } = (await stage()).owner;
  await page.goto('/alerts');
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Check now' }).click();
      return page.getByRole('link', { name: FAILING }).first().isVisible();
    })
    .toBe(true);
  await page.goto('/');
  await page.getByRole('region', { name: 'Attention' }).getByRole('link', { name: FAILING }).click();
  await page.waitForURL('**/calls?toolkit=registry&outcome=error');
  await expect.poll(() => page.getByRole('table').locator('tbody tr').filter({ hasText: 'COMPANY_UNKNOWN' }).count()).toBe(8);
  await page.getByRole('button', { name: 'Export' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  const [, ...lines] = readFileSync(await (await downloading).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(8);
  expect(lines.every((line) => line.includes('COMPANY_UNKNOWN'))).toBe(true);

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'System' }).click();
  await page.getByRole('table', { name: 'Nodes' }).getByText('(answers now)').waitFor();
  expect(await page.getByRole('table', { name: 'Nodes' }).locator('tbody tr').count()).toBe(1);
  expect(await page.getByRole('table', { name: 'SDKs' }).locator('tbody tr').allInnerTexts()).toEqual([expect.stringMatching(/\t1$/)]);
});

test('a visitor finds the toolkit in the catalogue, with its use, success and price, and what is wanted', async () => {
  const { service } = await stage();
  const { page } = await openVisitor({ baseURL: service.url, javaScriptEnabled: false });
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Company registry' }) });
  await page.goto('/catalogue');
  await expect
    .poll(
      async () => {
        // The browser keeps the page for a minute, and the calls may not be counted yet.
        await page.reload();
        return (await card.locator('dd').allInnerTexts()).slice(0, 3);
      },
      { interval: 500 },
    )
    .toEqual(['1', '24', '66.6 %']);
  await card.getByText('0.05 USD').waitFor();
  await page.getByRole('link', { name: 'Company registry' }).click();
  await page.getByText('Of all of Sweden.').waitFor();
  await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name: 'Actions' }).click();
  expect(await page.locator('main').innerText()).toMatch(/find_company\(name: string.*24 calls in 30 days · 66.6 % success/s);
});
