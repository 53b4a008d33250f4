import type { Page } from 'playwright-core';
import { PASSWORD } from './people.ts';

/** Signs in with the form, in the context of the page. */
export async function signIn(page: Page, { email }: { email: string }): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel(/e-?mail/i).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('/');
}
