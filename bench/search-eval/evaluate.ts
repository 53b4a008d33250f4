/** One system on all catalogues of a run. */
import { percentile } from '../common/statistics.ts';
import { figuresOf } from './metrics.ts';
import type { Catalogue, Question } from './questions.ts';
import { type Judged, type SummaryBySource, summarise } from './summary.ts';
import type { SearchSystem, SystemKind } from './system.ts';

/** Until the code is compiled and the caches are full. */
const WARM_UP_MS = 300;

export interface Answer extends Judged {
  question: Question;
  ranking: string[];
}

export interface Latency {
  p50Ms: number;
  p99Ms: number;
}

export interface Evaluation extends SummaryBySource {
  name: string;
  answers: Answer[];
  latency: Latency;
  /** Of all its catalogues, in a process that has worked before. */
  buildMs: number;
}

export function evaluate({ name, build }: SystemKind, catalogues: readonly Catalogue[]): Evaluation {
  const answers: Answer[] = [];
  const latencies: number[] = [];
  let buildMs = 0;
  for (const { documents, questions } of catalogues) {
    const startedAt = performance.now();
    const system = build(documents);
    buildMs += performance.now() - startedAt;
    warmUp(system, questions);
    for (const question of questions) {
      const askedAt = performance.now();
      const ranking = system.search(question.query);
      latencies.push(performance.now() - askedAt);
      answers.push({ question, ranking, src: question.src, figures: figuresOf(ranking, question.relevant) });
    }
    system.close?.();
  }
  const sorted = Float64Array.from(latencies).sort();
  return { name, answers, ...summarise(answers), latency: { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) }, buildMs };
}

function warmUp(system: SearchSystem, questions: readonly Question[]): void {
  const until = performance.now() + WARM_UP_MS;
  for (const { query } of questions) {
    if (performance.now() > until) return;
    system.search(query);
  }
}
