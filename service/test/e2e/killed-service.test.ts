/** Promise 7 through kill -9: service and toolkit are separate processes. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tools } from 'svc-sdk';
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { runToolkit } from '../../../test/support/service';
import { startCommand } from '../support/command';
import { startTcpProxy } from '../support/tcp-proxy';
import { spawnToolkit } from '../support/toolkit-process';

async function makeData() {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const keys = await openKeys(path);
  const agent = await keys.create({ kind: 'agent', name: 'agent' });
  const toolkit = await keys.create({ kind: 'toolkit', name: 'shop' });
  await keys.close();
  return { path, agentKey: agent.key, toolkitKey: toolkit.key };
}

async function serve(path: string, port: number, ...more: string[]) {
  const command = startCommand(['serve', '--port', String(port), '--data', path, ...more]);
  onTestFinished(async () => {
    command.kill('SIGKILL');
    await command.ended;
  });
  const [, url = ''] = await command.printed(/listens on (http:\S+)/);
  const kill = () => {
    command.kill('SIGKILL');
    return command.ended;
  };
  return { url, port: Number(new URL(url).port), kill };
}

test('a call that runs while the service is killed ends once, for the caller that waits and for a retry after its end', async () => {
  const { path, agentKey, toolkitKey } = await makeData();
  const first = await serve(path, 0);
  let runs = 0;
  let finish = () => {};
  await runToolkit(first.url, toolkitKey, (it) => {
    it.action({ action: 'order', actionDescription: 'Orders' }, async () => {
      runs++;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { order: runs };
    });
    it.action({ action: 'count', actionDescription: 'Counts' }, () => ++runs);
  });
  const tools = new Tools({ baseUrl: first.url, apiKey: agentKey });
  const ended = await tools.invoke('shop__count', {}, { idempotencyKey: 'ended' });
  const before = runs;
  const call = tools.invoke('shop__order', {}, { idempotencyKey: 'order', timeoutMs: 15_000 }).catch(() => undefined);
  await vi.waitFor(() => expect(runs).toBe(before + 1));
  await first.kill();
  // The last entry of a turn that was never promised, and a restart of the journal that was never done.
  appendFileSync(join(path, 'svc.sqlite-calls'), '["end","inv_torn","OK",1,400]\n{"invocationId":');
  appendFileSync(join(path, 'svc.sqlite-calls.next'), '["start","inv_');

  await serve(path, first.port);
  finish();
  const again = await call.then((outcome) => outcome ?? tools.invoke('shop__order', {}, { idempotencyKey: 'order' }));
  expect(again.result).toEqual({ order: before + 1 });
  expect(await tools.invoke('shop__count', {}, { idempotencyKey: 'ended' })).toEqual({ ...ended, replayed: true });
  expect(runs).toBe(before + 1);
});

test('a call whose toolkit was killed with the service is unknown for good', async () => {
  const { path, agentKey, toolkitKey } = await makeData();
  const first = await serve(path, 0);
  const toolkit = await spawnToolkit({ baseUrl: first.url, apiKey: toolkitKey });
  const options = { idempotencyKey: 'order', timeoutMs: 15_000 };
  const tools = new Tools({ baseUrl: first.url, apiKey: agentKey });
  const lost = tools.invoke('shop__hang', {}, options).catch((error: unknown) => error);
  await toolkit.printed('hanging');
  toolkit.kill();
  await first.kill();

  await serve(path, first.port, '--limit', 'takeoverGraceMs=300');
  await lost;
  await spawnToolkit({ baseUrl: first.url, apiKey: toolkitKey });
  for (let retry = 0; retry < 2; retry++)
    await expect(tools.invoke('shop__hang', {}, options)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});

test('a result whose heartbeat was answered outlives a kill of the service in that moment', async () => {
  const { path, agentKey, toolkitKey } = await makeData();
  const first = await serve(path, 0);
  const raw = await RawToolkit.connect(first, toolkitKey);
  await raw.register([{ action: 'ask', actionDescription: 'Asks' }]);
  const tools = new Tools({ baseUrl: first.url, apiKey: agentKey });
  const options = { idempotencyKey: 'ask', timeoutMs: 15_000 };
  const call = tools.invoke('shop__ask', {}, options).catch(() => undefined);
  const { id } = await raw.invoked();
  raw.send({ jsonrpc: '2.0', id, result: 'kept' });
  await raw.request('heartbeat');
  await first.kill();
  await call;

  await serve(path, first.port);
  expect(await tools.invoke('shop__ask', {}, options)).toMatchObject({ result: 'kept', replayed: true });
});

test('a failure that its handler calls retryable is retried after a kill of the service that had only recorded it', async () => {
  const { path, agentKey, toolkitKey } = await makeData();
  const first = await serve(path, 0);
  let runs = 0;
  await runToolkit(first.url, toolkitKey, (it) => {
    it.action({ action: 'order', actionDescription: 'Orders', annotations: { destructive: true } }, (ctx) =>
      ++runs === 1 ? ctx.error('BUSY', 'later', { retryable: true, retryAfterMs: 1 }) : { order: runs },
    );
  });
  const proxy = await startTcpProxy(first.port);
  const silenced = proxy.silenceAt('shop__order');
  const lost = new Tools({ baseUrl: proxy.url, apiKey: agentKey }).invoke('shop__order', {}, { idempotencyKey: 'order' });
  lost.catch(() => {});
  await silenced;
  await vi.waitFor(() => expect(readFileSync(join(path, 'svc.sqlite-calls'), 'utf8')).toContain('"retryable":true'));
  await first.kill();

  const next = await serve(path, first.port);
  const tools = new Tools({ baseUrl: next.url, apiKey: agentKey });
  const options = { idempotencyKey: 'order', timeoutMs: 15_000 };
  expect(await tools.invoke('shop__order', {}, options)).toMatchObject({ result: { order: 2 } });
  expect(await tools.invoke('shop__order', {}, options)).toMatchObject({ result: { order: 2 }, replayed: true });
});
