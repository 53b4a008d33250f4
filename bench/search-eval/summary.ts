/**
 * Summarises rankings: the mean over the queries of each source, and the mean over sources, each with its interval.
 *
 * Source: percentile bootstrap, Efron and Tibshirani, "An Introduction to the Bootstrap" (1993): queries are drawn again within their source,
 *         1,000 times, with a seed made of the source's name.
 */

import { randomOf } from '../common/random.ts';
import { percentile } from '../common/statistics.ts';
import { type Figures, METRICS, type Metric } from './metrics.ts';

const DRAWS = 1_000;

/** Confidence interval of 95 %: from, to. */
export type Interval = [number, number];

export interface Summary extends Figures {
  intervals: Record<Metric, Interval>;
  queries: number;
}

export interface SummaryBySource {
  /** Each source has the same weight, for any number of queries. */
  pooled: Summary;
  sources: Record<string, Summary>;
}

export interface Judged {
  src: string;
  figures: Figures;
}

export function summarise(judged: readonly Judged[]): SummaryBySource {
  const bySource = Object.entries(Object.groupBy(judged, ({ src }) => src)).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = bySource.map(([src, all = []]) => {
    const figures = all.map((one) => one.figures);
    return {
      src,
      queries: figures.length,
      means: mapMetrics((metric) => meanOf(figures.map((each) => each[metric]))),
      draws: drawsOf(src, figures),
    };
  });
  const pooledDraws = mapMetrics((metric) =>
    Float64Array.from({ length: DRAWS }, (_, draw) => meanOf(parts.map(({ draws }) => draws[metric][draw] as number))),
  );
  return {
    pooled: {
      ...mapMetrics((metric) => meanOf(parts.map(({ means }) => means[metric]))),
      intervals: mapMetrics((metric) => intervalOf(pooledDraws[metric])),
      queries: judged.length,
    },
    sources: Object.fromEntries(
      parts.map(({ src, queries, means, draws }) => [
        src,
        { ...means, intervals: mapMetrics((metric) => intervalOf(draws[metric])), queries },
      ]),
    ),
  };
}

/** The mean of each draw. */
function drawsOf(src: string, figures: readonly Figures[]): Record<Metric, Float64Array> {
  const random = randomOf(src);
  const draws = mapMetrics(() => new Float64Array(DRAWS));
  for (let draw = 0; draw < DRAWS; draw++) {
    for (let i = 0; i < figures.length; i++) {
      const drawn = figures[Math.floor(random() * figures.length)] as Figures;
      for (const metric of METRICS) (draws[metric][draw] as number) += drawn[metric] / figures.length;
    }
  }
  return draws;
}

function intervalOf(draws: Float64Array): Interval {
  const sorted = draws.toSorted();
  return [percentile(sorted, 0.025), percentile(sorted, 0.975)];
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function mapMetrics<T>(make: (metric: Metric) => T): Record<Metric, T> {
  return Object.fromEntries(METRICS.map((metric) => [metric, make(metric)])) as Record<Metric, T>;
}
