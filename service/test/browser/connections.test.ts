// @module-tag chromium
/** Accounts at the APIs behind toolkits: the page of the toolkit, the person's own accounts, and the OAuth client. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type CreatedConnectLink, type KeptConnectionsPage, type Me } from '#sdk/protocol/admin';
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { expectAccessibleEverywhere } from '../../../test/support/browser';
import { callApi, fillSignIn, OWNER, openConsole } from '../../../test/support/console';
import { makeFolder } from '../../../test/support/folder';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { keptByPage } from '../support/kept-by-page';
import { addKeptRow, type SealedRow } from '../support/sealed-rows';

const OAUTH: ToolkitAuth = {
  type: 'oauth2',
  from: 'everyone',
  help: 'An account of the shop that may read orders',
  authorizationUrl: 'https://provider.example/authorize',
  tokenUrl: 'https://provider.example/token',
  scopes: ['orders:read', 'orders:write'],
};

async function stage(auth: ToolkitAuth) {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await openConsole({ data: folder.path });
  const owner = await service.owner();
  const { key, toolkit: id = '' } = await service.keys.create({ kind: 'toolkit', name: 'orders' });
  const toolkit = await RawToolkit.connect(service, key);
  await toolkit.register([{ action: 'list', actionDescription: 'Lists orders of the shop' }], { toolkit: { name: 'Orders', auth } });
  const add = (ownerOf: string, more: Partial<SealedRow> = {}) => addKeptRow(folder.path, { toolkitId: id, owner: ownerOf, ...more });
  return { service, owner, page: owner.page, add };
}

const account = (page: Page) => page.getByRole('region', { name: 'Account' });
const accounts = (page: Page) => page.getByRole('table', { name: 'Connected accounts' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens the link of the dialog in a new tab, where the connect page is. */
async function openLink(page: Page): Promise<string> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('dialog').getByRole('link', { name: 'Open the connect page' }).click();
  const tab = await opened;
  await tab.waitForLoadState();
  await tab.getByRole('heading', { level: 1 }).waitFor();
  const { pathname } = new URL(tab.url());
  await tab.close();
  return pathname;
}

test('an owner sets the OAuth client of a toolkit: its secret is nowhere on the page, and the callback URL is there to copy', async () => {
  const { service, page } = await stage(OAUTH);
  await page.goto('/toolkits/orders');
  await page.getByText('No OAuth client is set').waitFor();
  expect(await page.getByLabel('Callback URL to register at the provider', { exact: true }).inputValue()).toBe(
    `${service.url}/connections/callback/orders`,
  );
  await button(page, 'Set the client').click();
  await button(page, 'Save').click();
  await page.getByText('Enter the id that the provider shows').waitFor();
  await page.getByLabel('Client id').fill('shop-client');
  await page.getByLabel('Client secret', { exact: true }).fill('canary-client-secret');
  await button(page, 'Save').click();
  await page.getByText('with a secret, set now').waitFor();
  expect(await keptByPage(page)).not.toContain('canary');
  await page.reload();
  await page.getByText('with a secret').waitFor();
  expect(await keptByPage(page)).not.toContain('canary');

  await button(page, 'Replace the client').click();
  await page.getByLabel('Client id').fill('public-client');
  await button(page, 'Save').click();
  await page.getByText('without a secret').waitFor();
  await button(page, 'Remove the client').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the client' }).click();
  await page.getByText('No OAuth client is set').waitFor();
});

test('the page of a toolkit lists its accounts, connects one, and ends one', async () => {
  const { service, page, add } = await stage({ type: 'bearer', from: 'everyone', help: 'A token of the shop' });
  const app = await service.keys.create({ kind: 'agent', name: 'shop-bot' });
  await add('everyone', { account: 'shop@example.com', scopes: 'orders:read orders:write' });
  await add(`user:${app.id}:u_81`, { account: 'octocat' });
  await page.goto('/toolkits/orders');
  await accounts(page).getByText('shop@example.com').waitFor();
  await account(page).getByText('All calls act with the same account').waitFor();
  await accounts(page).getByRole('cell', { name: 'u_81 of shop-bot', exact: true }).waitFor();

  await button(page, 'Connect an account').click();
  await page.getByLabel('Name', { exact: true }).fill('not a name');
  await button(page, 'Continue').click();
  await page.getByText('Use letters, digits and').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('second');
  await button(page, 'Continue').click();
  expect(await openLink(page)).toMatch(/^\/connections\/connect\/[\w-]{43}$/);

  await button(page, 'Change shop@example.com of orders').click();
  await page.getByRole('menuitem', { name: 'Make it the default' }).click();
  await accounts(page)
    .getByRole('row', { name: /shop@example.com/ })
    .getByText('default', { exact: true })
    .first()
    .waitFor();
  await button(page, 'Change shop@example.com of orders').click();
  await page.getByRole('menuitem', { name: 'Connect again' }).click();
  await page.getByRole('dialog').getByText('The new sign-in replaces the account').waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Change octocat of orders').click();
  // The menu before it may be fading.
  await expect.poll(() => page.getByRole('menuitem', { name: 'Connect again' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Disconnect' }).click();
  await page.getByRole('dialog').getByText('for u_81 of shop-bot then ask').waitFor();
  await button(page, 'Disconnect').click();
  await accounts(page).getByText('octocat').waitFor({ state: 'detached' });
  await page.goto('/audit');
  await page.getByText('ended a connection of toolkit orders').waitFor();
});

test('a person connects their own account, and sees and ends only their own', async () => {
  const { service, owner, add } = await stage({ ...OAUTH, from: 'user' });
  const member = await service.member(owner);
  const { page } = member;
  await page.goto('/connections');
  await page.getByRole('heading', { name: 'No account is connected' }).waitFor();
  await button(page, 'Connect an account').click();
  await button(page, 'Continue').click();
  await page.getByText('Choose a toolkit').waitFor();
  await page.getByRole('combobox', { name: 'Toolkit' }).click();
  await page.getByRole('option', { name: 'Orders (orders)' }).click();
  await button(page, 'Continue').click();
  expect(await openLink(page)).toMatch(/^\/connections\/connect\//);

  const me = await callApi<Me>(page, ADMIN_PATHS.me);
  await add('person:per_other', { account: 'somebody' });
  await add(`person:${me.person?.id}`, { account: 'jonas@example.com', name: 'work' });
  await page.reload();
  await accounts(page).getByText('jonas@example.com').waitFor();
  expect(await accounts(page).getByText('somebody').count()).toBe(0);
  await button(page, 'Change jonas@example.com of orders').click();
  await page.getByRole('menuitem', { name: 'Disconnect' }).click();
  await button(page, 'Disconnect').click();
  await page.getByRole('heading', { name: 'No account is connected' }).waitFor();

  await page.goto('/toolkits/orders');
  await account(page).getByText('Each user connects their own account.').waitFor();
  expect(await accounts(page).count()).toBe(0);
  await button(page, 'Connect my account').click();
  await button(page, 'Continue').click();
  await page.getByRole('link', { name: 'Open the connect page' }).waitFor();
});

test('an account that is connected in another tab is in the list at once, and connects again by its name', async () => {
  const { page } = await stage({ type: 'bearer', from: 'user', help: 'A token of the shop' });
  await page.goto('/connections');
  for (const token of ['canary-first-token', 'canary-second-token']) {
    if (token === 'canary-first-token') {
      await button(page, 'Connect an account').click();
      await page.getByRole('combobox', { name: 'Toolkit' }).click();
      await page.getByRole('option', { name: 'Orders (orders)' }).click();
    } else {
      await button(page, 'Change default of orders').click();
      await page.getByRole('menuitem', { name: 'Connect again' }).click();
    }
    await button(page, 'Continue').click();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open the connect page' }).click();
    const tab = await opened;
    await tab.getByRole('textbox').fill(token);
    await tab.getByRole('button').click();
    await tab.getByText('connected', { exact: false }).first().waitFor();
    await tab.close();
    await accounts(page).getByText('default', { exact: true }).first().waitFor();
    expect(await keptByPage(page)).not.toContain('canary');
  }
  const { connections } = await callApi<KeptConnectionsPage>(page, ADMIN_PATHS.keptConnections);
  expect(connections).toMatchObject([{ owner: { kind: 'person' }, mine: true, name: 'default', status: 'live' }]);
});

test('a person who is not signed in opens a link, signs in, and is on its page', async () => {
  const { service, page } = await stage({ type: 'bearer', from: 'everyone' });
  const asked = { toolkit: 'orders', owner: 'everyone' };
  const { url } = await callApi<CreatedConnectLink>(page, `${ADMIN_PATHS.keptConnections}/links`, asked);
  const visitor = await service.visitor();
  await visitor.page.goto(url);
  await fillSignIn(visitor.page, OWNER);
  await visitor.page.waitForURL(url);
  await visitor.page.getByRole('heading', { level: 1, name: /Orders/ }).waitFor();
});

test('an app gets its return URL and its webhook, whose secret is shown once', async () => {
  const { service, owner, page } = await stage(OAUTH);
  owner.mayBeRefused(400, /^\/v1\/keys\//);
  const app = await service.keys.create({ kind: 'agent', name: 'shop-bot' });
  await page.goto(`/keys?id=${app.id}`);
  const drawer = page.getByRole('dialog', { name: /shop-bot/ });
  await drawer.getByRole('button', { name: 'Change', exact: true }).click();
  await drawer.getByLabel('Return URL').fill('http://shop.example/connected');
  await button(page, 'Save').click();
  await drawer.getByText('connect.returnUrl must be an https address').waitFor();
  await drawer.getByLabel('Return URL').fill('https://shop.example/connected');
  await drawer.getByLabel('Webhook').fill('https://shop.example/webhook');
  await button(page, 'Save').click();
  const secret = await drawer.getByRole('textbox', { name: 'Webhook secret' }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await drawer.getByRole('button', { name: "I've saved it" }).click();
  await drawer.getByText('https://shop.example/connected').waitFor();
  await drawer.getByText('https://shop.example/webhook').waitFor();
  expect(await keptByPage(page)).not.toContain(secret);
});

test('the pages are accessible in light and dark, and not wider than a phone, with long names and every state', async () => {
  const long = 'inventory-of-all-warehouses-in-northern-europe@example.com';
  const { service, page, add } = await stage({ ...OAUTH, from: 'user', help: `${long} `.repeat(5), scopes: [long, `${long}:read`] });
  const { person } = await callApi<Me>(page, ADMIN_PATHS.me);
  const app = await service.keys.create({ kind: 'agent', name: long });
  const owner = `person:${person?.id}`;
  await add(`user:${app.id}:${long}`, { account: long, scopes: `${long} ${long}` });
  await add(owner, { account: long, name: 'work', fault: `The provider ended it: ${long}` });
  await add(owner, { name: 'home' });
  for (const path of ['/toolkits/orders', '/connections']) {
    await page.goto(path);
    await accounts(page).waitFor();
    await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
    await expectAccessibleEverywhere(page);
    await button(page, 'Change home of orders').click();
    await page.getByRole('menuitem', { name: 'Connect again' }).click();
    await button(page, 'Continue').click();
    await page.getByRole('link', { name: 'Open the connect page' }).waitFor();
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('Escape');
  }
});
