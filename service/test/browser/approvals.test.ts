// @module-tag chromium
/** Calls that wait for a person, as people decide about them in the console. */
import type { Page } from 'playwright-core';
import { SvcError, Tools, type ToolsOptions } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import type { RequiredApproval } from '#sdk/protocol/approvals';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import type { Rule } from '#sdk/protocol/rules';
import { expectAccessibleEverywhere, PHONE } from '../../../test/support/browser';
import { callApi, fillSignIn, MEMBER, OWNER, openConsole } from '../../../test/support/console';

const ASK: Rule[] = [{ match: { action: 'orders__refund', payload: [{ path: '/amount', above: 100 }] }, do: 'ask' }];

async function openShop() {
  const service = await openConsole();
  const runs: unknown[] = [];
  await service.toolkit('orders', (toolkit) => {
    const annotations = { destructive: true } as const;
    toolkit.action({ action: 'refund', actionDescription: 'Refunds an order by its number', annotations }, (_context, payload) => {
      runs.push(payload);
      return 'refunded';
    });
  });
  const owner = await service.owner();
  const bot = await service.keys.create({ kind: 'agent', name: 'shop-bot', rules: ASK });
  const toolsOf = (options: ToolsOptions = {}, { key } = bot) => new Tools({ baseUrl: service.url, apiKey: key, ...options });
  return { service, owner, page: owner.page, runs, bot, toolsOf };
}

/** The question that the call made. */
async function asked(call: Promise<unknown>): Promise<RequiredApproval> {
  const error = await call.then(
    () => expect.fail('the call ran'),
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { approval: { status: 'pending' } } });
  return (SvcError.is(error) && error.details.approval) || expect.fail('without an approval');
}

const payloadOn = (page: Page) => page.getByRole('region', { name: 'Payload as JSON' });
const decisionOn = (page: Page) => page.getByRole('region', { name: 'Decision' });
const button = (page: Page, name: string) => decisionOn(page).getByRole('button', { name, exact: true });

test('a call that waits appears at once, and runs once when a person approves it', async () => {
  const { service, page, runs, toolsOf } = await openShop();
  await page.goto('/approvals');
  await page.getByRole('heading', { name: 'No call waits for you' }).waitFor();
  const tools = toolsOf({ userId: 'cus_4821' });
  const payload = { order: 'R-20931', amount: 120 };
  const { id, url } = await asked(tools.invoke('orders__refund', payload));
  expect(url).toBe(`${service.url}/approvals/${id}`);

  await page.getByLabel('1 waiting').waitFor();
  await page.getByRole('cell', { name: 'shop-bot for cus_4821' }).waitFor();
  await page.getByRole('link', { name: 'orders__refund' }).click();
  await payloadOn(page).waitFor();
  expect(JSON.parse(await payloadOn(page).innerText())).toEqual(payload);
  await page.getByRole('link', { name: 'action orders__refund, /amount is above 100' }).waitFor();
  await page.getByText('This key has not called the action').waitFor();
  await page.getByText('Refunds an order by its number').waitFor();
  expect(runs).toEqual([]);

  await button(page, 'Approve').click();
  await decisionOn(page).getByText(`by ${OWNER.name}`).waitFor();
  expect(await decisionOn(page).getByRole('button').count()).toBe(0);
  await vi.waitFor(() => expect(runs).toEqual([payload]));
  expect((await tools.invoke('orders__refund', payload)).result).toBe('refunded');
  expect(runs).toHaveLength(1);
  await page.getByLabel('1 waiting').waitFor({ state: 'detached' });
  await decisionOn(page).getByRole('link', { name: 'View the call' }).click();
  await page.getByRole('heading', { name: 'Succeeded' }).waitFor();
});

test('the agent reads the reason of a denial, and the list has it', async () => {
  const { page, runs, toolsOf } = await openShop();
  const tools = toolsOf();
  const { id } = await asked(tools.invoke('orders__refund', { amount: 500 }));
  await page.goto(`/approvals/${id}`);
  await decisionOn(page).getByLabel('Reason').fill('Ask the customer for the invoice first');
  await button(page, 'Deny').click();
  await decisionOn(page).getByText('denied', { exact: true }).waitFor();
  await decisionOn(page).getByText('Reason: Ask the customer for the invoice first').waitFor();
  await expect(tools.invoke('orders__refund', { amount: 500 })).rejects.toMatchObject({
    code: 'APPROVAL_DENIED',
    message: expect.stringContaining('Ask the customer for the invoice first'),
  });
  expect(runs).toEqual([]);
  await page.goto('/approvals');
  await page.getByText('All of the last day').click();
  await page.getByRole('cell', { name: `denied by ${OWNER.name}` }).waitFor();
});

test('a page says that another person has decided, and a later click has no effect', async () => {
  const { owner, page, runs, toolsOf } = await openShop();
  owner.mayBeRefused(409, /^\/v1\/approvals\//);
  const { id } = await asked(toolsOf().invoke('orders__refund', { amount: 500 }));
  // A page that the events do not reach.
  const stale = await owner.context.newPage();
  await stale.route('**/v1/events', (route) => route.abort());
  owner.mayComplain(/ERR_FAILED/);
  for (const tab of [page, stale]) {
    await tab.goto(`/approvals/${id}`);
    await button(tab, 'Approve').waitFor();
  }
  const third = await owner.context.newPage();
  await third.goto('/account');
  await callApi(third, `${PATHS.approvals}/${id}`, { decision: 'deny', reason: 'A duplicate' });
  await decisionOn(page).getByText('Reason: A duplicate').waitFor();
  expect(await decisionOn(page).getByRole('button').count()).toBe(0);

  await button(stale, 'Approve').click();
  await decisionOn(stale).getByText('Reason: A duplicate').waitFor();
  expect(runs).toEqual([]);
});

test('a person on a phone opens the link of a question, signs in, and decides', async () => {
  const { service, runs, toolsOf } = await openShop();
  const { url = '' } = await asked(toolsOf().invoke('orders__refund', { amount: 101 }));
  const { page } = await service.visitor({ viewport: PHONE });
  await page.goto(url);
  await fillSignIn(page, OWNER);
  await page.waitForURL(url);
  await expect.poll(() => button(page, 'Approve').isEnabled()).toBe(true);
  await button(page, 'Approve').focus();
  await page.keyboard.press('Enter');
  await decisionOn(page).getByText('approved', { exact: true }).waitFor();
  await vi.waitFor(() => expect(runs).toEqual([{ amount: 101 }]));
});

test('an approval for the conversation holds for later calls in it, until a person ends it', async () => {
  const { page, runs, toolsOf } = await openShop();
  const tools = toolsOf({ sessionId: 'chat-1' });
  const { id } = await asked(tools.invoke('orders__refund', { amount: 101 }));
  await page.goto(`/approvals/${id}`);
  await decisionOn(page).getByRole('combobox', { name: 'Approve' }).click();
  await page.getByRole('option', { name: 'This action in this conversation, for 15 minutes' }).click();
  await decisionOn(page).getByText('with any payload').waitFor();
  await button(page, 'Approve').click();
  await decisionOn(page).getByText('Later calls of this action in this conversation run without a question').waitFor();
  expect((await tools.invoke('orders__refund', { amount: 102 })).result).toBe('refunded');
  await asked(toolsOf({ sessionId: 'chat-2' }).invoke('orders__refund', { amount: 102 }));
  await button(page, 'End now').click();
  await button(page, 'End now').waitFor({ state: 'detached' });
  await asked(tools.invoke('orders__refund', { amount: 103 }));
  await vi.waitFor(() => expect(runs).toEqual(expect.arrayContaining([{ amount: 101 }, { amount: 102 }])));
  expect(runs).toHaveLength(2);
});

test('a call without a conversation can be approved only by itself', async () => {
  const { page, toolsOf } = await openShop();
  const { id } = await asked(toolsOf().invoke('orders__refund', { amount: 101 }));
  await page.goto(`/approvals/${id}`);
  await button(page, 'Approve').waitFor();
  expect(await decisionOn(page).getByRole('combobox').count()).toBe(0);
});

test('a member sees and decides the calls of their own keys, and no others', async () => {
  const { service, owner, toolsOf } = await openShop();
  const { id: foreign } = await asked(toolsOf().invoke('orders__refund', { amount: 101 }));
  const member = await service.member(owner);
  member.mayBeRefused(404, /^\/v1\/approvals\//);
  const own = await callApi<CreatedKey>(member.page, PATHS.keys, { kind: 'agent', name: 'own-bot', rules: ASK });
  const { id } = await asked(toolsOf({}, own).invoke('orders__refund', { amount: 102 }));
  await member.page.goto('/approvals');
  await member.page.getByLabel('1 waiting').waitFor();
  await member.page.getByRole('row').filter({ hasText: 'own-bot' }).waitFor();
  expect(await member.page.getByRole('row').filter({ hasText: 'shop-bot' }).count()).toBe(0);
  await member.page.goto(`/approvals/${foreign}`);
  await member.page.getByRole('heading', { name: 'Approval not found' }).waitFor();
  await member.page.goto(`/approvals/${id}`);
  await button(member.page, 'Approve').click();
  await decisionOn(member.page).getByText(`by ${MEMBER.name}`).waitFor();
});

const EVIL = '<img src=/icon.svg?evil onload=ran=1 onerror=ran=1></pre><script>globalThis.ran = true</script>';
/** Reverses the text after it on a screen. */
const REVERSED = 'pay\u202e000,1\u202c\u200b';

test('a hostile payload is shown as a whole, as text, with invisible characters as escapes', async () => {
  const { page, toolsOf } = await openShop();
  const tools = toolsOf();
  const payloads: Record<string, unknown>[] = [
    { amount: 101, [EVIL]: EVIL, [REVERSED]: REVERSED, שם: 'ערך', constructor: { prototype: null } },
    { amount: 101, text: EVIL.repeat(Math.floor(900_000 / EVIL.length)), last: 'the end' },
    { amount: 101, ...Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`member_${index}`, EVIL.slice(0, 40)])) },
  ];
  for (const payload of payloads) {
    const { id } = await asked(tools.invoke('orders__refund', payload));
    await page.goto(`/approvals/${id}`);
    await payloadOn(page).waitFor();
    const shown = await payloadOn(page).evaluate((element) => element.textContent ?? '');
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
    expect(JSON.parse(shown)).toEqual(payload);
    const { ran, injected } = await page.evaluate(() => ({
      ran: 'ran' in globalThis,
      injected: document.querySelectorAll('img[src*="evil"], body script:not([src])').length,
    }));
    expect({ ran, injected }).toEqual({ ran: false, injected: 0 });
    // The page takes a decision while it shows a megabyte.
    await payloadOn(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await decisionOn(page).getByLabel('Reason').fill('No');
    await button(page, 'Deny').click();
    await decisionOn(page).getByText('denied', { exact: true }).waitFor();
  }
});

test('the list and the page are accessible in light and dark, and not wider than a phone, with long names', async () => {
  const { service, page } = await openShop();
  const long = 'inventory-of-all-warehouses-in-northern-europe';
  const { key } = await service.keys.create({ kind: 'agent', name: long, rules: ASK });
  const tools = new Tools({ baseUrl: service.url, apiKey: key, userId: long, sessionId: long });
  const { id } = await asked(tools.invoke('orders__refund', { amount: 101, [long]: long.repeat(20) }));
  await page.goto('/approvals');
  await page.getByRole('link', { name: 'orders__refund' }).waitFor();
  await expectAccessibleEverywhere(page);
  await page.goto(`/approvals/${id}`);
  await button(page, 'Approve').waitFor();
  await expectAccessibleEverywhere(page);
  await decisionOn(page).getByLabel('Reason').fill(long.repeat(10));
  await button(page, 'Deny').click();
  await decisionOn(page).getByText('denied', { exact: true }).waitFor();
  await expectAccessibleEverywhere(page);
});
