import { fileURLToPath } from 'node:url';
import { removeFolder, startNode, temporaryFolder } from '../common/processes.ts';
import type { RunningTarget, Target } from '../load/target.ts';
import { toolkitEnvironment } from './sdk.ts';
import { createKey, onDisk, startService, waitForAction } from './service.ts';

const TOOLKIT = fileURLToPath(new URL('toolkit.ts', import.meta.url));

/** Authenticated, checked, routed, recorded. */
export const svc: Target = { name: 'svc-sdk', start: () => start(false) };

/** The same, and each call under an idempotency key, which is durable before the call is sent, and its outcome before it is told. */
export const svcKeyed: Target = { name: 'svc-sdk, keyed', start: () => start(true) };

/** On an empty database every time: what one case wrote does not slow down the next. */
async function start(keyed: boolean): Promise<RunningTarget> {
  const data = temporaryFolder();
  const agentKey = await createKey('agent', onDisk(data));
  const toolkitKey = await createKey('toolkit', onDisk(data));
  const service = startService(onDisk(data));
  const [origin] = await service.ready;
  const toolkit = startNode([TOOLKIT], { env: toolkitEnvironment(origin, toolkitKey), ready: /ready/ });
  await toolkit.ready;
  return {
    origin,
    agentKey,
    keyed,
    actionId: await waitForAction(origin, agentKey, 'echo'),
    stop: async () => {
      await toolkit.stop();
      await service.stop();
      removeFolder(data);
    },
  };
}
