/** A service of several nodes in one process, on a real PostgreSQL and a real NATS. */
import { Tools } from 'svc-sdk';
import type { ServiceOptions } from 'svc-service';
import { expect, vi } from 'vitest';
import { startNats } from './nats';
import { newDatabase } from './postgres';
import { startService, type TestService } from './service';

/** When this resolves, each node has discovered all others. */
export async function startNodes(count: number, options: ServiceOptions = {}): Promise<TestService[]> {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const nodes: TestService[] = [];
  for (let node = 0; node < count; node++) nodes.push(await startService({ database, nats: nats.url, ...options }));
  return nodes;
}

/** The action can be called at every one of these nodes. */
export async function offeredAt(nodes: readonly TestService[], action: string): Promise<void> {
  for (const node of nodes) {
    await vi.waitFor(async () => expect(await (await node.request(`/v1/actions/${action}`)).json()).toMatchObject({ online: true }), {
      timeout: 30_000,
    });
  }
}

/** One client whose requests reach the node that `at` names, as behind a load balancer. */
export function balancedTools(apiKey: string): { at(node: { url: string }): Tools } {
  const base = 'http://balanced';
  let url = base;
  const tools = new Tools({ apiKey, baseUrl: base, fetch: (address, init) => fetch(address.replace(base, url), init) });
  return {
    at(node) {
      url = node.url;
      return tools;
    },
  };
}
