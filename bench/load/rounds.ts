/**
 * Puts targets under the same load in turn, A B C A B C …: other load on the machine hits all of them, so ratios within a round are more reliable
 * than the figures themselves.
 */
import { spreadOf } from '../common/statistics.ts';
import type { LoadJob, LoadResult } from './job.ts';
import type { LoadGenerator } from './load-generator.ts';
import { payloadOf } from './payload.ts';
import type { RunningTarget } from './target.ts';

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

export interface MeasuredRound extends LoadResult {
  /** Processor time of the relay; NaN where it is unknown. */
  cpuMsPerCall: number;
}

export interface TargetFigures {
  name: string;
  /** Medians over the rounds. */
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMsPerCall: number;
  /** Errors of all rounds, including the warm-up. */
  errors: Record<string, number>;
  rounds: MeasuredRound[];
}

/** Measures the targets in turn; returns their figures in the same order. */
export async function takeTurns(
  targets: readonly { name: string; running: RunningTarget }[],
  load: LoadCase,
  generator: LoadGenerator,
): Promise<TargetFigures[]> {
  const measure = async (target: RunningTarget, warmUpMs: number, measureMs: number): Promise<MeasuredRound> => {
    const before = await target.cpuMs();
    const result = await generator.run({ ...jobFor(target, load.payloadBytes), concurrency: load.concurrency, warmUpMs, measureMs });
    return { ...result, cpuMsPerCall: ((await target.cpuMs()) - before) / result.answered };
  };
  const turns: { name: string; running: RunningTarget; warmUp: MeasuredRound; rounds: MeasuredRound[] }[] = [];
  for (const target of targets) turns.push({ ...target, warmUp: await measure(target.running, FIRST_WARM_UP_MS, 0), rounds: [] });
  for (let round = 0; round < load.rounds; round++) {
    for (const { running, rounds } of turns) rounds.push(await measure(running, SLICE_WARM_UP_MS, load.sliceSeconds * 1_000));
  }
  return turns.map(({ name, warmUp, rounds }) => figuresOf(name, warmUp, rounds));
}

/** The load of one target, but for its strength and time. */
export function jobFor(
  { origins, actionId, agentKey, keyed, request }: RunningTarget,
  payloadBytes: number,
): Omit<LoadJob, 'concurrency' | 'warmUpMs' | 'measureMs'> {
  const payload = payloadOf(payloadBytes);
  const path = origins.some((origin) => origin.startsWith('nats:')) ? actionId : '/v1/invoke';
  const { body, ...sent } = request ?? { path, status: 200, body: { action: actionId, payload }, echo: JSON.stringify(payload) };
  const headers = { authorization: `Bearer ${agentKey}`, 'content-type': 'application/json' };
  return { origins, keyed, headers, body: JSON.stringify(body), ...sent };
}

function figuresOf(name: string, warmUp: MeasuredRound, rounds: MeasuredRound[]): TargetFigures {
  const median = (pick: (round: MeasuredRound) => number) => spreadOf(rounds.map(pick)).median;
  return {
    name,
    perSecond: median((round) => round.perSecond),
    p50Ms: median((round) => round.p50Ms),
    p99Ms: median((round) => round.p99Ms),
    cpuMsPerCall: median((round) => round.cpuMsPerCall),
    errors: sumOf([warmUp, ...rounds].map((round) => round.errors)),
    rounds,
  };
}

function sumOf(counts: Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of counts.flatMap(Object.entries)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
