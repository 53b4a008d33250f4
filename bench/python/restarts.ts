/** The time from the start of a service that was killed until the toolkits of both languages answer a call again. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { spreadOf } from '../common/statistics.ts';
import { formatTable } from '../common/table.ts';
import type { Stage } from './stage.ts';

const TOOLKITS = ['typescript', 'python'];
const PATIENCE_MS = 40_000;
const POLL_MS = 5;

export interface RestartFigures {
  toolkit: string;
  /** Milliseconds since the service was ready. */
  backMs: number[];
}

export async function measureRestarts(stage: Stage, restarts: number): Promise<RestartFigures[]> {
  const figures = TOOLKITS.map((toolkit) => ({ toolkit, backMs: [] as number[] }));
  for (let restart = 0; restart < restarts; restart++) {
    await stage.restart();
    const readyAt = performance.now();
    await Promise.all(
      figures.map(async ({ toolkit, backMs }) => {
        while (!(await stage.serves(toolkit))) {
          if (performance.now() - readyAt > PATIENCE_MS) throw new Error(`${toolkit} did not come back in ${PATIENCE_MS} ms`);
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
    figures.map(({ toolkit, backMs }) => {
      const { min, median, max } = spreadOf(backMs);
      return [toolkit, ...[min, median, max].map((value) => value.toFixed(0))];
    }),
  );
}
