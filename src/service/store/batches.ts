/** Brings what the tables do not have into them, in batches: most calls as one finished row. */
import { Mutex } from '../lib/mutex';
import type { CallEngine } from './call-engine';
import { type GroupCommit, RETRY_MS } from './group-commit';
import { type UnsavedCall, UnsavedCalls, UnsavedDetails } from './unsaved';

/** Milliseconds that a record waits for its batch at most. */
const SAVE_MS = 100;
/** Ended records that make a batch before that time. */
const BATCH = 512;

export interface CallBatchesDeps {
  engine: CallEngine;
  groups: GroupCommit;
  onError: (error: unknown) => void;
}

export class CallBatches {
  readonly calls = new UnsavedCalls();
  readonly details: UnsavedDetails;
  readonly #engine: CallEngine;
  readonly #groups: GroupCommit;
  readonly #onError: (error: unknown) => void;
  readonly #saving = new Mutex();
  #timer: NodeJS.Timeout | undefined;
  #isBatchDue = false;
  #savingEnded: Promise<void> | undefined;
  #isClosed = false;

  constructor({ engine, groups, onError }: CallBatchesDeps) {
    this.#engine = engine;
    this.#groups = groups;
    this.#onError = onError;
    this.details = new UnsavedDetails(onError);
  }

  saveSoon(): void {
    if (this.#isClosed) return;
    if (this.calls.ended >= BATCH && !this.#isBatchDue) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#saveBatch();
    } else this.#timer ??= setTimeout(() => this.#saveBatch(), SAVE_MS).unref();
  }

  /** Calls that ended, such as refused ones, whose keys others wait for. */
  saveEnded(): Promise<void> {
    this.#savingEnded ??= this.#save(() => {
      this.#savingEnded = undefined;
      return this.calls.due({ all: true }).filter(({ record }) => record.outcome);
    });
    return this.#savingEnded;
  }

  /** Everything that was committed, or needs no commit, before. */
  async saveAll(): Promise<void> {
    await this.#groups.tried();
    await this.#save(() => this.calls.due({ all: true }));
  }

  /** Leaves nothing in the journal that the tables have. */
  restartJournal(): Promise<void> {
    return this.#saving.run(() => this.#restartJournal());
  }

  /** Nothing is saved any more unless it is asked for. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #saveBatch(): void {
    this.#timer = undefined;
    // At its end comes the next one.
    if (this.#isBatchDue) return;
    this.#isBatchDue = true;
    this.#save(() => this.calls.due({ all: false })).then(
      () => {
        this.#isBatchDue = false;
        if (this.calls.size > 0 || this.details.size > 0) this.saveSoon();
      },
      (error: unknown) => {
        // Nothing is lost: it stays in memory, and in the journal, for the next time.
        this.#onError(error);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
          this.#isBatchDue = false;
          this.#saveBatch();
        }, RETRY_MS).unref();
      },
    );
  }

  /** One after the other, so that no older version of a record comes after a newer one. */
  #save(due: () => UnsavedCall[]): Promise<void> {
    return this.#saving.run(async () => {
      const calls = due();
      const records = calls.map(({ record }) => record);
      const details = this.details.all();
      if (records.length === 0 && details.length === 0) return;
      await this.#engine.save(records, details);
      this.details.saved(details);
      for (const [index, record] of records.entries()) this.calls.saved(calls[index] as UnsavedCall, record);
      this.#tellLeftOut();
      if (!this.#engine.isShared && this.#engine.journal?.isLong) await this.#restartJournal();
    });
  }

  async #restartJournal(): Promise<void> {
    const journal = this.#engine.isShared ? undefined : this.#engine.journal;
    if (!journal) return;
    await this.#groups.alone(() => journal.restart(() => [...this.calls.values()].filter(isJournaled).map(({ record }) => record)));
  }

  #tellLeftOut(): void {
    if (this.calls.leftOut === 0) return;
    this.#onError(new Error(`${this.calls.leftOut} refused calls are missing in the books: the database was away for too long`));
    this.calls.leftOut = 0;
  }
}

function isJournaled({ isDurable, isCommitted, isSaved }: UnsavedCall): boolean {
  return isDurable && isCommitted && !isSaved;
}
