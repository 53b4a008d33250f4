import { fileURLToPath } from 'node:url';
import { startMeasured } from '../common/measured-process.ts';
import { removeFolder, startNode, temporaryFolder } from '../common/processes.ts';
import type { RunningTarget, Target } from '../load/target.ts';

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** As long as a real key, so that both targets get requests of the same size. */
const UNUSED_KEY = `svc_agent_${'0'.repeat(49)}`;

export const floor: Target = { name: 'floor', start: () => start() };

/** A call is durable before it is sent and before it is answered, and has a row for the record, as a keyed call does. */
export const durableFloor: Target = {
  name: 'durable floor',
  async start() {
    const folder = temporaryFolder();
    const running = await start(folder);
    return {
      ...running,
      keyed: true,
      stop: async () => {
        await running.stop();
        removeFolder(folder);
      },
    };
  },
};

async function start(...folder: string[]): Promise<RunningTarget> {
  const service = await startMeasured([beside('service.ts'), ...folder], { ready: /http:\S+(?=\s)/ });
  const toolkit = startNode([beside('toolkit.ts'), service.address], { ready: /ready/ });
  await toolkit.ready;
  return {
    origins: [service.address],
    actionId: 'bench__echo',
    agentKey: UNUSED_KEY,
    keyed: false,
    cpuMs: async () => (await service.usage()).cpuMs,
    stop: async () => {
      await toolkit.stop();
      await service.stop();
    },
  };
}
