/** Long work as a generator that yields between its steps. A caller runs it at once, or in pieces that share the event loop. */
import type { EventLoopBudget } from './event-loop-budget';

export type Steps<Result> = Generator<void, Result>;

export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export async function runWithin<Result>(budget: EventLoopBudget, steps: Steps<Result>): Promise<Result> {
  for (;;) {
    if (budget.isUsedUp) await budget.enter();
    const { done, value } = steps.next();
    if (done) return value;
  }
}
