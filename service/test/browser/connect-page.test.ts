// @module-tag chromium
/** The connect page in a browser: to a real provider and back, with a form, on a phone, in the dark, and without JavaScript. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PATHS } from '#sdk/protocol/http';
import { expectAccessible, openVisitor, PHONE } from '../../../test/support/browser';
import { type App, startConnectStage } from '../support/connections/connect-stage';

const session = async (app: App) =>
  (await app.ask<{ url: string }>('POST', PATHS.connectionSessions, { userId: 'u_81', toolkits: ['github'] })).url;
const codeOf = (page: Page) => page.locator('.code').innerText();
const confirm = (app: App, code: string) => app.ask('POST', PATHS.connectionConfirmations, { code, userId: 'u_81' });

/** Signs in at the pages that oidc-provider has for development. */
async function signInAtProvider(page: Page, account: string): Promise<void> {
  await page.locator('input[name=login]').fill(account);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.locator('button[type=submit]').click();
}

test('a user connects an account at a provider, gives the code to the app, and the app acts with it', async () => {
  const stage = await startConnectStage();
  const provider = await stage.withProvider();
  const app = await stage.app();
  const visitor = await openVisitor();
  // The pages of oidc-provider load a font, which the tests do not reach.
  await visitor.context.route(/fonts\./, (route) => route.fulfill({ body: '' }));
  const { page } = visitor;
  const url = await session(app);
  await page.goto(url);
  await expectAccessible(page);
  await page.getByRole('button', { name: `Continue to ${new URL(provider.issuer).host}` }).click();
  await signInAtProvider(page, 'octocat');
  await page.getByText('Connected as octocat.').waitFor();
  await expectAccessible(page);
  expect(page.url()).toBe(url);
  const code = await codeOf(page);
  await page.reload();
  expect(await codeOf(page)).toBe(code);
  await confirm(app, code);
  expect(await app.call('u_81')).toMatchObject({ account: 'octocat' });
  await page.reload();
  await page.getByText('You can close this page').waitFor();
});

test('the back button leads from the provider to the page, which goes on', async () => {
  const stage = await startConnectStage();
  await stage.withProvider();
  const app = await stage.app();
  const visitor = await openVisitor();
  await visitor.context.route(/fonts\./, (route) => route.fulfill({ body: '' }));
  const { page } = visitor;
  await page.goto(await session(app));
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.locator('input[name=login]').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await signInAtProvider(page, 'octocat');
  await page.getByText('Connected as octocat.').waitFor();
});

test('a form takes a key without JavaScript, on a phone, in the dark, and leads to the app', async () => {
  const stage = await startConnectStage({
    type: 'apiKey',
    from: 'user',
    help: 'An API key of your shop.\nYou find it in the settings, under "API".',
  });
  const app = await stage.app('A shop bot whose name is as long as a name of a key may well be');
  const shop = await stage.listen((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>Back in the shop</h1>'));
  const { key } = await stage.service.keys.create({ kind: 'admin', name: 'admin' });
  const changed = await fetch(`${stage.service.url}${PATHS.keys}/${app.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ connect: { returnUrl: `${shop}/back` } }),
  });
  expect(changed.status).toBe(200);
  const visitor = await openVisitor({ javaScriptEnabled: false, viewport: PHONE, colorScheme: 'dark' });
  const { page } = visitor;
  const url = await session(app);
  await page.goto(url);
  const { width } = (await page.locator('main').boundingBox())!;
  expect(width).toBeLessThanOrEqual(PHONE.width);
  const background = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(background).toBe('rgb(20, 23, 26)');
  visitor.mayBeRefused(400, /^\/connections\/connect\//);
  await page.getByLabel('API key').fill('not a key');
  await page.getByRole('button', { name: 'Connect GitHub' }).click();
  await page.getByText('The API key has spaces').waitFor();
  await page.getByLabel('API key').fill('key-of-u-81');
  await page.getByRole('button', { name: 'Connect GitHub' }).click();
  await page.getByRole('heading', { name: 'Back in the shop' }).waitFor();
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('toolkit')).toBe('github');
  await confirm(app, searchParams.get('code') ?? '');
  expect(await app.call('u_81')).toMatchObject({ type: 'apiKey', apiKey: 'key-of-u-81' });
});

test('a link that another browser has, or that is over, says the next step', async () => {
  const stage = await startConnectStage();
  const app = await stage.app();
  const url = await session(app);
  const first = stage.browser();
  await first.submit(await first.open(url), { token: 't' });
  const visitor = await openVisitor();
  visitor.mayBeRefused(403, /^\/connections\/connect\//);
  visitor.mayBeRefused(404, /^\/connections\//);
  const { page } = visitor;
  await page.goto(url);
  await page.getByRole('heading', { name: 'This link was opened in another browser' }).waitFor();
  await expectAccessible(page);
  await page.goto(`${url.slice(0, -2)}xx`);
  await page.getByText('ask for a new link there').waitFor();
  await page.goto(`${stage.callbackUrl}?code=c&state=s`);
  await page.getByRole('heading', { name: 'This step is over' }).waitFor();
});
