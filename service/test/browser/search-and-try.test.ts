// @module-tag chromium
/** An agent developer searches the marketplace like a model, and tries the found actions. */
import type { Locator, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { PATHS, type SearchResponse } from '#sdk/protocol/http';
import { toModelText } from '#sdk/tools/model-text';
import { openConsole } from '../../../test/support/console';

interface Delivery {
  order: string;
  address: { city: string; country: string };
  items?: string[];
  notify?: boolean;
}

/** A shop whose actions note what they were called with. */
async function openShop() {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  const deliveries: unknown[] = [];
  const deleted: unknown[] = [];
  const slow = { started: 0, cancelled: 0 };
  await service.toolkit('shop', (shop) => {
    shop.action<{ payload: Delivery }>(
      {
        action: 'change_delivery',
        actionDescription: 'Changes where an order is delivered, while it has not been shipped',
        payloadDescription: {
          type: 'object',
          required: ['order', 'address'],
          additionalProperties: false,
          properties: {
            order: { type: 'string', description: 'Number of the order', pattern: '^R-[0-9]+$' },
            address: {
              type: 'object',
              required: ['city', 'country'],
              properties: { city: { type: 'string' }, country: { type: 'string', enum: ['DE', 'FR', 'SE'] } },
            },
            items: { type: 'array', items: { type: 'string' }, description: 'Only these items' },
            notify: { type: 'boolean', description: 'Tell the customer' },
          },
        },
      },
      (_context, payload) => {
        deliveries.push(payload);
        return { changed: true, payload };
      },
    );
    shop.action(
      { action: 'delete_orders', actionDescription: 'Deletes all orders', payloadDescription: {}, annotations: { destructive: true } },
      () => {
        deleted.push(true);
        return 'gone';
      },
    );
    shop.action(
      { action: 'count_slowly', actionDescription: 'Counts all orders, which takes a while', payloadDescription: {} },
      (context) => {
        slow.started++;
        return new Promise((resolve) =>
          context.signal.addEventListener('abort', () => {
            slow.cancelled++;
            resolve('stopped');
          }),
        );
      },
    );
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'shop-agent' });
  return { service, owner, page, key, deliveries, deleted, slow };
}

/** The place to try an action, opened. */
async function openTrial(page: Page, action: string): Promise<Locator> {
  await page.goto(`/actions/${action}`);
  const trial = page.getByRole('region', { name: 'Try it' });
  await trial.getByRole('button', { name: 'Open the form' }).click();
  return trial;
}

async function choose(page: Page, within: Locator, label: RegExp, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('the page shows what an agent gets, to the character', async () => {
  const { service, page, key } = await openShop();
  await page.goto('/search');
  await page.getByLabel('Search query').fill('change where an order goes');
  await page.getByLabel('Search query').press('Enter');
  await page.waitForURL(/query=/);
  const answer = await fetch(service.url + PATHS.search, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'change where an order goes' }),
  });
  const found = (await answer.json()) as SearchResponse;
  expect(found.actions[0]?.action).toBe('shop__change_delivery');

  const shown = page.getByRole('region', { name: 'Answer to search_services' });
  await shown.waitFor();
  expect(JSON.parse((await shown.textContent()) ?? '')).toEqual(found);
  await page.getByText('As sent', { exact: true }).click();
  await vi.waitFor(async () => expect(await shown.textContent()).toBe(toModelText(found)));
  const ids = await page
    .getByRole('article')
    .getByRole('link', { name: /^shop__/ })
    .allTextContents();
  expect(ids).toEqual(found.actions.map(({ action }) => action));

  await page.getByRole('article').getByRole('link', { name: 'shop__change_delivery' }).click();
  await page.getByRole('heading', { level: 1, name: 'shop__change_delivery' }).waitFor();
  await page.getByRole('main').getByText('Changes where an order is delivered').first().waitFor();
});

test('a form from the schema: objects in objects, choices, lists; the payload arrives as it was written, and the result is shown', async () => {
  const { page, deliveries } = await openShop();
  const form = await openTrial(page, 'shop__change_delivery');
  await form.getByLabel(/^order/).fill('R-17');
  await form.getByLabel(/^city/).fill('Malmö');
  await choose(page, form, /^country/, 'SE');
  await form.getByRole('button', { name: 'Add an item' }).click();
  await form.getByRole('button', { name: 'Add an item' }).click();
  const items = form.getByRole('group', { name: /^items/ }).getByRole('textbox');
  await items.nth(0).fill('bell');
  await items.nth(1).fill('saddle');
  await form.getByLabel(/^notify/).check();
  await form.getByRole('button', { name: 'Run' }).click();
  await form.getByText('ok', { exact: true }).waitFor();
  const expected = { order: 'R-17', address: { city: 'Malmö', country: 'SE' }, items: ['bell', 'saddle'], notify: true };
  expect(deliveries).toEqual([expected]);
  const result = await form.getByRole('region', { name: 'The result as the model receives it' }).textContent();
  expect(JSON.parse(result ?? '')).toEqual({ changed: true, payload: expected });

  await form.getByText('JSON', { exact: true }).click();
  const json = form.getByRole('textbox', { name: 'Payload' });
  expect(JSON.parse(await json.inputValue())).toEqual(expected);
  await json.fill('{ "order": "R-18", "address": { "city": "Lyon", "country": "FR" } }');
  await form.getByRole('button', { name: 'Run' }).click();
  await vi.waitFor(() => expect(deliveries[1]).toEqual({ order: 'R-18', address: { city: 'Lyon', country: 'FR' } }));
  await form.getByRole('link', { name: /^inv_/ }).click();
  await page.waitForURL(/\/calls\/inv_/);
});

test('an invalid payload: the service’s message is shown at its field, and nothing ran', async () => {
  const { owner, page, deliveries } = await openShop();
  owner.mayBeRefused(422, /\/invoke$/);
  const form = await openTrial(page, 'shop__change_delivery');
  await form.getByText('JSON', { exact: true }).click();
  const json = form.getByRole('textbox', { name: 'Payload' });
  await json.fill('{ "order": ');
  await form.getByText(/This is not JSON yet/).waitFor();
  expect(await form.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
  await json.fill('{ "order": "17", "address": { "city": 5, "country": "SE" } }');
  await form.getByRole('button', { name: 'Run' }).click();
  await form.getByText('INVALID_PAYLOAD').first().waitFor();
  const error = JSON.parse((await form.getByRole('region', { name: 'The error as the model reads it' }).textContent()) ?? '').error;
  expect(error).toMatchObject({ code: 'INVALID_PAYLOAD', retryable: false });
  expect(error.issues.map(({ path }: { path: string }) => path)).toContain('/address/city');
  await form.getByText('/address/city', { exact: true }).waitFor();

  await form.getByText('Form', { exact: true }).click();
  await form.getByRole('button', { name: 'Run' }).click();
  const order = form.getByLabel(/^order/);
  await vi.waitFor(async () => expect(await order.getAttribute('aria-invalid')).toBe('true'));
  expect(
    await form
      .getByLabel(/^country/)
      .first()
      .getAttribute('aria-invalid'),
  ).not.toBe('true');
  expect(deliveries).toEqual([]);
});

test('a destructive action shows a question first, and runs only after a yes', async () => {
  const { page, deleted } = await openShop();
  const form = await openTrial(page, 'shop__delete_orders');
  const run = form.getByRole('button', { name: 'Run' });
  await run.click();
  const question = page.getByRole('dialog', { name: 'Run a destructive action?' });
  await question.getByText('shop__delete_orders').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(deleted).toEqual([]);
  await run.click();
  await question.getByRole('button', { name: 'Run', exact: true }).click();
  await form.getByText('ok', { exact: true }).waitFor();
  expect(deleted).toEqual([true]);
});

test('a call that is cancelled while it runs, or left with the page, is cancelled in its handler', async () => {
  const { page, slow } = await openShop();
  const form = await openTrial(page, 'shop__count_slowly');
  await form.getByRole('button', { name: 'Run' }).click();
  await form.getByRole('timer').waitFor();
  await vi.waitFor(() => expect(slow.started).toBe(1));
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.getByText(/^Cancelled after/).waitFor();
  await vi.waitFor(() => expect(slow.cancelled).toBe(1));

  await form.getByRole('button', { name: 'Run' }).click();
  await vi.waitFor(() => expect(slow.started).toBe(2));
  await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
  await vi.waitFor(() => expect(slow.cancelled).toBe(2));
});

test('JSON parts, groups and the keyboard: no input is lost, and every error is shown', async () => {
  const { service, owner, page } = await openShop();
  owner.mayBeRefused(422, /\/invoke$/);
  owner.mayBeRefused(404, /\/reports\/actions\/|\/invoke$/);
  const paid: unknown[] = [];
  await service.toolkit('bank', (bank) =>
    bank.action(
      {
        action: 'pay',
        actionDescription: 'Pays an invoice',
        payloadDescription: {
          type: 'object',
          required: ['customer'],
          properties: {
            payment: { oneOf: [{ type: 'string' }, { type: 'object' }] },
            customer: { type: 'object', required: ['id'], properties: { id: { type: 'string', minLength: 2 } } },
          },
        },
      },
      (_context, payload) => {
        paid.push(payload);
        return 'paid';
      },
    ),
  );
  const form = await openTrial(page, 'bank__pay');
  await form.getByLabel(/^payment/).waitFor();
  // The focus did not fall out of the form with the button that opened it.
  await page.keyboard.press('Control+Enter');
  await form.getByText('Fill in customer. Nothing was sent.').waitFor();
  await form.getByRole('alert').getByText('Required', { exact: true }).waitFor();

  await form.getByLabel(/^id/).fill('a');
  await form.getByLabel(/^payment/).fill('{kind: card}');
  await form.getByText('Enter at least 2 characters').waitFor();
  expect(await form.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
  await form.getByText('JSON', { exact: true }).click();
  const json = form.getByRole('textbox', { name: 'Payload' });
  expect(await json.inputValue()).toContain('"payment": {kind: card}');
  await json.fill((await json.inputValue()).replace('{kind: card}', '{"kind": "card"}').replace('"a"', '"ab"'));
  await form.getByText('Form', { exact: true }).click();
  await form.getByLabel(/^payment/).press('Control+Enter');
  await form.getByText('ok', { exact: true }).waitFor();
  expect(paid).toEqual([{ customer: { id: 'ab' }, payment: { kind: 'card' } }]);

  await page.goto('/actions/bank__pay_all');
  await page.getByRole('heading', { name: 'Action “bank__pay_all” not found' }).waitFor();
  await page.getByRole('link', { name: 'Search actions' }).click();
  await page.waitForURL(/query=pay\+all|query=pay%20all/);
});
