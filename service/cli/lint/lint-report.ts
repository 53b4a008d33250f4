/** The findings of `svc-service lint`, as JSON and for people to read. */
import { countText, type Findings, findingTexts, plural } from '../finding-texts';
import type { GoldenMiss, GoldenResult } from './golden-run';

export interface LintReport extends Findings {
  toolkit: string;
  actions: number;
  golden?: GoldenResult & { file: string };
}

export function reportText(report: LintReport): string {
  const head = `${report.toolkit}: ${plural(report.actions, 'action')}, ${countText(report)}`;
  return [head, ...findingTexts(report), ...goldenTexts(report)].join('\n\n');
}

function goldenTexts({ golden }: LintReport): string[] {
  if (!golden) return [];
  const { file, k, queries, recall, recallAt1, mrr, misses } = golden;
  const counted = queries === 1 ? '1 query' : `${queries} queries`;
  const figures = [`recall@${k} ${recall.toFixed(2)}`, ...(k > 1 ? [`recall@1 ${recallAt1.toFixed(2)}`] : []), `MRR ${mrr.toFixed(2)}`];
  return [[`${file}: ${counted}, ${figures.join(', ')}`, ...misses.map((miss) => missText(miss, file))].join('\n')];
}

function missText({ query, line, action, rank, outrankedBy }: GoldenMiss, file: string): string {
  const place = rank === null ? 'is not found' : `is number ${rank}`;
  const behind = outrankedBy.length === 0 ? '' : `; before it: ${outrankedBy.join(', ')}`;
  return `  ${file}:${line}: "${query}": ${action} ${place}${behind}`;
}
