import type { Page } from 'playwright-core';
import { PASSWORD } from './people.ts';
import { OWNER } from './stage.ts';

/** In the pages' own context, by the form. */
export async function signInOwner(page: Page): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel(/e-?mail/i).fill(OWNER.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('/');
}
