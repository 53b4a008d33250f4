import { expect, onTestFinished, test, vi } from 'vitest';
import { LocalBus } from '../../../src/bus/local-bus';
import { Cluster, type NodeServer } from '../../../src/cluster/cluster';
import type { OfferMessage } from '../../../src/cluster/message-schemas';
import { Peers } from '../../../src/cluster/peers';
import { silentLogger } from '../../../src/lib/logger';

const SERVER: NodeServer = { call() {}, join() {}, cancel() {}, callCancelled() {}, instanceMoved() {}, othersCounted() {} };

/** Nodes on one bus, and the messages to all of them. */
async function openNodes<Name extends string>(...names: Name[]) {
  const bus = new LocalBus({ logger: silentLogger });
  onTestFinished(() => bus.close());
  const heard: { kind: string; from: string }[] = [];
  bus.subscribe('nodes', (text) => void heard.push(JSON.parse(text)));
  const kinds = (kind: string, from: string) => heard.filter((message) => message.kind === kind && message.from === from);
  const toolkits = new Map<string, number>();
  const nodes: Partial<Record<Name, Cluster>> = {};
  for (const name of names) {
    const cluster = new Cluster({ bus, node: name, logger: silentLogger });
    onTestFinished(() => cluster.close());
    const offers = name === names[0] ? toolkits : new Map<string, number>();
    const offer = (id: string) => ({ replicas: offers.get(id) ?? 0, actions: ['run'] });
    await cluster.start(
      {
        offer,
        toolkitIds: () => offers.keys(),
        counts: () => ({}),
        activity: ({ toolkitIds = [] }) => ({ running: toolkitIds.length, queued: 0, processes: [] }),
      },
      SERVER,
      1,
    );
    nodes[name] = cluster;
  }
  return { bus, nodes: nodes as Record<Name, Cluster>, toolkits, kinds };
}

test('offers and withdrawals of a node in one turn are sent in few messages, and no other node sends a request', async () => {
  const { nodes, toolkits, kinds } = await openNodes('first', 'second');
  await vi.waitFor(() => expect(nodes.first.size).toBe(1));
  const ids = Array.from({ length: 250 }, (_, index) => `toolkit-${index}`);
  const told = (replicas: number) => vi.waitFor(() => expect(ids.map((id) => nodes.second.replicas(id))).toEqual(ids.map(() => replicas)));
  for (const replicas of [2, 0]) {
    for (const id of ids) {
      toolkits.set(id, replicas);
      nodes.first.changed(id);
    }
    await told(replicas);
  }
  expect(kinds('offer', 'first')).toHaveLength(6);
  nodes.first.changed('toolkit-0');
  await vi.waitFor(() => expect(kinds('offer', 'first')).toHaveLength(7));
  expect(kinds('offer', 'first').at(-1)).toMatchObject({ number: 501 });
});

test('a gap in the offers is noticed, also one inside of a message', () => {
  const peers = new Peers();
  const offer: Omit<OfferMessage, 'number'> = { kind: 'offer', from: 'node', toolkitId: 'a', replicas: 1, actions: ['run'] };
  const more = ['b', 'c'].map((toolkitId) => ({ toolkitId, replicas: 1, actions: ['run'] }));
  peers.allOffers({ kind: 'all', from: 'node', number: 4, counts: {}, offers: [] });
  expect(peers.offered({ ...offer, number: 5, more })).toBe(true);
  expect(['a', 'b', 'c'].map((id) => peers.replicas(id))).toEqual([1, 1, 1]);
  expect(peers.heartbeat('node', 5, {})).toBe(false);
  expect(peers.heartbeat('node', 7, {})).toBe(true);
  expect(peers.offered({ ...offer, number: 9 })).toBe(false);
  expect(peers.offered({ ...offer, number: 8 })).toBe(true);
});

test('every other node reports its activity, and a silent node is named', async () => {
  const { bus, nodes } = await openNodes('first', 'second', 'third');
  await vi.waitFor(() => expect(nodes.first.size).toBe(2));
  const query = { toolkitIds: ['a', 'b'], processes: false };
  const seen = await nodes.first.activity(query);
  expect(seen.silent).toEqual([]);
  const activity = { running: 2, queued: 0, processes: [] };
  expect(seen.nodes).toHaveLength(2);
  expect(seen.nodes).toEqual(expect.arrayContaining(['second', 'third'].map((node) => ({ node, ...activity }))));

  bus.publish('node.first', JSON.stringify({ kind: 'all', from: 'stuck', number: 0, counts: {}, offers: [] }));
  await vi.waitFor(() => expect(nodes.first.size).toBe(3));
  const partly = await nodes.first.activity(query);
  expect([partly.nodes.length, partly.silent]).toEqual([2, ['stuck']]);
});
