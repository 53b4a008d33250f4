import { fileURLToPath } from 'node:url';
import { startNode } from '../common/processes.ts';
import type { RunningTarget } from '../load/target.ts';

const SUBJECT = 'bench.echo';

/** Caller → nats-server → responder and back, and nothing else. The server's CPU time is not measured. */
export async function plainNats(url: string): Promise<RunningTarget> {
  const responder = startNode([fileURLToPath(new URL('nats-responder.ts', import.meta.url)), url, SUBJECT], { ready: /ready/ });
  await responder.ready;
  return {
    origins: [url],
    actionId: SUBJECT,
    agentKey: '',
    keyed: false,
    cpuMs: async () => Number.NaN,
    stop: () => responder.stop(),
  };
}
