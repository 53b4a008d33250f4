// @module-tag chromium
/** A person lets an app use the service for them, or not, and ends it again. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type AuditPage, type ConnectedAppsPage } from '#sdk/protocol/admin';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { callApi, fillSignIn, MEMBER, OWNER, openConsole } from '../../../test/support/console';
import { makeFolder } from '../../../test/support/folder';
import { startLoopbackApp } from '../support/loopback-app';
import { serveClientDocument } from '../support/oauth/client-document';
import { OAuthClient, ping, REDIRECT, tokensOf } from '../support/oauth-client';
import { ageSignIns } from '../support/old-sign-ins';
import { otherSite } from '../support/other-site';

/** Two kilobytes, with numbers, spaces and characters that a router would write in another way. */
const AWKWARD_STATE = `1e5 +%2B&a=b;c?d#e"f'(g)*~!|é${'x9-_.'.repeat(400)}`;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const answerCame = (page: Page) => page.getByRole('heading', { name: 'Back in the app' }).waitFor();
const connectedApps = (page: Page) => callApi<ConnectedAppsPage>(page, ADMIN_PATHS.connectedApps);

test('a person signs in, limits the app and allows it; the app gets a code, and its token ends when the person disconnects it', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  await service.toolkit('weather', (toolkit) => {
    toolkit.action({ action: 'forecast', actionDescription: 'Gives the forecast of a city', payloadDescription: {} }, () => 'sun');
  });
  const app = await startLoopbackApp(service);
  const { page } = await service.visitor();
  const path = app.authorizePath({ state: AWKWARD_STATE });
  await page.goto(path);
  await fillSignIn(page, OWNER);
  await page.getByText('An app on this computer', { exact: true }).waitFor();
  expect(page.url()).toBe(service.url + path);
  await page.getByText('It says it is Notes. This is not verified.').waitFor();
  await page.getByText(`${OWNER.name} (${OWNER.email})`).waitFor();
  await page.getByText('Notes (localhost)').waitFor();

  await page.getByLabel('Chosen toolkits and actions').check();
  await button(page, 'Allow').click();
  await page.getByText('Add a toolkit, or allow all actions').waitFor();
  await page.getByRole('combobox', { name: 'Add a toolkit' }).click();
  await page.getByRole('option', { name: /weather/ }).click();
  await page.getByLabel('Limit per minute').fill('60');
  await page.getByLabel(/^Budget per call/).fill('0.1');
  await page.getByLabel(/^Budget per day/).fill('5');
  await button(page, 'Allow').click();
  await answerCame(page);
  const [answer] = app.answers;
  expect(Object.fromEntries(answer!)).toEqual({ code: expect.any(String), state: AWKWARD_STATE, iss: service.url });
  const { access_token: token } = await tokensOf(await app.client.exchange(answer?.get('code') ?? ''));
  expect((await ping(service.url, token)).status).toBe(200);

  const limits = { allow: { toolkits: ['weather'], actions: [] }, callsPerMinute: 60, budget: { perCall: '0.1', perDay: '5' } };
  const { apps } = await connectedApps(owner.page);
  expect(apps).toMatchObject([{ ...limits, client: { name: 'Notes', host: 'localhost' }, owner: { name: OWNER.name }, signIns: 1 }]);

  // The same app again: its key keeps the limits.
  await page.goto(app.authorizePath());
  await page.getByText('You have connected this app before.').waitFor();
  await page.getByText('0.1 USD per call, 5 USD per day').waitFor();
  expect(await page.getByRole('link', { name: 'Change them' }).getAttribute('href')).toBe(`/keys?id=${apps[0]!.id}`);
  expect(await page.getByLabel('Limit per minute').count()).toBe(0);

  await owner.page.goto(`/keys?id=${apps[0]!.id}`);
  const drawer = owner.page.getByRole('dialog');
  await drawer.getByText('Notes (an app on this computer), 1 sign-in').waitFor();
  expect(await drawer.getByRole('button', { name: 'Rotate secret' }).count()).toBe(0);

  await owner.page.goto('/account');
  await owner.page.getByRole('table', { name: 'Connected apps' }).getByRole('button', { name: 'Disconnect Notes' }).click();
  await button(owner.page, 'Disconnect').click();
  await owner.page.getByText('No connected apps.').waitFor();
  await expect.poll(async () => (await ping(service.url, token)).ok).toBe(false);
  await owner.page.goto('/audit');
  for (const sentence of [`${OWNER.name} connected app`, `${OWNER.name} disconnected app`]) await owner.page.getByText(sentence).waitFor();
});

test('the app gets access_denied when the person denies it, and no key', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  const app = await startLoopbackApp(service);
  await page.goto(app.authorizePath());
  await button(page, 'Deny').click();
  await answerCame(page);
  expect(Object.fromEntries(app.answers[0]!)).toMatchObject({ error: 'access_denied', state: 'a state', iss: service.url });
  await page.goto('/account');
  expect(await connectedApps(page)).toEqual({ apps: [] });
});

test('an app with a document is named by the host of the document', async () => {
  const service = await openConsole({ console: { privateClientHosts: ['localhost'] } });
  const { page } = await service.owner();
  const { url } = await serveClientDocument(
    JSON.stringify({ client_id: '', client_name: 'Claude', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }),
  );
  const { host } = new URL(url);
  await page.goto(`${OAUTH_PATHS.authorize}?${new OAuthClient(service.url, { client_id: url }, REDIRECT).query()}`);
  await page.getByText(host, { exact: true }).waitFor();
  await page.getByText(`Claude, as ${host} itself says`).waitFor();
  await page.getByText('an app on this computer', { exact: true }).waitFor();
});

test('an app with a private scheme is opened by the browser, and the page stays with its link', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  owner.mayComplain(/cursor:/);
  const redirect = 'cursor://anysphere.cursor-mcp/oauth/callback';
  const client = await OAuthClient.register(service.url, { client_name: 'Cursor', redirect_uris: [redirect] });
  await owner.page.goto(`${OAUTH_PATHS.authorize}?${client.query()}`);
  await owner.page.getByText('An installed app (cursor:)', { exact: true }).waitFor();
  await button(owner.page, 'Allow').click();
  await owner.page.getByRole('heading', { name: 'You can close this page' }).waitFor();
  const opened = new URL((await owner.page.getByRole('link', { name: 'Open the app' }).getAttribute('href')) ?? '');
  expect(opened.href.split('?')[0]).toBe(redirect);
  await tokensOf(await client.exchange(opened.searchParams.get('code') ?? ''));
});

test('a decision that did not arrive can be made again', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  owner.mayComplain(/ERR_FAILED/);
  const app = await startLoopbackApp(service);
  await owner.page.route('**/v1/oauth/decisions', (route) => route.abort(), { times: 1 });
  await owner.page.goto(app.authorizePath());
  await button(owner.page, 'Allow').click();
  await owner.page.getByText('The service does not answer').waitFor();
  await button(owner.page, 'Allow').click();
  await answerCame(owner.page);
});

test('an unknown app or a redirect address that it did not register gets nothing', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  owner.mayBeRefused(400, /^\/v1\/oauth\/requests$/);
  const app = await startLoopbackApp(service);
  for (const change of [
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: `${app.client.redirect}/other` },
    { client_id: 'svc_client_unknown' },
    { client_id: undefined },
  ]) {
    const path = app.authorizePath(change);
    await owner.page.goto(path);
    await owner.page.getByRole('heading', { name: 'This app cannot be connected' }).waitFor();
    expect(await owner.page.getByRole('button').count()).toBe(0);
    expect(owner.page.url()).toBe(service.url + path);
  }
  expect(app.answers).toEqual([]);
});

test('a request that the app has to mend goes back to it only with a click', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  const app = await startLoopbackApp(service);
  await page.goto(app.authorizePath({ code_challenge: undefined }));
  await page.getByText('PKCE is needed').waitFor();
  expect(app.answers).toEqual([]);
  await page.getByRole('link', { name: 'Back to an app on this computer' }).click();
  await answerCame(page);
  expect(app.answers[0]?.get('error')).toBe('invalid_request');
});

test('Allow takes a click only after the page has been in sight for half a second', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  const app = await startLoopbackApp(service);
  await page.clock.install();
  await page.addInitScript(() => {
    Object.assign(globalThis, { sight: 'hidden' });
    Object.defineProperty(document, 'visibilityState', { get: () => (globalThis as unknown as { sight: string }).sight });
  });
  await page.goto(app.authorizePath());
  const allow = button(page, 'Allow');
  await allow.waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  const show = (sight: 'hidden' | 'visible') =>
    page.evaluate((now) => {
      Object.assign(globalThis, { sight: now });
      document.dispatchEvent(new Event('visibilitychange'));
    }, sight);
  for (const _time of ['the first', 'the next']) {
    await show('visible');
    await page.clock.runFor(499);
    expect(await allow.isDisabled()).toBe(true);
    await page.clock.runFor(1);
    await expect.poll(() => allow.isEnabled()).toBe(true);
    await show('hidden');
    await expect.poll(() => allow.isDisabled()).toBe(true);
  }
  expect(app.answers).toEqual([]);
});

test('a hidden frame of another site shows no consent page, so a click in it allows nothing', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  owner.mayComplain(/frame-ancestors|X-Frame-Options|chrome-error|ERR_BLOCKED_BY_RESPONSE/);
  const app = await startLoopbackApp(service);
  const evil = await owner.context.newPage();
  const frame = `<iframe src="${service.url}${app.authorizePath().replaceAll('&', '&amp;')}" style="opacity:0;width:600px;height:1000px"></iframe>`;
  await evil.goto(await otherSite(`<!doctype html><title>x</title>${frame}`));
  expect(
    await evil
      .frames()
      .find((one) => one !== evil.mainFrame())
      ?.getByRole('button')
      .count(),
  ).toBe(0);
  expect(await connectedApps(owner.page)).toEqual({ apps: [] });
});

test('an old sign-in is confirmed before an app is allowed', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await openConsole({ data: folder.path });
  const owner = await service.owner();
  owner.mayBeRefused(403, /^\/v1\/oauth\/decisions$/);
  const app = await startLoopbackApp(service);
  ageSignIns(folder.path, 16);
  await owner.page.goto(app.authorizePath());
  await button(owner.page, 'Allow').click();
  const dialog = owner.page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Your password').fill(OWNER.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await answerCame(owner.page);
  expect(app.answers[0]?.get('code')).toBeTruthy();
});

test('owners decide who connects which apps, see the apps of everybody, and disconnect them', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  const member = await service.member(owner);
  const app = await startLoopbackApp(service);
  await member.page.goto(app.authorizePath());
  await member.page.getByText('Only owners can change a budget').waitFor();
  await button(member.page, 'Allow').click();
  await answerCame(member.page);
  await tokensOf(await app.client.exchange(app.answers[0]?.get('code') ?? ''));

  await owner.page.goto('/account');
  await owner.page.getByText('No connected apps.').waitFor();
  await owner.page.goto('/people');
  await owner.page
    .getByRole('table', { name: 'Connected apps' })
    .getByRole('button', { name: `Disconnect Notes (an app on this computer) of ${MEMBER.name}` })
    .click();
  await button(owner.page, 'Disconnect').click();
  await owner.page.getByText('No connected apps.').waitFor();

  await owner.page.goto('/settings');
  await owner.page.getByRole('combobox', { name: 'Allowed apps' }).fill('claude.ai');
  await owner.page.keyboard.press('Enter');
  await button(owner.page, 'Save').click();
  await owner.page.getByText('Settings saved.').waitFor();
  member.mayBeRefused(403, /^\/v1\/oauth\/requests$/);
  await member.page.goto(app.authorizePath());
  await member.page.getByText('may not be connected here').waitFor();

  await owner.page.getByRole('radiogroup', { name: 'People who may connect apps' }).getByLabel('Owners only').check();
  await button(owner.page, 'Save').click();
  await member.page.goto(app.authorizePath());
  await expect
    .poll(async () => {
      await member.page.reload();
      await member.page.getByRole('alert').waitFor();
      return member.page.getByText('Only owners may connect apps here').count();
    })
    .toBe(1);
  const { entries } = await callApi<AuditPage>(owner.page, ADMIN_PATHS.audit);
  expect(entries.filter(({ what }) => what === 'settings.change').map(({ subject }) => subject)).toEqual([
    'connectApps',
    'connectAppHosts',
  ]);
});

test('a person changes the account on the way, and the request stays', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  await service.member(owner);
  const app = await startLoopbackApp(service);
  const path = app.authorizePath({ state: AWKWARD_STATE });
  await owner.page.goto(path);
  await button(owner.page, 'Use another account').click();
  await fillSignIn(owner.page, MEMBER);
  await owner.page.getByText(`${MEMBER.name} (${MEMBER.email})`).waitFor();
  expect(owner.page.url()).toBe(service.url + path);
  // Signed in already: the sign-in page leads there at once.
  await owner.page.goto(`/sign-in?from=${encodeURIComponent(path)}`);
  await owner.page.getByText(`${MEMBER.name} (${MEMBER.email})`).waitFor();
  expect(owner.page.url()).toBe(service.url + path);
});

test('the page names the account that the browser has now', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  await service.member(owner);
  const app = await startLoopbackApp(service);
  await page.goto(app.authorizePath());
  await page.getByText(`${OWNER.name} (${OWNER.email})`).waitFor();
  // As another page of the browser does it.
  await callApi(page, `${ADMIN_PATHS.auth}/sign-out`, {});
  await callApi(page, `${ADMIN_PATHS.auth}/sign-in/email`, { email: MEMBER.email, password: MEMBER.password });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await page.getByText(`${MEMBER.name} (${MEMBER.email})`).waitFor();
});
