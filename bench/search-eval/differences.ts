/**
 * The difference between two systems on the same queries, with its interval.
 *
 * Shape:  the figures of one query are those with the second system minus those with the first.
 * Source: paired bootstrap: each draw takes the difference of a query, so that easy and hard queries do not widen the interval.
 */
import type { Answer } from './evaluate.ts';
import { type Figures, METRICS } from './metrics.ts';
import { type SummaryBySource, summarise } from './summary.ts';

/** @param before and `after` answer the same questions in the same order */
export function differencesOf(before: readonly Answer[], after: readonly Answer[]): SummaryBySource {
  return summarise(after.map(({ src, figures }, index) => ({ src, figures: minus(figures, (before[index] as Answer).figures) })));
}

function minus(a: Figures, b: Figures): Figures {
  return Object.fromEntries(METRICS.map((metric) => [metric, a[metric] - b[metric]])) as Figures;
}
