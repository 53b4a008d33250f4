/** A toolkit in this process, on a service in this process. */
import { Toolkit } from 'svc-sdk';
import type { Service } from 'svc-service';

interface RunningToolkit {
  stop(): Promise<void>;
}

/** Resolves when its actions are registered. */
export async function startToolkit(service: Service, name: string, define: (toolkit: Toolkit) => void): Promise<RunningToolkit> {
  const { key } = await service.keys.create({ kind: 'toolkit', name });
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key, concurrency: 1_000 });
  define(toolkit);
  const over = toolkit.run();
  await toolkit.ready;
  return {
    async stop() {
      await toolkit.stop({ timeoutMs: 100 });
      await over;
    },
  };
}
