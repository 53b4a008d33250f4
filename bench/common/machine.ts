import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

export interface MachineFacts {
  node: string;
  platform: string;
  cpuModel: string;
  cpus: number;
  memoryGiB: number;
  /** The current averages over 1, 5 and 15 minutes. */
  loadAverage: number[];
}

export function machineFacts(): MachineFacts {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpuModel: cpus()[0]?.model ?? 'unknown',
    cpus: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    loadAverage: loadavg(),
  };
}

export function describeMachine({ node, platform, cpuModel, cpus, memoryGiB, loadAverage }: MachineFacts): string {
  const load = loadAverage.map((value) => value.toFixed(2)).join(' ');
  return `Node ${node}, ${platform}, ${cpus} cpus (${cpuModel}), ${memoryGiB} GiB, load average ${load}`;
}
