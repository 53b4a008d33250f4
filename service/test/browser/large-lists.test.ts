// @module-tag chromium
/** Lists with more rows than a page: the service sorts, searches and pages them; filters are kept under a name. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { OwnedKeysPage } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { callApi, openConsole, type TestConsole } from '../../../test/support/console';
import { nextMillisecond } from '../support/next-millisecond';

const KEYS = 120;

async function makeKeys({ keys }: TestConsole): Promise<void> {
  for (let number = 1; number <= KEYS; number++) {
    await nextMillisecond();
    await keys.create({ kind: 'agent', name: `robot-${String(number).padStart(3, '0')}`, ...(number === 7 && { expiresInDays: 3 }) });
  }
}

const rowNames = (page: Page) => page.getByRole('table', { name: 'Keys' }).getByRole('link').allTextContents();

test('keys are paged, sorted and searched by the service, and revoked together after a question', async () => {
  const service = await openConsole();
  await makeKeys(service);
  const { page } = await service.owner();
  await page.goto('/keys');
  await page.getByText(`${KEYS} keys`).waitFor();
  expect(await rowNames(page)).toHaveLength(50);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('link', { name: 'robot-070', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.getByRole('link', { name: 'robot-120', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Expires' }).click();
  await expect.poll(async () => (await rowNames(page))[0]).toBe('robot-007');
  expect(new URL(page.url()).search).toContain('sort=expiry');
  await page.reload();
  await expect.poll(async () => (await rowNames(page))[0]).toBe('robot-007');

  await page.getByRole('textbox', { name: 'Find keys by name, id, toolkit or owner' }).fill('ROBOT-00');
  await page.getByText('9 keys').waitFor();
  for (const name of ['robot-001', 'robot-002']) await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
  await page.getByRole('button', { name: 'Revoke 2 keys' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke 2 keys?' });
  await question.getByText('robot-001').waitFor();
  await question.getByRole('button', { name: 'Revoke 2 keys' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByText('7 keys').waitFor();
  const { keys } = await callApi<OwnedKeysPage>(page, `${PATHS.keys}?state=revoked&limit=9`);
  expect(keys.map(({ name }) => name).sort()).toEqual(['robot-001', 'robot-002']);
});

test('a choice among many keys has few options, and finds each of them while the person types', async () => {
  const service = await openConsole();
  await makeKeys(service);
  const { page } = await service.owner();
  const sizes: number[] = [];
  page.on('response', async (response) => {
    if (new URL(response.url()).pathname === PATHS.keys) sizes.push((await response.body().catch(() => Buffer.alloc(0))).length);
  });
  await page.goto('/calls');
  const field = page.getByRole('combobox', { name: 'Key' });
  await field.click();
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('option').count()).toBeLessThanOrEqual(20);
  await field.fill('robot-003');
  await page.getByRole('option', { name: 'robot-003' }).click();
  expect(new URL(page.url()).searchParams.get('key')).toMatch(/^key_/);
  await page.reload();
  await expect.poll(() => page.getByRole('combobox', { name: 'Key' }).inputValue()).toBe('robot-003');
  for (const size of sizes) expect(size).toBeLessThan(12_000);
});

test('the audit log groups what a script did, opens the group, and filters by kind', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  for (let number = 1; number <= 6; number++) await callApi(page, PATHS.keys, { kind: 'agent', name: `scripted ${number}` });
  await callApi(page, '/v1/settings', { retentionDays: 7 }, 'PATCH');
  await page.goto('/audit');
  const list = page.getByRole('list', { name: 'Changes and sign-ins' });
  await list.getByText(/created key “scripted 6”/).waitFor();
  expect(await list.getByText(/created key “scripted 1”/).count()).toBe(0);
  await list.getByRole('button', { name: /Show 5 more of the same/ }).click();
  await list.getByText(/created key “scripted 1”/).waitFor();

  await page.getByRole('combobox', { name: 'Kinds' }).click();
  await page.getByRole('option', { name: 'Settings' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('what')).toBe('settings,alert-target');
  await list.getByText(/changed “Retention/).waitFor();
  expect(await list.getByText(/created key/).count()).toBe(0);
});

test('filters are kept under a name, opened again, shared, renamed and deleted', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  const { page } = owner;
  await service.keys.create({ kind: 'agent', name: 'robot' });
  await page.goto('/keys?sort=refused&state=all');
  const views = page.getByRole('button', { name: /^Views/ });
  await views.click();
  await page.getByRole('menuitem', { name: 'Save these filters…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save these filters' });
  await dialog.getByLabel('Name').fill('Most refused');
  await dialog.getByLabel('Share with everybody').check();
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Views (1)' }).waitFor();

  const member = await service.member(owner);
  await member.page.goto('/keys');
  await member.page.getByRole('button', { name: 'Views (1)' }).click();
  await member.page.getByRole('menuitem', { name: /Most refused/ }).click();
  await expect.poll(() => new URL(member.page.url()).searchParams.get('sort')).toBe('refused');

  await page.goto('/keys');
  await views.click();
  await page.getByRole('menuitem', { name: 'Rename or delete…' }).click();
  const manage = page.getByRole('dialog', { name: 'Saved views' });
  await manage.getByLabel('Name of Most refused').fill('Refused');
  await manage.getByLabel('Name of Most refused').press('Enter');
  await manage.getByRole('button', { name: 'Delete Refused' }).click();
  await manage.getByText('No views are saved for this page.').waitFor();
});
