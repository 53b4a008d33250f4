// @module-tag chromium
/** A change that needs a fresh sign-in: the console requests it, and the change continues. */
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type PeoplePage } from '#sdk/protocol/admin';
import { callApi, MEMBER, OWNER, openConsole } from '../../../test/support/console';
import { makeFolder } from '../../../test/support/folder';
import { ageSignIns } from '../support/old-sign-ins';

async function stage() {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await openConsole({ data: folder.path });
  const owner = await service.owner();
  await service.member(owner);
  owner.mayBeRefused(403, /^\/v1\//);
  owner.mayBeRefused(401, /^\/v1\//);
  ageSignIns(folder.path, 16);
  await owner.page.goto('/people');
  await owner.page.getByRole('button', { name: `Actions for ${MEMBER.name}` }).click();
  await owner.page.getByRole('menuitem', { name: 'Make an owner' }).click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Make an owner' }).click();
  return { page: owner.page, dialog: owner.page.getByRole('dialog', { name: 'Sign in again' }) };
}

const roleOf = async (page: Awaited<ReturnType<typeof stage>>['page']) => {
  const { people } = await callApi<PeoplePage>(page, ADMIN_PATHS.people);
  return people.find(({ email }) => email === MEMBER.email)?.role;
};

test('the role changes after the password, and a wrong one changes nothing', async () => {
  const { page, dialog } = await stage();
  await dialog.getByLabel('Your password').fill('a wrong password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('E-mail or password is wrong').waitFor();
  expect(await roleOf(page)).toBe('member');
  await dialog.getByLabel('Your password').fill(OWNER.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(() => roleOf(page)).toBe('owner');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

test('nothing changes when the person cancels', async () => {
  const { page, dialog } = await stage();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await roleOf(page)).toBe('member');
});
