// @module-tag chromium
/** An owner changes settings. */
import { expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console';

test('unsaved changes are not lost without a question, and saving them is one click', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  const link = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  await page.goto('/settings');
  const content = page.getByRole('radiogroup', { name: 'Store payloads and results' });
  await content.getByLabel('All calls').check();
  await page.getByText('You have unsaved changes.').waitFor();

  await link('Keys').click();
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await content.getByLabel('All calls').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Settings saved.').waitFor();

  await content.getByLabel('Failed calls only').check();
  await link('Keys').click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  await link('Settings').click();
  await content.waitFor();
  expect(await content.getByLabel('All calls').isChecked()).toBe(true);
});
