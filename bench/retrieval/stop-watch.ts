/**
 * Measures small pieces of work by wall clock and processor time. On a shared machine only the processor time shows the cost of the work.
 *
 * Units:  milliseconds. Processor time is that of all threads of the process, so garbage collection counts.
 */
import { percentile } from '../common/statistics.ts';

/** Times in the order of the work. */
export interface Times {
  clockMs: number[];
  cpuMs: number[];
}

export interface Latency {
  p50Ms: number;
  p99Ms: number;
  cpuP50Ms: number;
  cpuP99Ms: number;
}

export class StopWatch {
  readonly times: Times = { clockMs: [], cpuMs: [] };

  time<T>(work: () => T): T {
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    const result = work();
    this.times.clockMs.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(cpuBefore);
    this.times.cpuMs.push((user + system) / 1_000);
    return result;
  }
}

export function latencyOf({ clockMs, cpuMs }: Times): Latency {
  const [clock, cpu] = [Float64Array.from(clockMs).sort(), Float64Array.from(cpuMs).sort()];
  return {
    p50Ms: percentile(clock, 0.5),
    p99Ms: percentile(clock, 0.99),
    cpuP50Ms: percentile(cpu, 0.5),
    cpuP99Ms: percentile(cpu, 0.99),
  };
}
