/** A toolkit behind a load balancer moves when its node drains and requests a reconnect. */
import { cpSync } from 'node:fs';
import { Toolkit, type ToolkitStatus, Tools } from 'svc-sdk';
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { startService } from '../../../test/support/service';
import { watchHub } from '../../../test/support/watch-hub';
import { startTcpProxy } from '../support/tcp-proxy';

const defineEcho = (toolkit: Toolkit) => toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => payload);

function newFolder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

/** A Toolkit behind the proxy, and its statuses. */
async function runThrough(url: string, apiKey: string, define: (toolkit: Toolkit) => void) {
  const states: ToolkitStatus['state'][] = [];
  const toolkit = new Toolkit({ baseUrl: url, apiKey, onStatus: ({ state }) => void states.push(state) });
  define(toolkit);
  toolkit.run().catch(() => {});
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  await toolkit.ready;
  return { toolkit, states };
}

test('it moves to the node that the load balancer selects, and always has a connection', async () => {
  const [here, there] = [newFolder(), newFolder()];
  const keys = await openKeys(here);
  const agent = await keys.create({ kind: 'agent', name: 'agent' });
  const { key } = await keys.create({ kind: 'toolkit', name: 'mover' });
  await keys.close();
  // Two services without a shared store have the same keys.
  cpSync(here, there, { recursive: true });
  const [first, second] = [await startService({ data: here }), await startService({ data: there })];
  const proxy = await startTcpProxy(first.port);
  const hub = watchHub();
  const { states } = await runThrough(proxy.url, key, defineEcho);
  const [before, after] = [first, second].map(({ url }) => new Tools({ apiKey: agent.key, baseUrl: url })) as [Tools, Tools];
  expect((await before.invoke('mover__echo', { n: 1 })).result).toEqual({ n: 1 });

  proxy.leadTo(second.port);
  hub().askToReconnect(50);
  await vi.waitFor(() => expect(states).toEqual(['connecting', 'connected', 'connected']));
  expect((await after.invoke('mover__echo', { n: 2 })).result).toEqual({ n: 2 });
  await expect(before.invoke('mover__echo', {}, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'TOOLKIT_OFFLINE' });
  expect(proxy.connections).toBe(2);
});

test('when no node accepts it, it stays, and reconnects after its node has stopped', async () => {
  const data = newFolder();
  const first = await startService({ data });
  const { key } = await first.keys.create({ kind: 'toolkit', name: 'mover' });
  const proxy = await startTcpProxy(first.port);
  const hub = watchHub();
  const { toolkit, states } = await runThrough(proxy.url, key, defineEcho);
  // The port has no listener.
  proxy.leadTo(1);
  hub().askToReconnect(1);
  await vi.waitFor(() => expect(proxy.connections).toBeGreaterThan(2));
  expect((await (await first.tools()).invoke('mover__echo', { n: 1 })).result).toEqual({ n: 1 });
  expect(states).toEqual(['connecting', 'connected']);
  await first.close();
  const second = await startService({ data });
  proxy.leadTo(second.port);
  await vi.waitFor(() => expect(states.at(-1)).toBe('connected'));
  expect((await (await second.tools()).invoke('mover__echo', { n: 2 })).result).toEqual({ n: 2 });
  await toolkit.stop();
});

test('calls that run, begin and end while it moves again and again run once and are all answered', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'mover' });
  const proxy = await startTcpProxy(service.port);
  const hub = watchHub();
  const runs = new Map<unknown, number>();
  const { states } = await runThrough(proxy.url, key, (toolkit) =>
    toolkit.action<{ n: number }>({ action: 'count', actionDescription: 'Counts' }, async (_ctx, { n }) => {
      runs.set(n, (runs.get(n) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, n % 10));
      return n;
    }),
  );
  const tools = await service.tools();
  let n = 0;
  const results: unknown[] = [];
  const caller = async () => {
    while (proxy.connections < 8) results.push((await tools.invoke('mover__count', { n: ++n })).result);
  };
  const callers = Array.from({ length: 8 }, caller);
  for (let connections = 1; connections < 8; connections++) {
    await vi.waitFor(() => expect(proxy.connections).toBe(connections));
    hub().askToReconnect(20);
    await vi.waitFor(() => expect(proxy.connections).toBe(connections + 1));
    await vi.waitFor(() => expect(states.filter((state) => state === 'connected')).toHaveLength(connections + 1));
  }
  await Promise.all(callers);
  expect(results.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: n }, (_, index) => index + 1));
  expect([...runs.values()].every((count) => count === 1)).toBe(true);
  expect(states).not.toContain('disconnected');
});
