/** Processes that write one folder of toolkits. */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openToolkitsFolder } from 'svc-service/import';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { startProcess } from '../../../test/support/processes';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = ['--import', source('../../../scripts/source-imports.ts'), source('../support/put-toolkits.mjs')];
const FILES = ['toolkits.lock.json', 'toolkits.yaml'];

function emptyFolder() {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return { path, file: join(path, 'toolkits.yaml'), lock: join(path, '.toolkits.writing') };
}

test('two processes that add toolkits at once lose none', async () => {
  const { path, file } = emptyFolder();
  const ids = ['a', 'b'].map((writer) => Array.from({ length: 25 }, (_, index) => `${writer}-${index}`));
  const writers = ids.map((own) => startProcess(process.execPath, [...PROGRAM, file, ...own]));
  for (const { printed } of writers) await printed(/ready/);
  for (const writer of writers) writer.kill('SIGUSR2');
  for (const { ended } of writers) expect(await ended).toMatchObject({ code: 0, stderr: '' });

  const { entries, pins } = await openToolkitsFolder(file);
  expect(Object.keys(entries).sort()).toEqual(ids.flat().sort());
  expect(Object.keys(pins).sort()).toEqual(ids.flat().sort());
  expect(readdirSync(path).sort()).toEqual(FILES);
});

test('of two simultaneous additions of one id, the second is rejected', async () => {
  const { file } = emptyFolder();
  const [first, second] = await Promise.all([openToolkitsFolder(file), openToolkitsFolder(file)]);
  await first.add('pets', { mcp: { command: 'first' } }, { toolkit: {}, actions: {} });
  await expect(second.add('pets', { mcp: { command: 'second' } }, { toolkit: {}, actions: {} })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'toolkits.yaml has "pets" already: choose another id, or replace it',
  });
  expect((await openToolkitsFolder(file)).entries).toEqual({ pets: { mcp: { command: 'first' } } });
});

test.each([
  ['another process', () => spawnSync(process.execPath, ['--version']).pid],
  ['a former process with the same pid', () => process.pid],
])('the lock of %s that was killed while it wrote blocks no other writer', async (_, pid) => {
  const { path, file, lock } = emptyFolder();
  writeFileSync(lock, String(pid()));
  const folders = await Promise.all([openToolkitsFolder(file), openToolkitsFolder(file)]);
  await Promise.all(folders.map((folder, index) => folder.put(`t-${index}`, { mcp: { command: 'node' } }, { toolkit: {}, actions: {} })));

  expect(Object.keys((await openToolkitsFolder(file)).entries).sort()).toEqual(['t-0', 't-1']);
  expect(readdirSync(path).sort()).toEqual(FILES);
});
