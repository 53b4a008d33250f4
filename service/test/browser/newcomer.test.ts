// @module-tag chromium
/** The newcomer's minute: from an empty directory to a first call, with nothing but what the terminal and the page show. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openVisitor } from '../../../test/support/browser';
import { join, OWNER } from '../../../test/support/console';
import { makeFolder } from '../../../test/support/folder';
import { startProcess } from '../../../test/support/processes';
import { answer, invoke, lastResult, play, type Script, search } from '../../scripted-model/script.ts';
import { startScriptedModel } from '../../scripted-model/server.ts';
import { startCommand } from '../support/command';

const packageFolder = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const WEATHER = /weather in (?<city>[A-Z]\w+)/;
const weatherScript: Script = {
  about: WEATHER,
  steps: [
    search('weather in a city'),
    invoke(/weather/i, ({ question }) => [[/city/i, WEATHER.exec(question)?.groups?.city]]),
    answer((conversation) => {
      const { city, celsius } = lastResult<{ city: string; celsius: number }>(conversation);
      return `${city}: ${celsius} degrees`;
    }),
  ],
};

/** A project with the packages that the page installs. */
function newProject(...packages: string[]): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  mkdirSync(joinPath(path, 'node_modules/@ai-sdk'), { recursive: true });
  symlinkSync(packageFolder('.'), joinPath(path, 'node_modules/svc-sdk'));
  for (const name of packages) symlinkSync(packageFolder(`node_modules/${name}`), joinPath(path, 'node_modules', name));
  return path;
}

/** The text of a snippet of the page, as its copy button copies it. */
async function snippet(page: Page, step: string, label: string): Promise<string> {
  const section = page.getByRole('region', { name: step, exact: true });
  await section.getByRole('tab', { name: label, exact: true }).click();
  return (await section.getByRole('region', { name: label, exact: true }).textContent()) ?? '';
}

test('an empty directory, one command, one link: account, keys, a toolkit that connects and a first call, all shown live', async () => {
  const startedAt = performance.now();
  const project = newProject('ai', '@ai-sdk/openai-compatible');
  const service = startCommand(['serve', '--port', '0'], { cwd: project });
  onTestFinished(() => service.kill('SIGKILL'));
  const [, link = ''] = await service.printed(/^\s+(http:\S+\/join#\S+)\n/m);

  const visitor = await openVisitor();
  // Polled until it exists.
  visitor.mayBeRefused(404, /^\/v1\/reports\/toolkits\/weather$/);
  const { page, context } = visitor;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await join(page, link, OWNER);

  const serving = page.getByRole('region', { name: 'Connect a toolkit', exact: true });
  await serving.getByRole('button', { name: 'Create toolkit key' }).click();
  await serving
    .getByRole('status')
    .getByText(/waiting/i)
    .waitFor();
  writeFileSync(joinPath(project, 'weather.mjs'), await snippet(page, 'Connect a toolkit', 'Your own program'));
  const toolkit = startProcess(process.execPath, ['weather.mjs'], { cwd: project });
  onTestFinished(() => toolkit.kill('SIGKILL'));
  await serving
    .getByRole('status')
    .getByText(/connected|online/i)
    .waitFor();

  const calling = page.getByRole('region', { name: 'Call it from an agent', exact: true });
  await calling.getByRole('button', { name: 'Create agent key' }).click();
  await calling.getByRole('status').getByText('Waiting for the first call').waitFor();
  const curl = await snippet(page, 'Call it from an agent', 'curl');
  const called = await startProcess('sh', ['-ec', curl], { cwd: project }).ended;
  expect(called).toMatchObject({ code: 0, stderr: '' });
  expect(called.stdout).toContain('"actions":[{"action":"weather__today"');
  expect(called.stdout).toContain('{"city":"Rome","celsius":21,"sky":"clear"}');
  await calling.getByRole('status').getByRole('link', { name: 'weather__today' }).waitFor();
  await calling.getByRole('status').getByText('ok', { exact: true }).waitFor();
  console.log(`The newcomer's minute took ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);

  const model = await startScriptedModel({ speak: (conversation) => play([weatherScript], conversation) });
  onTestFinished(model.close);
  const ask = await snippet(page, 'Call it from an agent', 'AI SDK');
  writeFileSync(joinPath(project, 'ask.mjs'), ask.replace('https://api.openai.com/v1', model.baseURL));
  const asked = await startProcess(process.execPath, ['ask.mjs'], { cwd: project, env: { OPENAI_API_KEY: 'any' } }).ended;
  expect(asked).toMatchObject({ code: 0, stdout: 'Rome: 21 degrees\n' });

  await calling.getByRole('button', { name: /^Copy: Key/ }).click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^svc_agent_/);
  await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.goBack();
  await calling.waitFor();
  expect(await page.content()).not.toContain(secret);

  // An open page asks on while the service ends.
  await page.close();
  service.kill('SIGTERM');
  const { code, stdout } = await service.ended;
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/svc_(agent|toolkit|admin)_/);
});
