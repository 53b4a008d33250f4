/** The cost of accepting and holding toolkit sockets. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MeasuredProcess } from '../common/measured-process.ts';
import type { CrowdOptions, ToolkitCrowd } from './toolkit-crowd.ts';

/** Time until a process detects that its sockets are closed. */
const CLOSING_MS = 2_000;

export interface Holding {
  name: string;
  sockets: number;
  /** Time until all are registered. */
  openMs: number;
  openCpuMsEach: number;
  rssBytesEach: number;
  /** JavaScript objects and buffers, after a garbage collection. */
  heapBytesEach: number;
  /** The part that remains after the sockets are closed, such as the catalogue. */
  staysBytesEach: number;
  beats: number;
  beatCpuMsEach: number;
}

export interface HoldingPlan extends CrowdOptions {
  name: string;
  heartbeatMs: number;
}

/** Leaves the sockets open. */
export async function measureHolding(holder: MeasuredProcess, crowd: ToolkitCrowd, plan: HoldingPlan): Promise<Holding> {
  const empty = await holder.usage({ collect: true });
  const startedAt = performance.now();
  await crowd.open(plan);
  const openMs = performance.now() - startedAt;
  const opened = await holder.usage({ collect: true });
  await crowd.close();
  await sleep(CLOSING_MS);
  const left = await holder.usage({ collect: true });

  await crowd.open(plan);
  const resting = await holder.usage();
  const { beats: beatsBefore } = await crowd.count();
  await sleep(plan.heartbeatMs);
  const beaten = await holder.usage();
  const beats = (await crowd.count()).beats - beatsBefore;

  const sockets = plan.keys.length * plan.replicas;
  return {
    name: plan.name,
    sockets,
    openMs,
    openCpuMsEach: (opened.cpuMs - empty.cpuMs) / sockets,
    rssBytesEach: (opened.rssBytes - empty.rssBytes) / sockets,
    heapBytesEach: (opened.heapBytes - empty.heapBytes) / sockets,
    staysBytesEach: (left.heapBytes - empty.heapBytes) / sockets,
    beats,
    beatCpuMsEach: (beaten.cpuMs - resting.cpuMs) / beats,
  };
}
