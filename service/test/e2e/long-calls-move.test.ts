// @module-tag postgres
// @module-tag nats
/** A handler that takes long outlives its node: the toolkit moves while it runs, and its result arrives at the other node. */
import { Toolkit, type ToolkitStatus, Tools } from 'svc-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startNodes } from '../../../test/support/nodes';
import { startTcpProxy } from '../support/tcp-proxy';

test.each(['long', 'plain'] as const)('a %s call without its caller ends after its node has drained and closed', async (kind) => {
  const [first, second] = await startNodes(2);
  const proxy = await startTcpProxy(first!.port);
  const { key: toolkitKey } = await first!.keys.create({ kind: 'toolkit', name: 'video' });
  const { key: apiKey } = await first!.keys.create({ kind: 'agent', name: 'app' });
  const states: ToolkitStatus['state'][] = [];
  const toolkit = new Toolkit({ apiKey: toolkitKey, baseUrl: proxy.url, onStatus: ({ state }) => states.push(state) });
  const ended = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  toolkit.action({ action: 'render', actionDescription: 'Renders a film', ...(kind === 'long' && { long: true }) }, async ({ signal }) => {
    signals.push(signal);
    await ended.promise;
    return 'rendered';
  });
  toolkit.run().catch(() => {});
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  await toolkit.ready;
  const before = new Tools({ apiKey, baseUrl: first!.url });
  const after = new Tools({ apiKey, baseUrl: second!.url });
  const { invocationId } = await before.invoke('video__render', {}, { wait: false });
  await vi.waitFor(() => expect(signals).toHaveLength(1));

  proxy.leadTo(second!.port);
  await first!.close({ graceMs: 2_000 });
  await vi.waitFor(() => expect(states.filter((state) => state === 'connected')).toHaveLength(2));
  expect(await after.result(invocationId)).toMatchObject({ status: 'running' });
  expect(signals[0]!.aborted).toBe(false);
  ended.resolve();
  expect(await after.result(invocationId, { wait: 30 })).toMatchObject({ result: 'rendered' });
  expect(signals).toHaveLength(1);
  // The old connection stayed until the new one was open.
  expect(states).not.toContain('disconnected');
});
