/**
 * Two targets under the same load in turn, A B A B …: what the machine does meanwhile hits both, so the ratio of a round is worth more than
 * its two numbers.
 */
import { type Spread, spreadOf } from '../common/statistics.ts';
import type { LoadJob, LoadResult } from './job.ts';
import type { LoadGenerator } from './load-generator.ts';
import { payloadOf } from './payload.ts';
import type { RunningTarget, Target } from './target.ts';

/** Milliseconds of load before the first round: compilers and heaps settle, which takes longest with large payloads. */
const FIRST_WARM_UP_MS = 3_000;
/** Milliseconds of load before each measured slice: connections open, queues fill. */
const SLICE_WARM_UP_MS = 250;

export interface LoadCase {
  payloadBytes: number;
  concurrency: number;
  rounds: number;
  sliceSeconds: number;
}

export interface Comparison {
  payloadBytes: number;
  concurrency: number;
  baseline: TargetFigures;
  candidate: TargetFigures;
  /** Calls per second of the candidate to those of the baseline, round by round. */
  throughputRatio: { rounds: number[] } & Spread;
}

export interface TargetFigures {
  name: string;
  /** Medians over the rounds. */
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of all rounds together, the warm-up too. */
  errors: Record<string, number>;
  rounds: LoadResult[];
}

export async function compare(baseline: Target, candidate: Target, load: LoadCase, generator: LoadGenerator): Promise<Comparison> {
  const targets = [await baseline.start(), await candidate.start()] as const;
  const run = (target: RunningTarget, warmUpMs: number, measureMs: number) =>
    generator.run({ ...jobFor(target, load.payloadBytes), concurrency: load.concurrency, warmUpMs, measureMs });

  const warmUps = [await run(targets[0], FIRST_WARM_UP_MS, 0), await run(targets[1], FIRST_WARM_UP_MS, 0)] as const;
  const rounds: [LoadResult, LoadResult][] = [];
  for (let round = 0; round < load.rounds; round++) {
    const measureMs = load.sliceSeconds * 1_000;
    rounds.push([await run(targets[0], SLICE_WARM_UP_MS, measureMs), await run(targets[1], SLICE_WARM_UP_MS, measureMs)]);
  }
  await Promise.all(targets.map((target) => target.stop()));

  const ratios = rounds.map(([a, b]) => b.perSecond / a.perSecond);
  return {
    payloadBytes: load.payloadBytes,
    concurrency: load.concurrency,
    baseline: figuresOf(
      baseline.name,
      warmUps[0],
      rounds.map(([a]) => a),
    ),
    candidate: figuresOf(
      candidate.name,
      warmUps[1],
      rounds.map(([, b]) => b),
    ),
    throughputRatio: { rounds: ratios, ...spreadOf(ratios) },
  };
}

function jobFor(
  { origin, actionId, agentKey, keyed }: RunningTarget,
  payloadBytes: number,
): Omit<LoadJob, 'concurrency' | 'warmUpMs' | 'measureMs'> {
  const payload = payloadOf(payloadBytes);
  return {
    origin,
    keyed,
    path: '/v1/invoke',
    headers: { authorization: `Bearer ${agentKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: actionId, payload }),
    echo: JSON.stringify(payload),
  };
}

function figuresOf(name: string, warmUp: LoadResult, rounds: LoadResult[]): TargetFigures {
  const median = (pick: (round: LoadResult) => number) => spreadOf(rounds.map(pick)).median;
  return {
    name,
    perSecond: median((round) => round.perSecond),
    p50Ms: median((round) => round.p50Ms),
    p99Ms: median((round) => round.p99Ms),
    errors: sumOf([warmUp, ...rounds].map((round) => round.errors)),
    rounds,
  };
}

function sumOf(counts: Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of counts.flatMap(Object.entries)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
