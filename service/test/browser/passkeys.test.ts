// @module-tag chromium
/** Passkeys with an authenticator that Chromium has in software. */
import { expect, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { giveAuthenticator } from '../../../scripts/chromium';
import { askApi, OWNER, openConsole } from '../../../test/support/console';

test('a person adds a passkey, signs out, and signs in with it, without a password', async () => {
  const service = await openConsole();
  // Passkeys belong to a name: an address of numbers has none.
  const baseURL = `http://localhost:${service.port}`;
  const owner = await service.owner({ baseURL });
  owner.mayBeRefused(401, /^\/v1\//);
  const { page } = owner;
  const authenticator = await giveAuthenticator(owner.page);

  await page.goto('/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name').fill('Laptop');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor();

  // An authenticator with presence would complete the browser's own offer before the button is clicked.
  await authenticator.setPresence(false);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await button.waitFor();
  expect((await askApi(page, ADMIN_PATHS.me)).status).toBe(401);
  await authenticator.setPresence(true);
  await button.click();
  await page.getByRole('button', { name: `Account of ${OWNER.name}` }).waitFor();

  await page.goto('/account');
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
  await page.getByText('No passkeys yet.').waitFor();
});
