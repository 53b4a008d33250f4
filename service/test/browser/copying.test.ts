// @module-tag chromium
/** Copy buttons where the browser has no clipboard for the page, as over http under the name of a machine. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console';

const selection = (page: Page) => page.evaluate(() => window.getSelection()?.toString());

test('without a clipboard the text is copied by its selection, and where that is refused it stays selected', async () => {
  const service = await openConsole();
  const { page, context } = await service.visitor();
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    const copied: unknown[] = [];
    Object.assign(globalThis, { copied });
    document.execCommand = () => {
      copied.push(window.getSelection()?.toString());
      return copied.length === 1;
    };
  });
  // The page shows a command while there is no account.
  await page.goto('/sign-in');
  const label = 'Command that creates an invitation for an owner';
  const command = await page.getByRole('region', { name: label }).textContent();
  expect(command).toBe(`npx svc-service people invite --role owner --data ./svc-data --url ${service.url}`);
  await page.getByRole('button', { name: `Copy: ${label}` }).click();
  await page.getByRole('button', { name: `Copied: ${label}` }).click();
  await page.getByRole('button', { name: `Press Ctrl+C: ${label}` }).waitFor();
  expect(await selection(page)).toBe(command);
  expect(await page.evaluate('copied')).toEqual([command, command]);
});
