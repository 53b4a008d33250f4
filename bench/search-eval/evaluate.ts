/** The results and latencies of one system on all catalogues of a run. */
import { type Latency, latencyOf, StopWatch } from '../retrieval/stop-watch.ts';
import { figuresOf } from './metrics.ts';
import type { Question } from './questions.ts';
import { type Judged, type SummaryBySource, summarise } from './summary.ts';
import type { Built } from './system.ts';

/** Warm-up: compiles the code and fills the caches. */
const WARM_UP_MS = 300;

export interface Answer extends Judged {
  question: Question;
  ranking: string[];
}

export interface Evaluation extends SummaryBySource {
  /** Answers in the order of the questions. */
  answers: Answer[];
  /** Latency of the searches, which run once, one after the other, after a warm-up. */
  latency: Latency;
}

export function evaluate(built: readonly Built[]): Evaluation {
  const answers: Answer[] = [];
  const watch = new StopWatch();
  for (const one of built) {
    warmUp(one);
    for (const question of one.questions) {
      const ranking = watch.time(() => one.system.search(question.query));
      answers.push({ question, ranking, src: question.src, figures: figuresOf(ranking, question.relevant) });
    }
  }
  return { answers, ...summarise(answers), latency: latencyOf(watch.times) };
}

function warmUp({ system, questions }: Built): void {
  const until = performance.now() + WARM_UP_MS;
  for (const { query } of questions) {
    if (performance.now() > until) return;
    system.search(query);
  }
}
