// @module-tag chromium
/** The pages of an operator while agents make calls. */
import { expect, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { callApi, openConsole } from '../../../test/support/console';

const ECHO = 'mirror__echo';

async function openShop() {
  const service = await openConsole();
  const owner = await service.owner();
  await service.toolkit('Mirror', (mirror) => {
    mirror.action(
      {
        action: 'echo',
        actionDescription: 'Gives back the text that it gets',
        payloadDescription: { text: { type: 'string', required: true, description: 'What to give back' } },
      },
      (_ctx, { text }) => ({ text }),
    );
    mirror.action({ action: 'break', actionDescription: 'Fails, for a look at what that is like', payloadDescription: {} }, () => {
      throw new Error('The mirror is broken');
    });
  });
  return { owner, page: owner.page, tools: await service.tools({}, { name: 'Shop assistant' }) };
}

test('calls appear live, and wait behind a button while the log is paused', async () => {
  const { page, tools } = await openShop();
  await page.goto('/calls');
  await page.getByText('No calls yet').waitFor();

  await tools.invoke(ECHO, { text: 'first' });
  const rows = page.getByRole('table').getByRole('row').filter({ hasText: ECHO });
  await rows.filter({ hasText: 'ok' }).waitFor();

  await page.getByRole('button', { name: 'Pause' }).click();
  await tools.invoke(ECHO, { text: 'second' });
  const fresh = page.getByRole('button', { name: '1 new call' });
  await fresh.waitFor();
  expect(await rows.count()).toBe(1);
  await fresh.click();
  await rows.nth(1).waitFor();
});

test('from the overview to the error of a call, with its payload and result once settings store them', async () => {
  const { page, tools } = await openShop();
  await callApi(page, ADMIN_PATHS.settings, { content: 'errors' }, 'PATCH');
  await tools.invoke('mirror__break', {}).catch(() => {});
  await tools.invoke(ECHO, { text: 'fine' });

  await page.goto('/?span=1h');
  await page.getByRole('link', { name: '1 call with ACTION_FAILED' }).click();
  await page.waitForURL('**/calls?outcome=ACTION_FAILED&from=1h');
  const row = page.getByRole('table').getByRole('row').filter({ hasText: 'mirror__break' });
  await row.getByRole('link').first().click();
  await page.getByRole('heading', { name: "The toolkit's handler failed" }).waitFor();
  await page.getByText('The mirror is broken').first().waitFor();
  await page.getByRole('link', { name: 'Try again with this payload' }).waitFor();
  const id = new URL(page.url()).pathname.replace('/calls/', '');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: `Copy: ${id}` }).click();
  await page.getByRole('button', { name: `Copied: ${id}` }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  expect(await page.getByRole('list').getByText('Sent to the toolkit').count()).toBe(1);
});

test('a running call is cancelled on its page, and in the replay of its session', async () => {
  const service = await openConsole();
  const { page } = await service.owner();
  const stopped: string[] = [];
  await service.toolkit('Oven', (oven) => {
    oven.action({ action: 'bake', actionDescription: 'Bakes', payloadDescription: {} }, async (ctx) => {
      await new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))).finally(() => {
        stopped.push(ctx.invocationId);
      });
    });
  });
  const tools = await service.tools({ sessionId: 'dinner' }, { name: 'Cook' });
  const first = tools.invoke('oven__bake', {}).catch((error: unknown) => error);
  await page.goto('/calls');
  await page.getByRole('row').filter({ hasText: 'oven__bake' }).getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Running' }).waitFor();
  await page.getByRole('button', { name: 'Cancel this call' }).click();
  expect(await first).toMatchObject({ code: 'INVOCATION_CANCELLED', message: expect.stringContaining('A person cancelled') });
  await page.getByRole('heading', { name: 'The caller cancelled' }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Cancel this call' }).waitFor({ state: 'detached' });

  const second = tools.invoke('oven__bake', {}).catch((error: unknown) => error);
  await page.goto('/sessions/dinner');
  const row = page.getByRole('listitem').filter({ hasText: 'so far' });
  await row.getByRole('button', { name: 'Payload and result of oven__bake' }).click();
  await row.getByRole('button', { name: 'Cancel this call' }).click();
  expect(await second).toMatchObject({ code: 'INVOCATION_CANCELLED' });
  await expect.poll(() => stopped).toHaveLength(2);
  await page.goto('/audit');
  await page.getByText('Maya Okafor cancelled a call of “oven__bake”').first().waitFor();
});

test('a time drawn out of a chart is in the address, leads to its calls, and back to the span', async () => {
  const { page, tools } = await openShop();
  await tools.invoke(ECHO, { text: 'x' });
  await page.goto('/?span=1h');
  const chart = page.getByRole('img', { name: /^1 call with 0 errors/ });
  const { x, y, width, height } = (await chart.locator('.u-over').boundingBox()) ?? expect.fail('the chart is not drawn');
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 1, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(({ searchParams }) => searchParams.get('span') === '1h' && searchParams.has('from') && searchParams.has('to'));
  const drawn = new URL(page.url()).searchParams;
  expect(Date.parse(drawn.get('to') ?? '') - Date.parse(drawn.get('from') ?? '')).toBeLessThan(45 * 60_000);

  await page.getByRole('link', { name: 'All calls of this time' }).click();
  await page.getByRole('table').getByText(ECHO).waitFor();
  const asked = new URL(page.url()).searchParams;
  expect([asked.get('from'), asked.get('to')]).toEqual([drawn.get('from'), drawn.get('to')]);

  await page.goBack();
  await page.getByRole('link', { name: 'Back to the last hour' }).click();
  await page.waitForURL('**/?span=1h');
});

test('filters are in the address, and an unknown id is reported', async () => {
  const { page, tools, owner } = await openShop();
  owner.mayBeRefused(404, /^\/v1\/invocations\//);
  await tools.invoke(ECHO, { text: 'x' });
  await page.goto('/calls?outcome=error');
  await page.getByText('No call matches these filters').waitFor();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.getByRole('table').getByText(ECHO).waitFor();

  await page.getByLabel('Call id').fill('inv_nobody');
  await page.getByLabel('Call id').press('Enter');
  await page.getByText('Call not found').waitFor();
  expect(page.url()).toContain('/calls?id=inv_nobody');
});

test('a setting that deletes data shows a warning before it is saved, and is in the audit log after', async () => {
  const { page } = await openShop();
  await page.goto('/settings');
  await page.getByRole('radiogroup', { name: 'Store payloads and results' }).getByLabel('All calls').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Settings saved.').waitFor();
  await page.getByRole('radiogroup', { name: 'Store payloads and results' }).getByLabel('Never').check();
  await page.getByText('Saving deletes all stored payloads and results.').waitFor();
  await page.getByRole('button', { name: 'Save and delete' }).click();
  await page.getByRole('button', { name: 'Save and delete' }).waitFor({ state: 'detached' });

  await page.goto('/audit');
  const entry = page.getByRole('listitem').filter({ hasText: 'changed “Store payloads and results”' });
  await entry.filter({ hasText: /all.*off/ }).waitFor();
});
