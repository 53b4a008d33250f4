// @module-tag chromium
/** The overview of a member: the calls to their toolkits, apart from the calls of their keys. */
import type { Page } from 'playwright-core';
import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { callApi, openConsole } from '../../../test/support/console';
import { runToolkit } from '../../../test/support/service';

async function publishRegistry(page: Page, url: string): Promise<void> {
  const { key } = await callApi<CreatedKey>(page, PATHS.keys, { kind: 'toolkit', name: 'Registry' });
  await runToolkit(url, key, (registry) => {
    registry.action({ action: 'find_company', actionDescription: 'Finds a company by its name' }, () => ({ id: 7 }));
    registry.action({ action: 'charge', actionDescription: 'Charges a card' }, (ctx) => {
      throw ctx.error('CARD_DECLINED', 'The bank declined the card');
    });
  });
}

test('a member with a toolkit alone sees its calls, its rate of errors and its outcomes, which lead to these calls', async () => {
  const service = await openConsole();
  const { page } = await service.member(await service.owner());
  await publishRegistry(page, service.url);
  const stranger = await service.tools({}, { name: 'stranger' });
  for (let count = 0; count < 3; count++) await stranger.invoke('registry__find_company', {});
  await stranger.invoke('registry__charge', {}).catch(() => {});

  await page.goto('/?span=1h');
  const toolkits = page.getByRole('region', { name: 'The calls to your toolkits', exact: true });
  await toolkits.getByText('4 total').waitFor();
  await toolkits.getByText('25%').waitFor();
  await page.getByRole('region', { name: 'The calls of your keys' }).getByText('No calls in this time.').waitFor();
  await page.getByRole('img', { name: /^4 calls with 1 error/ }).waitFor();
  const outcomes = page.getByRole('region', { name: 'Outcomes: your toolkits' });
  await outcomes.getByRole('link', { name: '1 call with ACTION_FAILED' }).click();
  await page.waitForURL('**/calls?mine=toolkits&outcome=ACTION_FAILED&from=1h');
  await page.getByRole('table').getByText('registry__charge').waitFor();
});

test('a member with both sees two sums, and the calls of one do not count as those of the other', async () => {
  const service = await openConsole();
  const { page } = await service.member(await service.owner());
  await publishRegistry(page, service.url);
  const { key } = await callApi<CreatedKey>(page, PATHS.keys, { kind: 'agent', name: 'Own agent' });
  const own = new Tools({ baseUrl: service.url, apiKey: key });
  for (let count = 0; count < 2; count++) await own.invoke('nothing__there', {}).catch(() => {});
  const stranger = await service.tools({}, { name: 'stranger' });
  for (let count = 0; count < 5; count++) await stranger.invoke('registry__find_company', {});

  await page.goto('/?span=1h');
  const toolkits = page.getByRole('region', { name: 'The calls to your toolkits', exact: true });
  const keys = page.getByRole('region', { name: 'The calls of your keys', exact: true });
  await toolkits.getByText('5 total').waitFor();
  await keys.getByText('2 total').waitFor();
  expect(await keys.getByText('100%').count()).toBe(1);
  expect(await toolkits.getByText('0%', { exact: true }).count()).toBe(1);

  await page.goto('/calls?mine=keys');
  await page.getByRole('table').getByText('nothing__there').first().waitFor();
  expect(await page.getByRole('table').getByText('registry__find_company').count()).toBe(0);
});
