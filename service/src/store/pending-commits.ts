/** Calls whose start, outcome or refusal is being committed, and the callbacks that wait for the end of the commit. */
import type { CallWrite } from './call-engine';
import { promised } from './callbacks';
import type { GroupCommit } from './group-commit';
import type { Callback } from './store';
import type { UnsavedCall, UnsavedCalls } from './unsaved';

export class PendingCommits {
  readonly #groups: GroupCommit;
  readonly #calls: UnsavedCalls;

  constructor(groups: GroupCommit, calls: UnsavedCalls) {
    this.#groups = groups;
    this.#calls = calls;
  }

  /** `write.done` must call `notify`. */
  add(call: UnsavedCall, write: CallWrite): void {
    call.afterCommit = [];
    this.#groups.add(write);
  }

  /** Notifies the waiting callers. Call it when the record shows the result of the commit. */
  notify(call: UnsavedCall, error: unknown): void {
    const waiting = call.afterCommit ?? [];
    call.afterCommit = undefined;
    for (const then of waiting) then(error);
  }

  /** Answers a claim of a key that a call in memory holds. False when none does. */
  answerClaim(scope: string, done: Callback<boolean>): boolean {
    const holder = this.#calls.holder(scope);
    if (!holder) return false;
    if (!holder.afterCommit) done(undefined, false);
    // The holder's outcome waits for the database. This call must not wait too, since it holds a slot of a toolkit.
    else if (this.#groups.fault) done(this.#groups.fault);
    // The key belongs to this holder or to a call in the database.
    else holder.afterCommit.push((error) => done(error, false));
    return true;
  }

  /** Resolves when no earlier write of this call is pending. */
  async decided(id: string): Promise<void> {
    const call = this.#calls.get(id);
    // The caller of the commit handles a failure.
    if (call) await this.#over(call).catch(() => {});
  }

  /** Resolves when the call that holds this key, if one in memory does, has no pending write. Rejects when its start fails. */
  async holderDecided(scope: string): Promise<void> {
    const holder = this.#calls.holder(scope);
    if (!holder) return;
    try {
      await this.#over(holder);
    } catch (error) {
      if (this.#calls.get(holder.record.id) !== holder) throw error;
    }
  }

  /** Resolves when no commit of the call is pending; rejects when the pending one fails, or waits for the database. */
  async #over({ afterCommit }: UnsavedCall): Promise<void> {
    if (!afterCommit) return;
    if (this.#groups.fault) throw this.#groups.fault;
    await promised<void>((done) => afterCommit.push((error) => done(error)));
  }
}
