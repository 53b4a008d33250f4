// @module-tag chromium
/** Signing out and in again in the same tab, and sessions that end while a page is open. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import type { Visitor } from '../../../test/support/browser';
import { callApi, fillSignIn, join, MEMBER, OWNER, openConsole } from '../../../test/support/console';

const openPage = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();

/** Signs out within the open page, without a reload. */
async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** Nothing of it is kept by the tab's JavaScript when the page is loaded anew. */
async function markTab(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(globalThis, { sameTab: true }));
}

const isSameTab = (page: Page) => page.evaluate(() => 'sameTab' in globalThis);

async function losesCookies({ context }: Visitor): Promise<void> {
  await context.clearCookies();
}

test('a person signs out, in and out again, and no page is reloaded', async () => {
  const service = await openConsole();
  const { page, mayBeRefused } = await service.owner();
  mayBeRefused(401, /^\/v1\//);
  await page.goto('/start');
  await markTab(page);
  for (const _ of [1, 2]) {
    await openPage(page, 'Keys');
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await signOut(page);
    await page.getByRole('status').getByText('You signed out.').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await fillSignIn(page, OWNER);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }
  expect(await isSameTab(page)).toBe(true);
  await page.goto('/sign-in?from=%2Fkeys');
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
});

test('after the end of a session the next click shows the sign-in page with the reason, then the page again', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  owner.mayBeRefused(401, /^\/v1\//);
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await markTab(page);
  await losesCookies(owner);
  await openPage(page, 'Calls');
  await page.getByRole('status').getByText('You were signed out because your session ended').waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe('/calls');
  await fillSignIn(page, OWNER);
  await page.waitForURL('**/calls');
  await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor();

  // Also when a form is sent.
  await openPage(page, 'Get started');
  const create = page.getByRole('button', { name: 'Create agent key' });
  await create.waitFor();
  await losesCookies(owner);
  // The page's own requests would end the session before the form is sent.
  let isSent = false;
  await page.route('**/v1/**', async (route) => {
    isSent ||= route.request().method() === 'POST';
    if (isSent) await route.continue();
  });
  await create.click();
  await page.getByLabel('E-mail').waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe('/start');
  expect(await isSameTab(page)).toBe(true);
});

test('an open page detects that its session was ended elsewhere', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  const member = await service.member(owner);
  member.mayBeRefused(401, /^\/v1\//);
  await member.page.goto('/keys');
  await member.page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  const { people } = await callApi<{ people: { id: string; role: string }[] }>(owner.page, ADMIN_PATHS.people);
  const id = people.find(({ role }) => role === 'member')?.id;
  await callApi(owner.page, `${ADMIN_PATHS.people}/${id}`, { role: 'owner' }, 'PATCH');
  // The page sends a new request on every change.
  await service.keys.create({ kind: 'agent', name: 'another' });
  await member.page.getByLabel('E-mail').waitFor();
  expect(new URL(member.page.url()).searchParams.get('from')).toBe('/keys');
});

test('the sign-in page never leads to itself', async () => {
  const service = await openConsole();
  await service.owner();
  const { page } = await service.visitor();
  await page.goto(`/sign-in?from=${encodeURIComponent('/sign-in?from=%2Fsign-in')}`);
  await fillSignIn(page, OWNER);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('an invitation opened by a signed-in person names the account they would leave, and makes another', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  const { token } = await callApi<{ token: string }>(page, ADMIN_PATHS.invitations, { role: 'member' });
  await page.goto(`/join#${token}`);
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await page.getByRole('status').getByText(`You are signed in as ${OWNER.name} (${OWNER.email})`).waitFor();
  await join(page, `/join#${token}`, MEMBER);
  await page.getByRole('button', { name: `Account of ${MEMBER.name}` }).waitFor();
});
