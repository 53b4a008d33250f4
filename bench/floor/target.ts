import { fileURLToPath } from 'node:url';
import { startNode } from '../common/processes.ts';
import type { RunningTarget, Target } from '../load/target.ts';

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** As long as a real key, so that both targets get requests of the same size. */
const UNUSED_KEY = `svc_agent_${'0'.repeat(49)}`;

export const floor: Target = {
  name: 'floor',
  async start(): Promise<RunningTarget> {
    const service = startNode([beside('service.ts')], { ready: /http:\S+(?=\s)/ });
    const [origin] = await service.ready;
    const toolkit = startNode([beside('toolkit.ts'), origin], { ready: /ready/ });
    await toolkit.ready;
    return {
      origin,
      actionId: 'bench__echo',
      agentKey: UNUSED_KEY,
      keyed: false,
      stop: async () => {
        await toolkit.stop();
        await service.stop();
      },
    };
  },
};
