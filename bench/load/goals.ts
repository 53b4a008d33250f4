/** The goals of the whole path, for the cases that have one. */
import { goalLine } from '../common/goal.ts';
import type { Comparison } from './comparison.ts';
import { formatSpread } from './report.ts';

interface Goal {
  payloadBytes: number;
  baseline: string;
  candidate: string;
  /** Calls per second of the candidate to those of the baseline. */
  leastShare?: number;
  /** Processor time per call of the candidate to that of the baseline. */
  mostCpu?: number;
  mostP99Ms?: number;
}

const AT_CONCURRENCY = 64;
const GOALS: readonly Goal[] = [
  { payloadBytes: 300, baseline: 'floor', candidate: 'svc-sdk', leastShare: 0.75 },
  { payloadBytes: 300, baseline: 'floor', candidate: 'svc-sdk, keyed', leastShare: 0.58 },
  { payloadBytes: 300, baseline: 'durable floor', candidate: 'svc-sdk, keyed', mostCpu: 1.25 },
  { payloadBytes: 30_000, baseline: 'floor', candidate: 'svc-sdk', leastShare: 0.6, mostP99Ms: 120 },
  { payloadBytes: 30_000, baseline: 'floor', candidate: 'svc-sdk, keyed', leastShare: 0.55, mostP99Ms: 120 },
];

/** One line for each goal that this run measured. */
export function formatGoals(comparisons: readonly Comparison[]): string {
  return comparisons
    .flatMap((comparison) => GOALS.filter((goal) => isOf(goal, comparison)).flatMap((goal) => linesOf(goal, comparison)))
    .join('\n');
}

function isOf({ payloadBytes, baseline, candidate }: Goal, comparison: Comparison): boolean {
  return (
    comparison.concurrency === AT_CONCURRENCY &&
    comparison.payloadBytes === payloadBytes &&
    comparison.baseline.name === baseline &&
    comparison.candidate.name === candidate
  );
}

function linesOf({ payloadBytes, baseline, candidate, leastShare, mostCpu, mostP99Ms }: Goal, comparison: Comparison): string[] {
  const { throughputRatio, cpuRatio } = comparison;
  const { p99Ms } = comparison.candidate;
  const what = `${payloadBytes} B, c=${AT_CONCURRENCY}: ${candidate}`;
  const lines: string[] = [];
  if (leastShare !== undefined)
    lines.push(
      goalLine(
        throughputRatio.median >= leastShare,
        `${what}, at least ${leastShare} of the ${baseline}: ${formatSpread(throughputRatio)}`,
      ),
    );
  if (mostCpu !== undefined)
    lines.push(
      goalLine(
        cpuRatio.median <= mostCpu,
        `${what}, at most ${mostCpu} times the processor time of the ${baseline}: ${formatSpread(cpuRatio)}`,
      ),
    );
  if (mostP99Ms !== undefined) lines.push(goalLine(p99Ms <= mostP99Ms, `${what}, p99 at most ${mostP99Ms} ms: ${p99Ms.toFixed(0)} ms`));
  return lines;
}
