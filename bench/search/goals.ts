/** The goals of search: the processor time that all but one of a hundred queries stay below. */
import { goalLine } from '../common/goal.ts';
import type { SizeFigures } from './in-process.ts';

/** The size of the catalogue. */
export const GOAL_ACTIONS = 100_000;

const MOST_CPU_MS = { search: 1, searchWithUsage: 2 };
const NAMES = { search: 'words', searchWithUsage: 'with usage' };

/** @param figures of a catalogue of `GOAL_ACTIONS` */
export function formatSearchGoals(figures: SizeFigures): string {
  return (['search', 'searchWithUsage'] as const)
    .map((kind) => {
      const { cpuP99Ms } = figures[kind];
      const most = MOST_CPU_MS[kind];
      return goalLine(cpuP99Ms <= most, `${GOAL_ACTIONS} actions, ${NAMES[kind]}: p99 CPU ${cpuP99Ms.toFixed(3)} ms (at most ${most})`);
    })
    .join('\n');
}
