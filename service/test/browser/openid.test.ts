// @module-tag chromium
/** Signing in at the team's own provider, by the button of the sign-in page. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type AuditPage, type Me, type PeoplePage } from '#sdk/protocol/admin';
import { callApi, fillSignIn, MEMBER, OWNER, openConsole } from '../../../test/support/console';
import { makeFolder } from '../../../test/support/folder';
import { startLoopbackApp } from '../support/loopback-app';
import { CLIENT, startOidcProvider } from '../support/oidc-provider';
import { ageSignIns } from '../support/old-sign-ins';

/** The provider needs the redirect address before the service runs. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function stage({ data }: { data?: string } = {}) {
  const provider = await startOidcProvider();
  const port = await freePort();
  const oidc = { issuer: provider.issuer, ...CLIENT, name: 'Example ID', allowedDomains: ['team.example', 'shop.example'] };
  const service = await openConsole({
    port,
    ...(data !== undefined && { data }),
    console: { publicUrl: `http://127.0.0.1:${port}`, oidc },
  });
  return { provider, service };
}

const continueAtProvider = (page: Page) => page.getByRole('button', { name: 'Continue with Example ID' }).click();

test('a team member signs in by the button, reaches the requested page, and stays the same person', async () => {
  const { provider, service } = await stage();
  const owner = await service.owner();
  provider.next = { sub: 'sub-of-tess', email: 'tess@team.example', email_verified: true, name: 'Tess Team' };
  for (const _time of ['the first', 'the next']) {
    const tess = await service.visitor();
    tess.mayBeRefused(401, /^\/v1\//);
    await tess.page.goto('/toolkits');
    await continueAtProvider(tess.page);
    await tess.page.getByRole('button', { name: 'Account of Tess Team' }).waitFor();
    expect(new URL(tess.page.url()).pathname).toBe('/toolkits');
    expect(await callApi<Me>(tess.page, ADMIN_PATHS.me)).toMatchObject({ role: 'member', person: { email: 'tess@team.example' } });
  }
  const { people } = await callApi<PeoplePage>(owner.page, ADMIN_PATHS.people);
  expect(people.filter(({ name }) => name === 'Tess Team')).toHaveLength(1);
});

test('an invited person keeps the account when the provider confirms the e-mail, and the password ends', async () => {
  const { provider, service } = await stage();
  const owner = await service.owner();
  const member = await service.member(owner);
  member.mayBeRefused(401, /^\/v1\//);
  const { people: before } = await callApi<PeoplePage>(owner.page, ADMIN_PATHS.people);
  provider.next = { sub: 'sub-of-jonas', email: MEMBER.email, email_verified: true, name: 'J. Lindqvist' };

  const elsewhere = await service.visitor();
  elsewhere.mayBeRefused(401, /^\/v1\//);
  await elsewhere.page.goto('/sign-in');
  await continueAtProvider(elsewhere.page);
  await elsewhere.page.getByRole('button', { name: `Account of ${MEMBER.name}` }).waitFor();
  const { people: after } = await callApi<PeoplePage>(owner.page, ADMIN_PATHS.people);
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));

  const byPassword = await service.visitor();
  byPassword.mayBeRefused(401, /^\/v1\//);
  await byPassword.page.goto('/sign-in');
  await fillSignIn(byPassword.page, MEMBER);
  await byPassword.page.getByText('E-mail or password is wrong').waitFor();

  await member.page.goto('/start');
  await member.page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await owner.page.goto('/audit');
  await owner.page.getByText(`${MEMBER.name} connected the OpenID provider`).waitFor();
  await owner.page.getByText('passwords (1), sessions (1)').waitFor();
  await owner.page.getByRole('combobox', { name: 'Kinds' }).click();
  await owner.page.getByRole('option', { name: 'Sign-ins' }).click();
  await owner.page.getByText(`${MEMBER.name} signed in`, { exact: true }).waitFor();
  const { entries } = await callApi<AuditPage>(owner.page, ADMIN_PATHS.audit);
  expect(entries.filter(({ what }) => what === 'session.begin')).toMatchObject([{ details: { by: 'OpenID provider' } }]);
});

test('a stranger is sent back with the reason in words', async () => {
  const { provider, service } = await stage();
  await service.owner();
  provider.next = { sub: 'sub-of-eve', email: 'eve@evil.example', email_verified: true, name: 'Eve' };
  const eve = await service.visitor();
  eve.mayBeRefused(401, /^\/v1\//);
  await eve.page.goto('/sign-in');
  await continueAtProvider(eve.page);
  await eve.page.waitForURL(/error=not_invited/);
  await eve.page.getByRole('alert').waitFor();
});

test('an owner connects the provider on the account page, not by signing in there, and disconnects it', async () => {
  const { provider, service } = await stage();
  const owner = await service.owner();
  provider.next = { sub: 'sub-of-maya', email: OWNER.email, email_verified: true, name: 'Maya' };
  const elsewhere = await service.visitor();
  elsewhere.mayBeRefused(401, /^\/v1\//);
  await elsewhere.page.goto('/sign-in');
  await continueAtProvider(elsewhere.page);
  await elsewhere.page.getByText('An owner connects the provider once').waitFor();

  await owner.page.goto('/account');
  await owner.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await owner.page.getByText('Connected.', { exact: true }).waitFor();
  await continueAtProvider(elsewhere.page);
  await elsewhere.page.getByRole('button', { name: `Account of ${OWNER.name}` }).waitFor();

  await owner.page.getByRole('button', { name: 'Disconnect' }).click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await owner.page.getByText('Not connected.', { exact: true }).waitFor();
});

test('the request of an app survives the sign-in at the provider as the app wrote it', async () => {
  const { provider, service } = await stage();
  await service.owner();
  provider.next = { sub: 'sub-of-tess', email: 'tess@team.example', email_verified: true, name: 'Tess Team' };
  const app = await startLoopbackApp(service);
  const tess = await service.visitor();
  const path = app.authorizePath({ state: `1e5 +%2B&a=b;c?d#e"f'(g)*~!|é${'x9-_.'.repeat(800)}` });
  await tess.page.goto(path);
  await continueAtProvider(tess.page);
  await tess.page.getByText('Tess Team (tess@team.example)').waitFor();
  expect(tess.page.url()).toBe(service.url + path);
});

test('a sign-in at the provider that a change needs leads back to the page with its query', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { provider, service } = await stage({ data: folder.path });
  await service.owner();
  provider.next = { sub: 'sub-of-tess', email: 'tess@team.example', email_verified: true, name: 'Tess Team' };
  const app = await startLoopbackApp(service);
  const tess = await service.visitor();
  const path = app.authorizePath();
  await tess.page.goto(path);
  await continueAtProvider(tess.page);
  await tess.page.getByText('Tess Team (tess@team.example)').waitFor();
  ageSignIns(folder.path, 16);
  tess.mayBeRefused(403, /^\/v1\/oauth\/decisions$/);
  const allow = tess.page.getByRole('button', { name: 'Allow', exact: true });
  await allow.click();
  await tess.page.getByRole('button', { name: 'Leave this page and sign in with Example ID' }).click();
  await tess.page.getByRole('dialog').waitFor({ state: 'detached' });
  await allow.click();
  await tess.page.getByRole('heading', { name: 'Back in the app' }).waitFor();
  expect(app.answers[0]?.get('code')).toBeTruthy();
});
