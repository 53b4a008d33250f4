/** Passkeys, made and used as people do, with an authenticator that Chromium plays. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { OWNER, openConsole } from '../support/console';

/** Returns what says whether somebody is there to touch it; at first there is. */
async function plugInAuthenticator(page: Page): Promise<(touched: boolean) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, automaticPresenceSimulation: true },
  });
  return async (enabled) => void (await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }));
}

test('a passkey is made, renamed, signs in by the button and by the e-mail field, and not any more when it was removed', async () => {
  const service = await openConsole();
  // Browsers know no passkeys at an address.
  const owner = await service.visitor({ baseURL: service.url.replace('127.0.0.1', 'localhost') });
  const { page } = owner;
  const touch = await plugInAuthenticator(page);
  const link = new URL((await service.setupLink()) ?? '');
  await page.goto(`/join${link.hash}`);
  await page.getByLabel('Name', { exact: true }).fill(OWNER.name);
  await page.getByLabel('E-mail').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
  const signOut = async () => {
    await page.getByRole('button', { name: 'Account of' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  };

  await page.goto('/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Rename Laptop' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Old laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Remove Old laptop' }).waitFor();

  // Nobody touches it, so that the browser's offer in the e-mail field stays one.
  await touch(false);
  await signOut();
  const asked = page.waitForResponse(/generate-authenticate-options/);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await asked;
  await touch(true);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  // With somebody there the offer is taken at once.
  await page.goto('/account');
  await page.getByRole('button', { name: 'Account of' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await page.goto('/account');
  await page.getByRole('button', { name: 'Remove Old laptop' }).click();
  await page.getByRole('button', { name: 'Remove the passkey' }).click();
  await page.getByText('There are none yet.').waitFor();
  await touch(false);
  await signOut();
  owner.mayBeRefused(401, /verify-authentication$/);
  await touch(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').getByText('The passkey was not accepted').waitFor();
  expect(new URL(page.url()).pathname).toBe('/sign-in');
});
