// @module-tag chromium
/** An operator learns that a toolkit is offline, at the bell and by a webhook, and that it is back. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere } from '../../../test/support/browser';
import { openConsole } from '../../../test/support/console';
import { listening } from '../../../test/support/listening';
import { RawToolkit } from '../../../test/support/raw-toolkit';

const RUNS = [{ action: 'run', actionDescription: 'Runs a job by its name' }];

test('a toolkit goes offline: the bell counts it, the webhook gets it, and it ends', async () => {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const hook = createServer(async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(204).end();
  });
  const hookUrl = await listening(hook);
  const service = await openConsole({ connections: { privateHosts: ['127.0.0.1'] } });
  const { page } = await service.owner();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
  const toolkit = await RawToolkit.connect(service, key);
  await toolkit.register(RUNS);

  await page.goto('/alerts');
  await page.getByText('Nothing is wrong.').waitFor();
  await page.getByLabel('Address').fill(hookUrl);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/The test is sent to 127\.0\.0\.1/).waitFor();
  const minutes = page.getByRole('group', { name: 'A toolkit that was online is offline' }).getByLabel('Minutes offline');
  await minutes.fill('0');
  await minutes.blur();

  await toolkit.close();
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Check now' }).click();
      return page.getByRole('link', { name: '1 alert', exact: true }).isVisible();
    })
    .toBe(true);
  await expectAccessibleEverywhere(page);
  await page.getByRole('button', { name: /^Mute: Toolkit "weather" is offline/ }).click();
  await page.getByRole('menuitem', { name: 'For a day' }).click();
  const muted = page.getByRole('region', { name: 'Muted' });
  await muted.getByText(/^A toolkit that was online is offline: weather until/).waitFor();
  await page.getByText('Nothing is wrong.').waitFor();
  await muted.getByRole('button', { name: 'Unmute' }).click();
  await page.getByRole('link', { name: '1 alert', exact: true }).waitFor();
  await page.goto('/');
  await page
    .getByRole('region', { name: 'Attention' })
    .getByRole('link', { name: /Toolkit "weather" is offline/ })
    .click();
  await page.waitForURL('**/toolkits/weather');

  const back = await RawToolkit.connect(service, key);
  await back.register(RUNS);
  await page.goto('/alerts');
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Check now' }).click();
      return page.getByText('Nothing is wrong.').isVisible();
    })
    .toBe(true);
  await page.getByRole('link', { name: 'No alerts' }).waitFor();
  await expect.poll(() => received.length).toBe(4);
  const messages = received.map(({ headers, body }) => (new Webhook(secret).verify(body, headers) as { type: string }).type);
  expect(messages).toEqual(['alert.begun', 'alert.begun', 'alert.begun', 'alert.ended']);
});
