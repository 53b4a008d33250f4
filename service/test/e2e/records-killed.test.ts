/** Calls and their counts after kill -9: the service is a separate process. */
import { setTimeout as delay } from 'node:timers/promises';
import { Tools } from 'svc-sdk';
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { runToolkit } from '../../../test/support/service';
import { silentLogger } from '../../src/lib/logger';
import { fileIn } from '../../src/store/location';
import { openSqliteStore } from '../../src/store/sqlite/open';
import { startCommand } from '../support/command';

test('a killed service loses at most the counts of its last second, and no call', async () => {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const keys = await openKeys(path);
  const agent = await keys.create({ kind: 'agent', name: 'agent' });
  const toolkit = await keys.create({ kind: 'toolkit', name: 'shop' });
  await keys.close();
  const command = startCommand(['serve', '--port', '0', '--data', path]);
  onTestFinished(async () => {
    command.kill('SIGKILL');
    await command.ended;
  });
  const [, url = ''] = await command.printed(/listens on (http:\S+)/);
  const began = vi.fn();
  await runToolkit(url, toolkit.key, (it) => {
    it.action({ action: 'echo', actionDescription: 'Gives back' }, (_ctx, payload) => payload);
    it.action({ action: 'hang', actionDescription: 'Never ends' }, () => {
      began();
      return new Promise(() => {});
    });
  });
  const tools = new Tools({ baseUrl: url, apiKey: agent.key });
  const leaving = new AbortController();
  const hanging = tools.invoke('shop__hang', {}, { idempotencyKey: 'hang', signal: leaving.signal }).catch(() => {});
  await vi.waitFor(() => expect(began).toHaveBeenCalled());
  const ended: { id: string; at: number }[] = [];
  for (const startedAt = performance.now(); performance.now() - startedAt < 2_500; await delay(10)) {
    const { invocationId } = await tools.invoke('shop__echo', {}, { idempotencyKey: `echo-${ended.length}` });
    ended.push({ id: invocationId, at: performance.now() });
  }
  const killedAt = performance.now();
  command.kill('SIGKILL');
  await command.ended;
  leaving.abort();
  await hanging;

  const store = await openSqliteStore({ path: fileIn(path), durability: 'normal', onError: (error) => silentLogger.error({ error }, '') });
  onTestFinished(() => store.close());
  const records = new Map((await store.invocations.list({ limit: 100_000 })).map((record) => [record.id, record]));
  for (const { id } of ended) expect(records.get(id)?.outcome?.code).toBe('OK');
  const counted = await store.counts.totals({ dimension: 'action', step: 60, from: 0, to: Date.now() + 60_000, names: ['shop__echo'] });
  const sum = counted.reduce((total, { calls }) => total + calls, 0);
  // The second and the write itself.
  expect(sum).toBeGreaterThanOrEqual(ended.filter(({ at }) => at < killedAt - 1_500).length);
  expect(sum).toBeLessThanOrEqual(ended.length);
  const hung = (await store.invocations.list({ limit: 10, actions: ['shop__hang'] }))[0];
  const details = await store.invocations.details(hung?.id ?? '');
  expect(JSON.parse(details?.timeline ?? '[]').map(({ what }: { what: string }) => what)).toEqual(['received', 'claimed', 'sent']);
});
