/** The cost of a call for its toolkit: the same echo in both languages, in turn. */
import { formatTable } from '../common/table.ts';
import { cpuRatio, throughputRatio } from '../load/comparison.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { cellsOf, FIGURE_TITLES, formatSpread } from '../load/report.ts';
import { type LoadCase, type TargetFigures, takeTurns } from '../load/rounds.ts';
import type { Stage } from './stage.ts';

/** The first one is the measure of the others. */
const TOOLKITS = [
  { name: 'TypeScript', toolkit: 'typescript', action: 'echo' },
  { name: 'Python', toolkit: 'python', action: 'echo' },
  { name: 'Python, in a thread', toolkit: 'python', action: 'echo_in_thread' },
];

export async function measureToolkits(stage: Stage, load: LoadCase): Promise<TargetFigures[]> {
  const generator = new LoadGenerator();
  const targets = TOOLKITS.map(({ name, toolkit, action }) => ({ name, running: stage.target(toolkit, action) }));
  const figures = await takeTurns(targets, load, generator);
  generator.stop();
  return figures;
}

export function formatToolkits(figures: TargetFigures[]): string {
  const [typescript] = figures;
  const rows = figures.map((target) => [
    ...cellsOf(target),
    ...(typescript ? [formatSpread(throughputRatio(target, typescript)), formatSpread(cpuRatio(target, typescript))] : []),
  ]);
  const [, ...titles] = FIGURE_TITLES;
  return formatTable(['a call, for its toolkit', ...titles, 'calls/s ratio [quartiles]', 'CPU ratio [quartiles]'], rows);
}
