// @module-tag chromium
/** Keys as people make, replace and end them, while programs call with them. */
import type { Page } from 'playwright-core';
import { SvcError, Tools } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import type { OwnedKeysPage } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { callApi, openConsole, type TestConsole } from '../../../test/support/console';
import { keptByPage } from '../support/kept-by-page';

/** A toolkit whose action ends at the test's request, or when the call is cancelled. */
async function holdingToolkit(service: TestConsole) {
  const held: { end: () => void; cancelled: boolean }[] = [];
  await service.toolkit('holder', (toolkit) => {
    toolkit.action({ action: 'hold', actionDescription: 'Waits until it is told to end', payloadDescription: {} }, (context) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const call = { end: () => resolve('ended well'), cancelled: false };
      context.signal.addEventListener('abort', () => {
        call.cancelled = true;
        resolve('cancelled');
      });
      held.push(call);
      return promise;
    });
  });
  return held;
}

/** Creates a key on the page and returns its secret, which is shown only once. */
async function makeKey(page: Page, name: string): Promise<string> {
  await page.goto('/keys');
  await page.getByRole('button', { name: 'New key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await shownSecret(page, name);
  await dialog.getByRole('button', { name: "I've saved it" }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

async function shownSecret(page: Page, name: string): Promise<string> {
  const shown = page.getByRole('dialog').getByRole('textbox', { name: `Key ${name}` });
  await shown.waitFor();
  return shown.inputValue();
}

const failure = (promise: Promise<unknown>): Promise<SvcError> =>
  promise.then(
    (value) => Promise.reject(new Error(`It gave ${JSON.stringify(value)}`)),
    (error: unknown) => (SvcError.is(error) ? error : Promise.reject(error)),
  );

test('a new secret is shown once: after its dialog it is nowhere on the page, and in no storage of it', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  const secret = await makeKey(page, 'support-bot');
  expect(secret).toMatch(/^svc_agent_[0-9A-Za-z]{49}$/);
  await page.getByRole('row').filter({ hasText: 'support-bot' }).waitFor();
  expect(await keptByPage(page)).not.toContain(secret);
  await page.reload();
  await page.getByRole('row').filter({ hasText: 'support-bot' }).waitFor();
  expect(await keptByPage(page)).not.toContain(secret);
  const { actions } = await new Tools({ baseUrl: service.url, apiKey: secret }).search('anything');
  expect(actions).toEqual([]);
});

test('a new secret while a call runs: that call and the next one with the old secret are refused, the new one works', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  const held = await holdingToolkit(service);
  const oldSecret = await makeKey(page, 'rotating');
  const before = new Tools({ baseUrl: service.url, apiKey: oldSecret });
  const running = failure(before.invoke('holder__hold', {}));
  await vi.waitFor(() => expect(held).toHaveLength(1));

  await page.getByRole('link', { name: 'rotating' }).click();
  const drawer = page.getByRole('dialog', { name: /rotating/ });
  await drawer.getByRole('button', { name: 'Rotate secret' }).click();
  const question = page.getByRole('dialog', { name: 'Rotate the secret of rotating?' });
  expect(await question.getByRole('radio', { name: 'Stops at once' }).isChecked()).toBe(true);
  await question.getByRole('button', { name: 'Rotate secret' }).click();
  const newSecret = await shownSecret(page, 'rotating');
  expect(newSecret).not.toBe(oldSecret);

  expect((await failure(before.invoke('holder__hold', {}))).code).toBe('INVALID_KEY');
  expect((await running).code).toBe('KEY_REVOKED');
  await vi.waitFor(() => expect(held[0]?.cancelled).toBe(true));
  const after = new Tools({ baseUrl: service.url, apiKey: newSecret });
  const next = after.invoke('holder__hold', {});
  await vi.waitFor(() => expect(held).toHaveLength(2));
  held[1]?.end();
  expect(await next).toMatchObject({ result: 'ended well' });

  await drawer.getByRole('button', { name: "I've saved it" }).click();
  await drawer.getByRole('textbox', { name: 'Key rotating' }).waitFor({ state: 'detached' });
  expect(await keptByPage(page)).not.toContain(newSecret);
});

test('a key that is revoked while a call runs: the call gets the error, the handler is cancelled, the page shows it', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  const held = await holdingToolkit(service);
  const secret = await makeKey(page, 'leaving');
  const tools = new Tools({ baseUrl: service.url, apiKey: secret });
  const running = failure(tools.invoke('holder__hold', {}));
  await vi.waitFor(() => expect(held).toHaveLength(1));

  await page.getByRole('link', { name: 'leaving' }).click();
  await page
    .getByRole('dialog', { name: /leaving/ })
    .getByRole('button', { name: 'Revoke' })
    .click();
  const question = page.getByRole('dialog', { name: 'Revoke leaving?' });
  await question.getByText(/can't be undone/).waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(held[0]?.cancelled).toBe(false);

  await page
    .getByRole('dialog', { name: /leaving/ })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await question.getByRole('button', { name: 'Revoke key' }).click();
  expect((await running).code).toBe('KEY_REVOKED');
  await vi.waitFor(() => expect(held[0]?.cancelled).toBe(true));
  expect((await failure(tools.invoke('holder__hold', {}))).code).toBe('KEY_REVOKED');

  const drawer = page.getByRole('dialog', { name: /leaving/ });
  await drawer.getByText('revoked', { exact: true }).first().waitFor();
  expect(await drawer.getByRole('button', { name: /Revoke|Rotate secret|Change/ }).count()).toBe(0);
  const { keys } = await callApi<OwnedKeysPage>(page, PATHS.keys);
  expect(keys.find(({ name }) => name === 'leaving')).toMatchObject({ revokedAt: expect.any(String) });
});
