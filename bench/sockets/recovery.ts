/** The time until all sockets are registered again after a fault, and its effect on other calls. */
import { fileURLToPath } from 'node:url';
import { WorkerProcess } from '../common/worker-process.ts';
import type { ProbeJob, ProbeResult } from './probe-job.ts';
import type { ToolkitCrowd } from './toolkit-crowd.ts';

/** More than the longest wait between two tries of a toolkit, twice. */
const PATIENCE_MS = 90_000;

export interface Recovery {
  fault: string;
  /** False: there was no node for a while. */
  nodeLives: boolean;
  /** Time from the fault until half of the sockets were registered again, and likewise all; NaN when they were not. */
  halfMs: number;
  allMs: number;
  /** Calls through another toolkit from the fault until then. */
  probe: ProbeResult;
}

export interface Fault {
  name: string;
  /** The called node keeps running. */
  nodeLives: boolean;
  /** Breaks all connections; resolves when a node accepts new ones. */
  strike(): Promise<void>;
}

export type ProbeTarget = Omit<Extract<ProbeJob, { do: 'start' }>, 'do'>;

export async function measureRecovery(crowd: ToolkitCrowd, target: ProbeTarget, fault: Fault): Promise<Recovery> {
  const prober = new WorkerProcess<ProbeJob, ProbeResult>(fileURLToPath(new URL('prober.ts', import.meta.url)));
  await prober.run({ do: 'start', ...target });
  const back = await crowd.untilBack(() => fault.strike(), PATIENCE_MS);
  const probe = await prober.run({ do: 'stop' });
  prober.stop();
  return { fault: fault.name, nodeLives: fault.nodeLives, ...back, probe };
}
