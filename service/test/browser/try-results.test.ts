// @module-tag chromium
/** The results that Try it shows: pictures, files, Markdown, a large result, progress; and what it asks for before a call. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type InvocationsPage } from '#sdk/protocol/admin';
import { callApi, openConsole } from '../../../test/support/console';

const ROWS = 12_000;
/** One red pixel. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==', 'base64');

async function openLab() {
  const service = await openConsole();
  const { page } = await service.owner();
  let goOn = () => {};
  const waits = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const booked: unknown[] = [];
  await service.toolkit('lab', (lab) => {
    lab.action({ action: 'picture', actionDescription: 'Draws a picture with its numbers', payloadDescription: {} }, (ctx) => [
      ctx.image(PNG, 'image/png'),
      ctx.file('city,guests\nBonn,3\n', 'text/csv', 'numbers.csv'),
      ctx.file(Buffer.from('<script>document.title = "run"</script>'), 'text/html', 'page.html'),
      ctx.file(Buffer.alloc(8_192), 'application/octet-stream', 'film.bin'),
    ]);
    lab.action(
      {
        action: 'paint',
        actionDescription: 'Paints a wall',
        payloadDescription: {
          type: 'object',
          properties: { colours: { type: 'array', items: { enum: ['red', 'green', 'blue'] }, description: 'Colours of the wall' } },
        },
      },
      (_ctx, payload) => {
        booked.push(payload);
        return 'painted';
      },
    );
    lab.action({ action: 'rows', actionDescription: 'Lists all rows', payloadDescription: {} }, () =>
      Array.from({ length: ROWS }, (_, index) => ({ row: index })),
    );
    lab.action({ action: 'letter', actionDescription: 'Writes a letter', payloadDescription: {} }, () => '# Dear Ada\n\n- one\n- two\n');
    lab.action({ action: 'work', actionDescription: 'Works', payloadDescription: {} }, async (ctx) => {
      ctx.progress({ progress: 1, total: 4, message: 'a quarter' });
      await waits;
      return 'done';
    });
    lab.action(
      {
        action: 'book',
        actionDescription: 'Books a table',
        payloadDescription: {
          type: 'object',
          required: ['at'],
          properties: {
            at: { type: 'string', format: 'date-time', description: 'When' },
          },
        },
      },
      (_ctx, payload) => {
        booked.push(payload);
        return 'booked';
      },
    );
  });
  await service.keys.create({ kind: 'agent', name: 'lab-agent' });
  return { page, goOn, booked };
}

async function run(page: Page, action: string): Promise<Locator> {
  await page.goto(`/actions/${action}`);
  const trial = page.getByRole('region', { name: 'Try it' });
  await trial.getByRole('button', { name: 'Open the form' }).click();
  await trial.getByRole('button', { name: 'Run' }).click();
  return trial;
}

test('an image is shown, files are downloaded as they are, and none of them runs', async () => {
  const { page } = await openLab();
  const trial = await run(page, 'lab__picture');
  await trial.getByText('This action has no parameters.').waitFor();
  const image = trial.getByRole('img', { name: /image image\/png/ });
  await image.waitFor();
  expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1);
  const downloading = page.waitForEvent('download');
  await trial.getByRole('button', { name: 'Download numbers.csv' }).first().click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toBe('city,guests\nBonn,3\n');
  const other = page.waitForEvent('download');
  await trial.getByRole('button', { name: 'Download page.html' }).first().click();
  expect((await other).suggestedFilename()).toBe('page.html');
  expect(await page.title()).not.toBe('run');
});

test('the page of a call shows the stored image and its files, and says what was too large', async () => {
  const { page } = await openLab();
  await callApi(page, ADMIN_PATHS.settings, { content: 'all', contentBytes: 4_096 }, 'PATCH');
  const trial = await run(page, 'lab__picture');
  await trial.getByRole('img', { name: /image image\/png/ }).waitFor();
  await trial.getByRole('link', { name: /^inv_/ }).click();
  const result = page.getByRole('region', { name: 'Result' });
  const image = result.getByRole('img', { name: /image image\/png/ });
  await image.waitFor();
  expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1);
  const downloading = page.waitForEvent('download');
  await result.getByRole('button', { name: 'Download numbers.csv' }).click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toBe('city,guests\nBonn,3\n');
  await result.getByText('[file film.bin, application/octet-stream, 8 KB] Not stored').waitFor();
});

test('a list of choices is chosen from, and each is sent once', async () => {
  const { page, booked } = await openLab();
  await page.goto('/actions/lab__paint');
  const trial = page.getByRole('region', { name: 'Try it' });
  await trial.getByRole('button', { name: 'Open the form' }).click();
  const colours = trial.getByRole('combobox', { name: 'colours' });
  await colours.click();
  await page.getByRole('option', { name: 'red' }).click();
  await page.getByRole('option', { name: 'blue' }).click();
  await page.keyboard.press('Escape');
  await trial.getByRole('button', { name: 'Run' }).click();
  await trial.getByRole('region', { name: 'The result as the model receives it' }).getByText('painted').waitFor();
  expect(booked).toEqual([{ colours: ['red', 'blue'] }]);
});

test('all of a large result can be read and downloaded, and no line is wider than its box', async () => {
  const { page } = await openLab();
  const trial = await run(page, 'lab__rows');
  await trial.getByRole('button', { name: 'Show the whole result' }).click();
  const whole = trial.getByRole('region', { name: 'The whole result' });
  await whole.waitFor();
  expect(await whole.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
  const before = (await whole.textContent())?.length ?? 0;
  await trial.getByRole('button', { name: 'Show more' }).last().click();
  await expect.poll(async () => (await whole.textContent())?.length).toBe(2 * before);
  const downloading = page.waitForEvent('download');
  await trial.getByRole('button', { name: 'Download rows.json' }).click();
  expect(JSON.parse(readFileSync(await (await downloading).path(), 'utf8'))).toHaveLength(ROWS);
});

test('Markdown is formatted, and progress is shown while the call runs', async () => {
  const { page, goOn } = await openLab();
  const letter = await run(page, 'lab__letter');
  await letter.getByRole('heading', { name: 'Dear Ada' }).waitFor();
  expect(await letter.locator('.markdown').getByRole('listitem').count()).toBe(2);
  const work = await run(page, 'lab__work');
  await work.getByText('1 of 4: a quarter').waitFor();
  expect(await work.getByRole('progressbar', { name: 'Progress' }).getAttribute('aria-valuenow')).toBe('25');
  goOn();
  await work.getByRole('region', { name: 'The result as the model receives it' }).getByText('done').waitFor();
});

test('a missing value is asked for before the call, which is not made; a format has an example and a check', async () => {
  const { page, booked } = await openLab();
  const trial = await run(page, 'lab__book');
  await trial.getByText('Fill in at. Nothing was sent.').waitFor();
  expect((await callApi<InvocationsPage>(page, ADMIN_PATHS.invocations)).invocations).toEqual([]);
  const at = trial.getByLabel(/^at/);
  expect(await at.getAttribute('placeholder')).toBe('2026-01-31T08:00:00Z');
  await at.fill('tomorrow');
  await at.blur();
  await trial.getByText('Not in this format: see the example').waitFor();
  await at.fill('2026-02-01T18:00:00Z');
  await trial.getByRole('button', { name: 'Run' }).click();
  await trial.getByText('ok', { exact: true }).waitFor();
  expect(booked).toEqual([{ at: '2026-02-01T18:00:00Z' }]);
});
