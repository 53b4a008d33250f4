// @module-tag chromium
/** Runs of code, as people look at them in the console. */
import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere } from '../../../test/support/browser';
import { openConsole } from '../../../test/support/console';
import { Shop } from '../support/code-runs';

const PROGRAM = `const prices = await Promise.all(['tea', 'bread'].map((item) => tools.shop.price({ item })));
console.log('two prices');
return { cents: prices.reduce((sum, { data }) => sum + data.cents, 0) };`;

test('a run shows its program, its result, its log and its calls, and a session leads to it', async () => {
  const service = await openConsole({ code: true });
  const shop = new Shop();
  await service.toolkit('shop', shop.define);
  const { page } = await service.owner();
  await page.goto('/runs');
  await page.getByRole('heading', { name: 'No run of code is kept' }).waitFor();

  const { key } = await service.keys.create({ kind: 'agent', name: 'analyst', code: true });
  const run = await new Tools({ baseUrl: service.url, apiKey: key, code: true, sessionId: 'chat-7' }).runCode(PROGRAM);
  expect(run).toMatchObject({ status: 'done', result: { cents: 800 } });
  await page.goto('/runs');
  await page.getByRole('cell', { name: 'analyst' }).waitFor();
  await page.getByRole('link', { name: run.run }).click();
  await page.getByRole('region', { name: 'Program', exact: true }).last().getByText('tools.shop.price').waitFor();
  expect(JSON.parse(await page.getByRole('region', { name: 'Result as JSON' }).innerText())).toEqual({ cents: 800 });
  await page.getByRole('region', { name: 'Log', exact: true }).last().getByText('two prices').waitFor();
  const calls = page.getByRole('list', { name: 'Calls of the run' });
  expect(await calls.getByRole('link', { name: 'shop__price' }).count()).toBe(2);
  await expectAccessibleEverywhere(page);

  await calls.getByRole('link', { name: 'shop__price' }).first().click();
  await page.getByRole('link', { name: run.run }).waitFor();
  await page.goto('/sessions/chat-7');
  await page.getByRole('link', { name: run.run }).first().click();
  await page.getByRole('region', { name: 'Result as JSON' }).waitFor();
});
