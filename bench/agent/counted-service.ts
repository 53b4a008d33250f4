/** A service with the counting toolkit, and a key for an agent. */
import { Toolkit } from 'svc-sdk';
import { createService } from 'svc-sdk/service';
import { COUNTING_TOOLKIT, countRuns } from './counting.ts';

/** @param delayMs how long a handler takes */
export async function startCountedService(delayMs: () => number) {
  const service = await createService({ port: 0 });
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const toolkit = new Toolkit({
    baseUrl: service.url,
    apiKey: (await service.keys.create({ kind: 'toolkit', name: COUNTING_TOOLKIT })).key,
    concurrency: 1_000,
  });
  const counted = countRuns(delayMs);
  counted.define(toolkit);
  const toolkitOver = toolkit.run();
  await toolkit.ready;
  return {
    url: service.url,
    key,
    counted,
    async close(): Promise<void> {
      await toolkit.stop({ timeoutMs: 100 });
      await toolkitOver;
      await service.close();
    },
  };
}
