// @module-tag chromium
/** Payments for owners and members: prices, budgets, costs of calls, and sums. Every amount on a page is the ledger's. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { SvcError, type Tools } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import type { OwnedKeysPage } from '#sdk/protocol/admin';
import { type CreatedKey, HEADERS, PATHS } from '#sdk/protocol/http';
import { expectAccessible } from '../../../test/support/browser';
import { callApi, openConsole } from '../../../test/support/console';
import { runToolkit } from '../../../test/support/service';

const BUDGET = { perCall: '0.1', perDay: '1' };

/** A paid action that charges the amount in its payload, and a free action. */
async function openShop() {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  await service.toolkit('texts', (toolkit) => {
    toolkit.action(
      {
        action: 'translate',
        actionDescription: 'Translates a text into another language',
        payloadDescription: { type: 'object', properties: { cost: { type: 'string', description: 'What it costs' } } },
        payment: { amount: '0.05' },
      },
      (context, { cost }: { cost?: string }) => {
        if (cost === 'error') return context.error('BROKEN', 'The translator is broken');
        if (cost !== undefined) context.charge(cost);
        return 'Bonjour';
      },
    );
    toolkit.action({ action: 'count', actionDescription: 'Counts the words of a text', payloadDescription: {} }, () => 2);
  });
  return { service, owner, page };
}

async function openTrial(page: Page): Promise<Locator> {
  await page.goto('/actions/texts__translate');
  const trial = page.getByRole('region', { name: 'Try it' });
  await trial.getByRole('button', { name: 'Open the form' }).click();
  return trial;
}

const charge = (tools: Tools, cost?: string) => tools.invoke('texts__translate', cost === undefined ? {} : { cost });

/** The header of the call that *Run* makes. */
async function maxPaymentOfRun(page: Page, trial: Locator): Promise<string | undefined> {
  const sent = page.waitForRequest(/\/invoke$/);
  await trial.getByRole('button', { name: 'Run' }).click();
  return (await sent).headers()[HEADERS.maxPayment];
}

const rowTexts = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr').allInnerTexts();

test('the price is shown before a call and the charge after it, and the call has both in its record', async () => {
  const { service, owner, page } = await openShop();
  owner.mayBeRefused(502, /invoke$/);
  await service.keys.create({ kind: 'agent', name: 'rich', budget: BUDGET });
  await page.goto('/toolkits/texts');
  await page.getByRole('article').filter({ hasText: 'texts__translate' }).getByText('up to 0.05 USD a call').waitFor();
  expect(await page.getByRole('article').filter({ hasText: 'texts__count' }).getByText('USD').count()).toBe(0);
  await page.goto('/search?query=translate');
  await page.getByRole('article').getByText('up to 0.05 USD a call').waitFor();
  await page.getByRole('region', { name: 'Answer to search_services' }).getByText('"amount": "0.05"').waitFor();

  const trial = await openTrial(page);
  await trial.getByText('This call costs up to 0.05 USD, from the budget of rich.').waitFor();
  await trial.getByLabel(/^cost/).fill('0.03');
  await trial.getByRole('button', { name: 'Run' }).click();
  await trial.getByText('Charged 0.03 USD of at most 0.05 USD.').waitFor();
  await trial.getByRole('link', { name: /^inv_/ }).click();
  const facts = page.getByRole('region', { name: 'Facts' });
  await facts.getByText('0.03 USD charged of at most 0.05 USD').waitFor();

  const again = await openTrial(page);
  await again.getByLabel(/^cost/).fill('error');
  await again.getByRole('button', { name: 'Run' }).click();
  await again.getByText('Nothing was charged.').waitFor();
  await again.getByRole('link', { name: /^inv_/ }).click();
  await facts.getByText('0.05 USD released: the call costs nothing').waitFor();
});

test('a key without a budget is reported before the call, and a call may cost at most the shown price', async () => {
  const { service, owner, page } = await openShop();
  owner.mayBeRefused(402, /invoke$/);
  const { id } = await service.keys.create({ kind: 'agent', name: 'poor' });
  const trial = await openTrial(page);
  await trial.getByText('poor has no budget').waitFor();
  await trial.getByRole('button', { name: 'Run' }).click();
  await trial.getByText('PAYMENT_REQUIRED', { exact: true }).waitFor();

  await callApi(page, `${PATHS.keys}/${id}`, { budget: BUDGET }, 'PATCH');
  const paid = await openTrial(page);
  await paid.getByText('This call costs up to 0.05 USD, from the budget of poor.').waitFor();
  expect(await maxPaymentOfRun(page, paid)).toBe('0.05');
  await paid.getByText('Charged 0.05 USD.').waitFor();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'more', toolkit: 'texts' });
  await runToolkit(service.url, key, (toolkit) => {
    toolkit.action(
      { action: 'translate', actionDescription: 'Translates better', payloadDescription: {}, payment: { amount: '0.09' } },
      () => 'Salut',
    );
  });
  // The page updates without a reload.
  await paid.getByText('This call costs up to 0.09 USD, from the budget of poor.').waitFor();
  expect(await maxPaymentOfRun(page, paid)).toBe('0.09');
});

test('an owner gives a key a budget and takes it away; the drawer shows what is used today; the audit log has both', async () => {
  const { service, owner, page } = await openShop();
  owner.mayBeRefused(400, /^\/v1\/keys/);
  await page.goto('/keys');
  await page.getByRole('button', { name: 'New key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('buyer');
  const [perCall, perDay] = [dialog.getByLabel('Budget per call (USD)'), dialog.getByLabel('Budget per day (USD)')];
  expect([await perCall.getAttribute('inputmode'), await perCall.getAttribute('type')]).toEqual(['decimal', null]);
  const create = dialog.getByRole('button', { name: 'Create key' });
  await perCall.fill('0,1');
  await create.click();
  await dialog.getByText('The amount must be a decimal text with at most 12 digits').waitFor();
  await dialog.getByText('Enter both amounts, or leave both empty').waitFor();
  await perCall.fill('2');
  await perDay.fill('1');
  await create.click();
  await dialog.getByRole('alert').getByText('budget.perCall is 2, which is more than budget.perDay, 1').waitFor();
  await perCall.fill('0.10');
  await create.click();
  await dialog.getByRole('button', { name: "I've saved it" }).click();

  const { keys } = await callApi<OwnedKeysPage>(page, PATHS.keys);
  const { id = '' } = keys.find(({ name }) => name === 'buyer') ?? {};
  const { key } = await callApi<CreatedKey>(page, `${PATHS.keys}/${id}/rotate`, {});
  const tools = await service.tools({ apiKey: key });
  await page.getByRole('link', { name: 'buyer' }).click();
  const drawer = page.getByRole('dialog', { name: /buyer/ });
  await drawer.getByText('0.1 USD per call, 1 USD per day').waitFor();
  await drawer.getByText('Today (UTC): 0 USD charged, 0 USD held, 1 USD left').waitFor();
  await charge(tools, '0.02');
  // The page updates without a reload.
  await drawer.getByText('Today (UTC): 0.02 USD charged, 0 USD held, 0.98 USD left').waitFor();
  await expectAccessible(page);

  await drawer.getByRole('button', { name: 'Change', exact: true }).click();
  await drawer.getByLabel('Budget per call (USD)').fill('');
  await drawer.getByLabel('Budget per day (USD)').fill('');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText('None: free actions only').waitFor();
  const refusal = await charge(tools).catch((error: unknown) => error);
  expect(SvcError.is(refusal) && refusal.code).toBe('PAYMENT_REQUIRED');
  await page.goto('/audit');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'changed key “buyer”' })
    .getByText('budget: 0.1 per call, 1 per day → none')
    .first()
    .waitFor();
});

test('spending adds up by key, toolkit, action and day, sorts, leads to the calls, and can be downloaded', async () => {
  const { service, page } = await openShop();
  await page.goto('/spending');
  await page.getByRole('heading', { name: 'No paid calls in the last 30 days' }).waitFor();
  await page.getByText("payment: { amount: '0.05' }").waitFor();
  await expectAccessible(page);

  const [one, two] = await Promise.all(['first-bot', 'second-bot'].map((name) => service.tools({}, { name, budget: BUDGET })));
  if (!one || !two) throw new Error('Two agents were asked for');
  await charge(one, '0.01');
  await charge(one, '0.000001');
  await charge(two);
  await one.invoke('texts__count', {});
  const sums = page.getByRole('region', { name: 'Sums' });
  // The page updates without a reload.
  await sums.getByText('0.060001 USD').waitFor();
  await vi.waitFor(async () =>
    expect((await rowTexts(page, 'Spending by key')).map((row) => row.replace(/key_\S+/, '').replaceAll(/\s+/g, ' '))).toEqual([
      'second-bot 1 0 USD 0.05 USD',
      'first-bot 2 0 USD 0.010001 USD',
    ]),
  );
  await page.getByRole('button', { name: 'Paid calls' }).click();
  await page.waitForURL(/sort=calls/);
  await vi.waitFor(async () => expect((await rowTexts(page, 'Spending by key'))[0]).toContain('first-bot'));
  await page.getByRole('button', { name: 'Paid calls' }).click();
  await vi.waitFor(async () => expect((await rowTexts(page, 'Spending by key'))[0]).toContain('second-bot'));

  for (const [by, row] of [
    ['Toolkit', /texts\s+3\s+0 USD\s+0.060001 USD/],
    ['Action', /texts__translate\s+3\s+0 USD\s+0.060001 USD/],
    ['Day', /3\s+0 USD\s+0.060001 USD/],
  ] as const) {
    await page.getByRole('radiogroup', { name: 'Add up by' }).getByText(by, { exact: true }).click();
    await vi.waitFor(async () => expect(await rowTexts(page, `Spending by ${by.toLowerCase()}`)).toEqual([expect.stringMatching(row)]));
  }
  await page.getByRole('button', { name: 'Show as table' }).click();
  await vi.waitFor(async () =>
    expect(await rowTexts(page, 'Charged and held per day')).toEqual([expect.stringMatching(/0 USD\s+0.060001 USD/)]),
  );

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('ledger.csv');
  const [head, ...lines] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(head).toContain('authorised,charged,currency');
  expect(lines.map((line) => line.split(',').at(-2))).toEqual(['0.01', '0.000001', '0.05']);

  await page.goto('/spending?by=key');
  await page.getByRole('link', { name: /^2 paid calls of key_/ }).click();
  await page.waitForURL(/\/calls\?.*key=key_/);
  await vi.waitFor(async () => expect(await rowTexts(page, 'Calls, newest first')).toHaveLength(3));
});

test('a member sees only the spending of their keys and the income of their toolkits; budgets are read-only', async () => {
  const { service, owner, page } = await openShop();
  const member = await service.member(owner);
  const ofOwner = await service.tools({}, { name: 'of-the-owner', budget: BUDGET });
  const { id, key } = await callApi<CreatedKey>(member.page, PATHS.keys, { kind: 'agent', name: 'of-the-member' });
  const { key: toolkitKey } = await callApi<CreatedKey>(member.page, PATHS.keys, { kind: 'toolkit', name: 'pictures' });
  await callApi(page, `${PATHS.keys}/${id}`, { budget: BUDGET }, 'PATCH');
  await runToolkit(service.url, toolkitKey, (toolkit) => {
    toolkit.action(
      { action: 'draw', actionDescription: 'Draws a picture', payloadDescription: {}, payment: { amount: '0.07' } },
      () => 'ok',
    );
  });
  await charge(await service.tools({ apiKey: key }), '0.04');
  await charge(ofOwner, '0.05');
  await ofOwner.invoke('pictures__draw', {});

  await member.page.goto('/spending');
  await member.page.getByRole('region', { name: 'Sums' }).getByText('0.04 USD').waitFor();
  await vi.waitFor(async () => expect(await rowTexts(member.page, 'Spending by key')).toEqual([expect.stringContaining('of-the-member')]));
  await member.page.getByText('Earnings of my toolkits').click();
  await member.page.getByRole('region', { name: 'Sums' }).getByText('0.07 USD').waitFor();
  await vi.waitFor(async () =>
    expect(await rowTexts(member.page, 'Spending by action')).toEqual([expect.stringContaining('pictures__draw')]),
  );
  expect(await member.page.getByRole('main').innerText()).not.toContain('of-the-owner');
  await expectAccessible(member.page);

  await member.page.goto('/keys');
  await member.page.getByRole('link', { name: 'of-the-member' }).click();
  const drawer = member.page.getByRole('dialog');
  await drawer.getByText('Today (UTC): 0.04 USD charged, 0 USD held, 0.96 USD left').waitFor();
  await drawer.getByRole('button', { name: 'Change', exact: true }).click();
  await drawer.getByText('Only owners can change a budget').waitFor();
  expect(await drawer.getByLabel(/^Budget per/).count()).toBe(0);
  await drawer.getByLabel('Name', { exact: true }).fill('renamed');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText('0.1 USD per call, 1 USD per day').waitFor();
});
