// @module-tag chromium
/** The rules of agent keys, as people write them in the console. */
import type { Locator, Page } from 'playwright-core';
import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type OwnedKeysPage, type SettingsPage } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import type { Rule } from '#sdk/protocol/rules';
import { expectAccessibleEverywhere } from '../../../test/support/browser';
import { callApi, openConsole } from '../../../test/support/console';
import { startLoopbackApp } from '../support/loopback-app';
import { tokensOf } from '../support/oauth-client';

async function openShop() {
  const service = await openConsole();
  await service.toolkit('orders', (toolkit) => {
    const annotations = { destructive: true } as const;
    toolkit.action({ action: 'refund', actionDescription: 'Refunds an order by its number', annotations }, () => 'refunded');
    toolkit.action({ action: 'find', actionDescription: 'Finds orders of a customer', annotations: { readOnly: true } }, () => []);
  });
  const owner = await service.owner();
  return { service, owner, page: owner.page };
}

const rulesOf = async (page: Page, name: string): Promise<Rule[] | undefined> =>
  (await callApi<OwnedKeysPage>(page, PATHS.keys)).keys.find((key) => key.name === name)?.rules;

async function openRules(page: Page, id: string): Promise<Locator> {
  await page.goto(`/keys?id=${id}&form=rules`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Rule that denies' }).waitFor();
  return drawer;
}

const rule = (within: Locator, number: number) => within.getByRole('group', { name: `Rule ${number}`, exact: true });

async function addCondition(within: Locator, kind: string): Promise<void> {
  await within.getByRole('button', { name: 'Condition', exact: true }).click();
  await within.page().getByRole('menuitem', { name: kind, exact: true }).click();
  // The menu fades, and the next one has the same items.
  await within.page().getByRole('menuitem').first().waitFor({ state: 'detached' });
}

test('a person writes rules in the form, in the order of evaluation, and the key obeys them', async () => {
  const { service, page } = await openShop();
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'shop-bot' });
  const tools = new Tools({ baseUrl: service.url, apiKey: key });
  await page.goto(`/keys?id=${id}`);
  await page.getByText('none of its own: the defaults of the service decide').waitFor();
  await page.getByRole('button', { name: 'Change rules' }).click();
  const drawer = page.getByRole('dialog');

  await drawer.getByRole('button', { name: 'Rule that asks' }).click();
  await rule(drawer, 1).getByLabel('Action', { exact: true }).fill('orders__find');
  await addCondition(rule(drawer, 1), 'Payload');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText('Begin the path with /').waitFor();
  await rule(drawer, 1).getByLabel('Payload', { exact: true }).fill('/limit');
  await rule(drawer, 1).getByRole('combobox', { name: 'Comparison' }).click();
  await page.getByRole('option', { name: 'is above' }).click();
  await rule(drawer, 1).getByLabel('Value to compare with').fill('100');
  await rule(drawer, 1).getByLabel('The app may decide too').check();

  await drawer.getByRole('button', { name: 'Rule that denies' }).click();
  // The new rule is the first: it denies.
  await rule(drawer, 1).getByLabel('Action', { exact: true }).fill('orders__ref');
  await page.getByRole('option', { name: 'orders__refund' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();

  await drawer.getByText('deny: action orders__refund').waitFor();
  await drawer.getByText('ask: action orders__find, /limit is above 100').waitFor();
  expect(await rulesOf(page, 'shop-bot')).toEqual([
    { match: { action: 'orders__refund' }, do: 'deny' },
    { match: { action: 'orders__find', payload: [{ path: '/limit', above: 100 }] }, do: 'ask', decidedBy: 'app' },
  ]);
  await expect(tools.invoke('orders__refund', {})).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
  expect((await tools.invoke('orders__find', { limit: 5 })).result).toEqual([]);

  await drawer.getByRole('button', { name: 'Change rules' }).click();
  for (const number of [2, 1]) await drawer.getByRole('button', { name: `Remove Rule ${number}` }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText('none of its own').waitFor();
  expect(await rulesOf(page, 'shop-bot')).toBeUndefined();
  expect((await tools.invoke('orders__refund', {})).result).toBe('refunded');
});

test('rules are pasted as JSON, and the refusal of the service is shown at its rule', async () => {
  const { service, owner, page } = await openShop();
  owner.mayBeRefused(400, /^\/v1\/keys\//);
  const { id } = await service.keys.create({ kind: 'agent', name: 'shop-bot' });
  const drawer = await openRules(page, id);
  await drawer.getByText('JSON', { exact: true }).click();
  const text = drawer.getByRole('textbox', { name: 'Rules' });
  await text.fill('[{"match": {"hint": "destructive"}');
  await drawer.getByText('This is not JSON yet').waitFor();
  const pattern = (matches: string) => ({ match: { payload: [{ path: '/note', matches }] }, do: 'deny' });
  await text.fill(
    JSON.stringify([
      { match: { hint: 'destructive' }, do: 'ask' },
      { match: { actions: 'a__b' }, do: 'deny' },
    ]),
  );
  // A form that leaves a member out would be another rule.
  expect(await drawer.getByRole('radio', { name: 'Form' }).isDisabled()).toBe(true);
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText(/Rule 2: match has the unknown member .*actions/).waitFor();

  await text.fill(JSON.stringify([{ match: { hint: 'destructive' }, do: 'ask' }, pattern('(?=a)b')]));
  await drawer.getByText('Form', { exact: true }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  // The rule that denies comes first.
  await rule(drawer, 1)
    .getByRole('alert')
    .filter({ hasText: 'match.payload.0.matches must be a regular expression that never backtracks' })
    .waitFor();
  expect(await rulesOf(page, 'shop-bot')).toBeUndefined();
  await rule(drawer, 1).getByLabel('Value to compare with').fill('a+$');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText('deny: /note matches a+$').waitFor();
  expect(await rulesOf(page, 'shop-bot')).toEqual([pattern('a+$'), { match: { hint: 'destructive' }, do: 'ask' }]);
});

test('the preview counts what the rules would do with former calls, and changes nothing', async () => {
  const { service, page } = await openShop();
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'shop-bot' });
  const tools = new Tools({ baseUrl: service.url, apiKey: key });
  for (const action of ['orders__refund', 'orders__find', 'orders__find']) await tools.invoke(action, {});
  const drawer = await openRules(page, id);
  await drawer.getByRole('button', { name: 'Rule that asks' }).click();
  await rule(drawer, 1).getByLabel('Action', { exact: true }).fill('*__refund');
  await drawer.getByRole('button', { name: 'Preview' }).click();
  const outcome = drawer.getByRole('status', { name: 'Preview' });
  await outcome.waitFor();
  const figure = (label: string) => outcome.locator('dl > div').filter({ hasText: label }).locator('dd').innerText();
  expect(await Promise.all(['Allowed', 'Ask a person', 'Denied'].map(figure))).toEqual(['2', '1', '0']);
  await outcome.getByText('Rule 1 (ask): 1 call').waitFor();
  await outcome.getByRole('link', { name: 'orders__refund' }).waitFor();
  await expectAccessibleEverywhere(page);
  // A changed rule has no answer yet.
  await rule(drawer, 1).getByLabel('Action', { exact: true }).fill('orders__find');
  await outcome.waitFor({ state: 'detached' });
  expect(await rulesOf(page, 'shop-bot')).toBeUndefined();
});

test('a new key has its rules from the start', async () => {
  const { page } = await openShop();
  await page.goto('/keys');
  await page.getByRole('button', { name: 'New key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('careful');
  await dialog.getByRole('button', { name: 'Rule that asks' }).click();
  await rule(dialog, 1).getByRole('button', { name: 'Remove the condition Action' }).click();
  await rule(dialog, 1).getByText('Every call').waitFor();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: "I've saved it" }).click();
  await page.getByRole('cell', { name: 'All actions, 1 rule' }).waitFor();
  expect(await rulesOf(page, 'careful')).toEqual([{ match: {}, do: 'ask' }]);
});

test('an owner sets the defaults by hint of all keys, and finds the change in the audit log', async () => {
  const { service, page } = await openShop();
  const tools = await service.tools({}, { name: 'shop-bot' });
  await page.goto('/settings');
  const defaults = page.getByRole('region', { name: 'Defaults by hint' });
  await defaults.getByRole('combobox', { name: 'Destructive', exact: true }).click();
  await page.getByRole('option', { name: 'Deny' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved.').waitFor();
  expect((await callApi<SettingsPage>(page, ADMIN_PATHS.settings)).settings.ruleDefaults).toEqual({ destructive: 'deny' });
  await expect(tools.invoke('orders__refund', {})).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
  await page.goto('/audit');
  await page.getByText('changed “Defaults by hint”').waitFor();
  await page.getByText('destructive: deny').waitFor();
});

test('the rules of a connected app are open from its row', async () => {
  const { service, page } = await openShop();
  const app = await startLoopbackApp(service);
  await page.goto(app.authorizePath());
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  await tokensOf(await app.client.exchange(app.answers[0]?.get('code') ?? ''));
  for (const path of ['/account', '/people']) {
    await page.goto(path);
    await page
      .getByRole('table', { name: 'Connected apps' })
      .getByRole('link', { name: /^Rules of/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rule that denies' }).waitFor();
  }
});

test('the form is accessible in light and dark, and not wider than a phone, with every condition', async () => {
  const { service, owner, page } = await openShop();
  owner.mayBeRefused(400, /^\/v1\/keys\//);
  const long = 'inventory-of-all-warehouses-in-northern-europe';
  const rules: Rule[] = [
    { match: { toolkit: 'orders', user: `${long}-*` }, do: 'deny' },
    { match: { action: `${long}__*`, hint: 'destructive', priceAbove: '123456789.5' }, do: 'ask', decidedBy: 'app' },
    { match: { payload: [{ path: `/${long}/*`, in: [long, '1', 1] }] }, do: 'ask' },
  ];
  const { id } = await service.keys.create({ kind: 'agent', name: long, rules });
  await page.goto(`/keys?id=${id}`);
  await page.getByRole('dialog').getByText('deny: toolkit orders').waitFor();
  await expectAccessibleEverywhere(page);
  const drawer = await openRules(page, id);
  await drawer.getByRole('button', { name: 'Rule that allows' }).click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByText('Enter an action, or remove the condition').waitFor();
  await expectAccessibleEverywhere(page);
  await drawer.getByText('JSON', { exact: true }).click();
  await drawer.getByRole('textbox', { name: 'Rules' }).waitFor();
  await expectAccessibleEverywhere(page);
});
