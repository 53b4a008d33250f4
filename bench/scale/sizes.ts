/** The kinds of data that the bench fills a service with. */
import { join } from 'node:path';
import { fillSqlite } from '../console/fill.ts';
import { ToolkitCrowd } from '../sockets/toolkit-crowd.ts';
import { createKeys } from '../svc/admin-keys.ts';

/** The address of a running node, and an admin key. */
interface FilledNode {
  origin: string;
  adminKey: string;
}

export interface Size {
  name: string;
  count: number;
  /** Fills the data before the node starts. */
  fillData?(folder: string, count: number): Promise<void>;
  /** Fills the running node. Returns the function that takes it away again. */
  fillNode?(node: FilledNode, count: number): Promise<() => void>;
}

const ACTIONS_PER_TOOLKIT = 10;
/** Below the limit of a key. */
const SOCKETS_PER_TOOLKIT = 50;

export const SIZES: readonly Size[] = [
  {
    name: 'toolkits',
    count: 1_000,
    fillNode: (node, count) => connectToolkits(node, { toolkits: count, actions: 1, replicas: 1 }),
  },
  {
    name: 'actions',
    count: 10_000,
    fillNode: (node, count) =>
      connectToolkits(node, { toolkits: Math.ceil(count / ACTIONS_PER_TOOLKIT), actions: ACTIONS_PER_TOOLKIT, replicas: 1 }),
  },
  {
    name: 'keys',
    count: 10_000,
    fillNode: async ({ origin, adminKey }, count) => {
      const requests = Array.from({ length: count }, (_, index) => ({ kind: 'agent' as const, name: `agent ${index}` }));
      await createKeys(origin, adminKey, requests);
      return () => {};
    },
  },
  {
    name: 'records',
    count: 1_000_000,
    fillData: (folder, count) => fillSqlite(join(folder, 'svc.sqlite'), count),
  },
  {
    name: 'sockets',
    count: 10_000,
    fillNode: (node, count) =>
      connectToolkits(node, { toolkits: Math.ceil(count / SOCKETS_PER_TOOLKIT), actions: 1, replicas: SOCKETS_PER_TOOLKIT }),
  },
];

async function connectToolkits(
  { origin, adminKey }: FilledNode,
  { toolkits, actions, replicas }: { toolkits: number; actions: number; replicas: number },
): Promise<() => void> {
  const requests = Array.from({ length: toolkits }, (_, index) => ({ kind: 'toolkit' as const, name: `idle ${index}` }));
  const keys = await createKeys(origin, adminKey, requests);
  const crowd = new ToolkitCrowd(1);
  await crowd.open({ origins: [origin], keys: keys.map(({ key }) => key), replicas, actions });
  return () => crowd.stop();
}
