/** The time from the start of a service that was killed until the toolkit of each language answer a call again. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Language, titleOf } from '../common/language.ts';
import { spreadOf } from '../common/statistics.ts';
import { formatTable } from '../common/table.ts';
import type { Stage } from './stage.ts';

const PATIENCE_MS = 40_000;
const POLL_MS = 5;

export interface RestartFigures {
  language: Language;
  /** Milliseconds since the service was ready. */
  backMs: number[];
}

export async function measureRestarts(stage: Stage, restarts: number): Promise<RestartFigures[]> {
  const figures = stage.languages.map(({ language }) => ({ language, backMs: [] as number[] }));
  for (let restart = 0; restart < restarts; restart++) {
    await stage.restart();
    const readyAt = performance.now();
    await Promise.all(
      figures.map(async ({ language, backMs }) => {
        while (!(await stage.serves(language))) {
          if (performance.now() - readyAt > PATIENCE_MS) throw new Error(`${language} did not come back in ${PATIENCE_MS} ms`);
          await sleep(POLL_MS);
        }
        backMs.push(performance.now() - readyAt);
      }),
    );
  }
  return figures;
}

export function formatRestarts(figures: RestartFigures[]): string {
  return formatTable(
    ['ms from the ready service to a served call', 'min', 'median', 'max'],
    figures.map(({ language, backMs }) => {
      const { min, median, max } = spreadOf(backMs);
      return [titleOf(language), ...[min, median, max].map((value) => value.toFixed(0))];
    }),
  );
}
