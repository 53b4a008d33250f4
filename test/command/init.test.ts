/** `svc-sdk init`, and its output run as its next steps describe. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../support/command-in-process';
import { makeFolder } from '../support/folder';
import { startProcess } from '../support/processes';
import { startService } from '../support/service';

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

test('the project serves its action when its next steps are followed', async () => {
  const dir = join(folder(), 'My Toolkit');
  const { code, stdout, stderr } = await runInProcess(['init', dir]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const steps = stdout.match(/^(cd|npm|source) .*?(?= *#|$)/gm)?.map((step) => step.trim());
  expect(steps).toEqual([`cd "${dir}"`, 'npm install', 'npm run dev', 'source .svc/env', 'npm start']);
  expect(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))).toMatchObject({
    name: 'my-toolkit',
    scripts: { dev: 'svc-service dev', start: expect.any(String) },
  });

  // npm install
  mkdirSync(join(dir, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../../', import.meta.url)), join(dir, 'node_modules/svc-sdk'));
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
  const example = readFileSync(join(dir, '.env.example'), 'utf8');
  const environment = example.replace(/^SVC_BASE_URL=.*$/m, `SVC_BASE_URL=${service.url}`).replace(/^SVC_TOOLKIT_API_KEY=$/m, `$&${key}`);
  writeFileSync(join(dir, '.env'), environment);

  const toolkit = startProcess('npm', ['start', '--silent'], { cwd: dir });
  onTestFinished(() => toolkit.kill('SIGKILL'));
  await toolkit.printed(/^Serving weather__today\n/);
  const tools = await service.tools();
  expect(await tools.invoke('weather__today', { city: 'Rome', unit: 'fahrenheit' })).toMatchObject({
    result: { city: 'Rome', temperature: 70 },
  });
  expect((await tools.search('weather in a city')).actions[0]).toMatchObject({ action: 'weather__today' });
  toolkit.kill('SIGTERM');
  await toolkit.ended;
});

test('nothing is overwritten', async () => {
  const dir = folder();
  writeFileSync(join(dir, 'README.md'), 'mine');
  const { code, stdout, stderr } = await runInProcess(['init', dir]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^CONFLICT: .* has README\.md already, .*name another folder/);
  expect(existsSync(join(dir, 'toolkit.mjs'))).toBe(false);
  expect(readFileSync(join(dir, 'README.md'), 'utf8')).toBe('mine');
});

test('--json names the files', async () => {
  const dir = join(folder(), 'new');
  expect(JSON.parse((await runInProcess(['init', dir, '--json'])).stdout)).toEqual({
    folder: dir,
    files: ['package.json', 'toolkit.mjs', 'README.md', '.env.example', '.gitignore'],
  });
});
