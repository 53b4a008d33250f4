/** An action that returns its payload, served by a separate process at each of some nodes. */
import { fileURLToPath } from 'node:url';
import { type RunningProcess, startNode } from '../common/processes.ts';
import { createKeys } from './admin-keys.ts';
import { toolkitEnvironment } from './sdk.ts';
import { waitForAction } from './service.ts';

const TOOLKIT = fileURLToPath(new URL('toolkit.ts', import.meta.url));

export interface Echo {
  actionId: string;
  agentKey: string;
  stop(): Promise<void>;
}

/** The addresses of the nodes. */
interface EchoPlaces {
  /** One process at each; keys are made at the first. */
  servedAt: [string, ...string[]];
  calledAt: string[];
}

/** Resolves when every called node lists it as served. */
export async function serveEcho(adminKey: string, { servedAt, calledAt }: EchoPlaces): Promise<Echo> {
  const [toolkitKey] = await createKeys(servedAt[0], adminKey, [{ kind: 'toolkit', name: 'echo' }]);
  if (toolkitKey?.toolkit === undefined) throw new Error('A toolkit key belongs to a toolkit');
  const allow = { toolkits: [toolkitKey.toolkit] };
  const [agentKey] = await createKeys(servedAt[0], adminKey, [{ kind: 'agent', name: 'echo', allow }]);
  if (!agentKey) throw new Error('There is an agent key');
  const replicas: RunningProcess[] = [];
  for (const origin of servedAt) {
    const replica = startNode([TOOLKIT], { env: toolkitEnvironment(origin, toolkitKey.key), ready: /ready/ });
    await replica.ready;
    replicas.push(replica);
  }
  const actionIds = await Promise.all(calledAt.map((origin) => waitForAction(origin, agentKey.key, 'echo')));
  return {
    actionId: `${actionIds[0]}`,
    agentKey: agentKey.key,
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
    },
  };
}
