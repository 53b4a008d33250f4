/** The cost of a call for its toolkit: the same echo in each language, in turn. */
import { goalLine } from '../common/goal.ts';
import { type Language, titleOf } from '../common/language.ts';
import { formatTable } from '../common/table.ts';
import { cpuRatio, throughputRatio } from '../load/comparison.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { cellsOf, FIGURE_TITLES, formatSpread } from '../load/report.ts';
import { type LoadCase, type TargetFigures, takeTurns } from '../load/rounds.ts';
import type { Stage } from './stage.ts';

export async function measureToolkits(stage: Stage, load: LoadCase): Promise<TargetFigures[]> {
  const generator = new LoadGenerator();
  const targets = stage.languages.flatMap(({ language }) => targetsOf(stage, language));
  const figures = await takeTurns(targets, load, generator);
  generator.stop();
  return figures;
}

function targetsOf(stage: Stage, language: Language) {
  const name = titleOf(language);
  const inLoop = { name, running: stage.target(language, 'echo') };
  return language === 'python' ? [inLoop, { name: `${name}, in a thread`, running: stage.target(language, 'echo_in_thread') }] : [inLoop];
}

/** The first one is the measure of the others. */
export function formatToolkits(figures: TargetFigures[]): string {
  const [first] = figures;
  const rows = figures.map((target) => [
    ...cellsOf(target),
    ...(first ? [formatSpread(throughputRatio(target, first)), formatSpread(cpuRatio(target, first))] : []),
  ]);
  const [, ...titles] = FIGURE_TITLES;
  return formatTable(['a call, for its toolkit', ...titles, 'calls/s ratio [quartiles]', 'CPU ratio [quartiles]'], rows);
}

/** Processor time of a toolkit per call to that of one in TypeScript. */
const MOST_OF_TYPESCRIPT: Partial<Record<Language, number>> = { python: 6, rust: 1.1 };

/** One line for each language that has a goal, if TypeScript was measured too. */
export function toolkitGoals(figures: TargetFigures[]): string[] {
  const typescript = figures.find(({ name }) => name === titleOf('ts'));
  return Object.entries(MOST_OF_TYPESCRIPT).flatMap(([language, most]) => {
    const toolkit = figures.find(({ name }) => name === titleOf(language as Language));
    if (!typescript || !toolkit) return [];
    const ratio = cpuRatio(toolkit, typescript);
    return goalLine(
      ratio.median <= most,
      `a toolkit in ${toolkit.name}, at most ${most} times the CPU of one in ${typescript.name}: ${formatSpread(ratio)}`,
    );
  });
}
