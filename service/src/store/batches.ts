/** Writes unsaved calls and their details into the tables, in batches. Most calls become one finished row. */
import { Mutex } from '../lib/mutex';
import type { CallEngine } from './call-engine';
import { type GroupCommit, RETRY_MS } from './group-commit';
import { type UnsavedCall, UnsavedCalls, UnsavedDetails } from './unsaved';

/** Longest time that a record waits for its batch, in milliseconds. */
const SAVE_MS = 100;
/** A batch is written earlier when this many calls have ended. */
const BATCH = 2_048;

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

  /** Saves the calls that ended, such as refused ones: other calls may wait for their keys. */
  saveEnded(): Promise<void> {
    this.#savingEnded ??= this.#save(() => {
      this.#savingEnded = undefined;
      return this.calls.due({ all: true }).filter(({ record }) => record.outcome);
    });
    return this.#savingEnded;
  }

  /** Saves every earlier call that is committed or needs no commit. */
  async saveAll(): Promise<void> {
    await this.#groups.tried();
    await this.#save(() => this.calls.due({ all: true }));
  }

  /** Drops from the journal what the tables already have. */
  restartJournal(): Promise<void> {
    return this.#saving.run(() => this.#restartJournal());
  }

  /** Stops the automatic batches; `saveEnded` and `saveAll` still work. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #saveBatch(): void {
    this.#timer = undefined;
    // The running batch starts the next one when it ends.
    if (this.#isBatchDue) return;
    this.#isBatchDue = true;
    this.#save(() => this.calls.due({ all: false })).then(
      () => {
        this.calls.fault = undefined;
        this.#isBatchDue = false;
        if (this.calls.size > 0 || this.details.size > 0) this.saveSoon();
      },
      (error: unknown) => {
        // Nothing is lost: the records stay in memory, and in the journal, for the next batch.
        this.#onError(error);
        this.calls.fault = this.#engine.asUnavailable(error);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
          this.#isBatchDue = false;
          this.#saveBatch();
        }, RETRY_MS).unref();
      },
    );
  }

  /** Saves run one after the other, so that an older version of a record never overwrites a newer one. */
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
      if (this.#engine.journal?.isLong) await this.#restartJournal();
    });
  }

  async #restartJournal(): Promise<void> {
    const { journal } = this.#engine;
    if (!journal) return;
    await this.#groups.runExclusive(() => journal.restart(() => [...this.calls.values()].filter(isJournaled).map(({ record }) => record)));
  }

  #tellLeftOut(): void {
    if (this.calls.leftOut === 0) return;
    this.#onError(new Error(`${this.calls.leftOut} refused calls were not recorded: the database was unavailable for too long`));
    this.calls.leftOut = 0;
  }
}

function isJournaled({ isDurable, isCommitted, isSaved }: UnsavedCall): boolean {
  return isDurable && isCommitted && !isSaved;
}
