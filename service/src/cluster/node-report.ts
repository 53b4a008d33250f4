/** The state of this process, for the page of the service. */
import { availableParallelism, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { version } from '../lib/version';
import type { ActivityAnswer } from './message-schemas';

/** Shorter spans say nothing: several pages may ask at the same time. */
const LEAST_SPAN_MS = 1_000;

let usedAt = performance.now();
let used = performance.eventLoopUtilization();
let busy = 0;

export function nodeReport(toolkitSockets: number): NonNullable<ActivityAnswer['state']> {
  return {
    version,
    uptimeSeconds: Math.floor(process.uptime()),
    toolkitSockets,
    eventLoopBusy: eventLoopBusy(),
    loadAverage: loadavg()[0] ?? 0,
    processors: availableParallelism(),
    memoryBytes: process.memoryUsage.rss(),
  };
}

/** The share of the time since the report before in which the event loop worked, from 0 to 1. */
function eventLoopBusy(): number {
  const now = performance.now();
  if (now - usedAt < LEAST_SPAN_MS) return busy;
  const present = performance.eventLoopUtilization();
  busy = performance.eventLoopUtilization(present, used).utilization;
  used = present;
  usedAt = now;
  return busy;
}
