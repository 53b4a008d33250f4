/** `svc-service run` as a process that is killed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSource, openToolkitsFolder, pinsOf } from 'svc-service/import';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { runningWith } from '../../../test/support/marked-processes';
import { startService } from '../../../test/support/service';
import { startCommand } from '../support/command';

const FILESYSTEM = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url));

test('killed, it leaves no process behind; started again, it revokes the key that was left and serves the same; SIGTERM ends all of it', async () => {
  const service = await startService();
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(path, 'toolkits.yaml');
  writeFileSync(join(path, 'plan.txt'), 'Sail on Tuesday');
  // Started through a shell, as by `npx`.
  const script = `'${process.execPath}' '${FILESYSTEM}' . ; true`;
  writeFileSync(file, JSON.stringify({ toolkits: { files: { mcp: { command: 'sh', args: ['-c', script, `mark=${path}`] } } } }));
  const folder = await openToolkitsFolder(file);
  const source = await openSource('files', folder.entries.files!, { folder: path, env: process.env });
  await source.close();
  await folder.approve('files', pinsOf(source));

  const env = { SVC_BASE_URL: service.url, SVC_ADMIN_API_KEY: (await service.keys.create({ kind: 'admin', name: 'run' })).key };
  const start = async () => {
    const command = startCommand(['run', file], { env });
    onTestFinished(() => command.kill('SIGKILL'));
    await command.printed(/^files {2}online {2}14 actions$/m);
    return command;
  };
  const tools = await service.tools();
  const validKeys = async () => (await service.keys.list()).filter((key) => key.kind === 'toolkit' && key.revokedAt === undefined);
  const read = async () => (await tools.invoke('files__read_text_file', { path: join(path, 'plan.txt') })).result;

  const killed = await start();
  expect(await read()).toEqual({ content: 'Sail on Tuesday' });
  expect(runningWith(path)).not.toEqual([]);
  killed.kill('SIGKILL');
  await killed.ended;
  await vi.waitFor(() => expect(runningWith(path)).toEqual([]));

  const left = await validKeys();
  expect(left).toHaveLength(1);

  const again = await start();
  expect(await validKeys()).toEqual([expect.not.objectContaining({ id: left[0]?.id })]);
  expect(await read()).toEqual({ content: 'Sail on Tuesday' });
  again.kill('SIGTERM');
  expect((await again.ended).code).toBe(0);
  expect(await validKeys()).toEqual([]);
  expect(runningWith(path)).toEqual([]);
});
