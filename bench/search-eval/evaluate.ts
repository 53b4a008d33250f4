/** One system on all catalogues of a run: what it finds, and how soon. */
import { percentile } from '../common/statistics.ts';
import { figuresOf } from './metrics.ts';
import type { Question } from './questions.ts';
import { type Judged, type SummaryBySource, summarise } from './summary.ts';
import type { Built } from './system.ts';

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
  /** In the order of the questions. */
  answers: Answer[];
  /** Of the searches, each asked once after a warm-up, one after the other. */
  latency: Latency;
}

export function evaluate(built: readonly Built[]): Evaluation {
  const answers: Answer[] = [];
  const latencies: number[] = [];
  for (const one of built) {
    warmUp(one);
    for (const question of one.questions) {
      const askedAt = performance.now();
      const ranking = one.system.search(question.query);
      latencies.push(performance.now() - askedAt);
      answers.push({ question, ranking, src: question.src, figures: figuresOf(ranking, question.relevant) });
    }
  }
  const sorted = Float64Array.from(latencies).sort();
  return { answers, ...summarise(answers), latency: { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) } };
}

function warmUp({ system, questions }: Built): void {
  const until = performance.now() + WARM_UP_MS;
  for (const { query } of questions) {
    if (performance.now() > until) return;
    system.search(query);
  }
}
