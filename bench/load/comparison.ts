/** Two targets beside each other. */
import { type Spread, spreadOf } from '../common/statistics.ts';
import type { LoadGenerator } from './load-generator.ts';
import { type LoadCase, type MeasuredRound, type TargetFigures, takeTurns } from './rounds.ts';
import type { Target } from './target.ts';

export interface Comparison {
  payloadBytes: number;
  concurrency: number;
  baseline: TargetFigures;
  candidate: TargetFigures;
  /** Calls per second of the candidate to those of the baseline, round by round. */
  throughputRatio: RoundSpread;
  /** Processor time per call of the candidate to that of the baseline, round by round. */
  cpuRatio: RoundSpread;
}

export type RoundSpread = { rounds: number[] } & Spread;

export async function compare(baseline: Target, candidate: Target, load: LoadCase, generator: LoadGenerator): Promise<Comparison> {
  const running = [await baseline.start(), await candidate.start()] as const;
  const names = [baseline.name, candidate.name];
  const [first, second] = await takeTurns(
    running.map((target, index) => ({ name: `${names[index]}`, running: target })),
    load,
    generator,
  );
  await Promise.all(running.map((target) => target.stop()));
  if (!first || !second) throw new Error('Each target has figures');
  const { payloadBytes, concurrency } = load;
  const ratios = { throughputRatio: throughputRatio(second, first), cpuRatio: cpuRatio(second, first) };
  return { payloadBytes, concurrency, baseline: first, candidate: second, ...ratios };
}

/** Ratio of calls per second, for figures from the same rounds. */
export function throughputRatio(candidate: TargetFigures, baseline: TargetFigures): RoundSpread {
  return perRound(candidate.rounds.map((round, index) => round.perSecond / baselineRound(baseline, index).perSecond));
}

/** Processor time per call, of figures from the same rounds. */
export function cpuRatio(candidate: TargetFigures, baseline: TargetFigures): RoundSpread {
  return perRound(candidate.rounds.map((round, index) => round.cpuMsPerCall / baselineRound(baseline, index).cpuMsPerCall));
}

export function perRound(rounds: number[]): RoundSpread {
  return { rounds, ...spreadOf(rounds) };
}

function baselineRound({ rounds }: TargetFigures, index: number): MeasuredRound {
  const round = rounds[index];
  if (!round) throw new Error(`There is no round ${index}`);
  return round;
}
