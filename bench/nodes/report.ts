import { goalLine } from '../common/goal.ts';
import { formatTable } from '../common/table.ts';
import { perRound, type RoundSpread, throughputRatio } from '../load/comparison.ts';
import { cellsOf, FIGURE_TITLES, formatSpread } from '../load/report.ts';
import type { LoadCase, TargetFigures } from '../load/rounds.ts';

/** Minimum calls per second, divided by those of the floor. */
const LEAST_SHARES = { 'SQLite, keyed': 0.6, 'PostgreSQL, keyed': 0.5 };
const SHARES_AT_CONCURRENCY = 64;
/** The extra time allowed for a call through another node, in plain requests and replies. */
const MAX_NATS_ROUND_TRIPS = 1.5;

export interface NodesResult {
  load: LoadCase;
  /** The floor is the first. */
  targets: TargetFigures[];
}

export function formatResults(results: NodesResult[]): string {
  const rows = results.flatMap(({ load, targets: [floor, ...others] }) =>
    floor === undefined
      ? []
      : [
          [`c=${load.concurrency}`, ...cellsOf(floor), ''],
          ...others.map((it) => ['', ...cellsOf(it), formatSpread(throughputRatio(it, floor))]),
        ],
  );
  return formatTable(['case', ...FIGURE_TITLES, 'to floor [quartiles]'], rows);
}

/** One line for each goal that this run measured. */
export function formatGoals(results: NodesResult[]): string {
  return results.flatMap((result) => [...shareGoals(result), ...crossingGoals(result)]).join('\n');
}

function shareGoals({ load, targets }: NodesResult): string[] {
  const floor = named(targets, 'floor');
  if (load.concurrency !== SHARES_AT_CONCURRENCY || !floor) return [];
  return Object.entries(LEAST_SHARES).flatMap(([name, least]) => {
    const target = named(targets, name);
    if (!target) return [];
    const ratio = throughputRatio(target, floor);
    return [goalLine(ratio.median >= least, `c=${load.concurrency}: ${name}, at least ${least} of the floor: ${formatSpread(ratio)}`)];
  });
}

function crossingGoals({ load, targets }: NodesResult): string[] {
  const nats = named(targets, 'plain NATS');
  return ['', ', keyed'].flatMap((kind) => {
    const [same, other] = [named(targets, `same node${kind}`), named(targets, `other node${kind}`)];
    if (!nats || !same || !other) return [];
    const trips = roundTripsMore(same, other, nats);
    const text = `c=${load.concurrency}: p50 through another node${kind}, at most ${MAX_NATS_ROUND_TRIPS} plain NATS round trips more`;
    return [goalLine(trips.median <= MAX_NATS_ROUND_TRIPS, `${text}: ${formatSpread(trips)}`)];
  });
}

function roundTripsMore(same: TargetFigures, other: TargetFigures, nats: TargetFigures): RoundSpread {
  const p50 = ({ rounds }: TargetFigures, index: number) => rounds[index]?.p50Ms ?? Number.NaN;
  return perRound(other.rounds.map(({ p50Ms }, index) => (p50Ms - p50(same, index)) / p50(nats, index)));
}

function named(targets: TargetFigures[], name: string): TargetFigures | undefined {
  return targets.find((target) => target.name === name);
}
