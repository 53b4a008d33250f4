/** A service with the counting toolkit, and a key for an agent. */
import { createService } from 'svc-service';
import { COUNTING_TOOLKIT, countRuns } from './counting.ts';
import { startToolkit } from './start-toolkit.ts';

/** @param delayMs how long a handler takes */
export async function startCountedService(delayMs: () => number) {
  const service = await createService({ port: 0 });
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const counted = countRuns(delayMs);
  const toolkit = await startToolkit(service, COUNTING_TOOLKIT, counted.define);
  return {
    url: service.url,
    key,
    counted,
    async close(): Promise<void> {
      await toolkit.stop();
      await service.close();
    },
  };
}
