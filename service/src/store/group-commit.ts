/**
 * Group commit: writes of one event-loop turn, and writes that arrive while earlier groups commit, are committed together.
 *
 * Shape:  a few lanes, each of which commits one group at a time. When no group is being committed, a write is committed at the end of its turn.
 *         Otherwise it waits for the next group; a second lane starts when enough writes wait. No timers while commits succeed.
 * Errors: when the database is unavailable, the group fails, and new writes fail at once until the next try is due, or until `probe` succeeds.
 *         Outcomes whose callers cannot wait are kept, and are the first of the next try. A group that fails for another reason is committed write
 *         by write, so that only the faulty write fails.
 */
import type { SvcError } from '#sdk/protocol/errors';
import type { CallWrite } from './call-engine';

/** Delay before the next try when the database is unreachable. */
export const RETRY_MS = 500;
const WRITES_PER_GROUP = 1_000;
/** A round trip costs this process and the server as much as several calls, so fewer writes than this wait for the running one. */
const WORTH_ANOTHER_LANE = 8;
/** Limit of the results in one group: a group is one message, and a result can be a megabyte. */
const CHARS_PER_GROUP = 4 * 1024 * 1024;

export interface GroupCommitDeps {
  lanes: number;
  /** Commits in one transaction, then calls `done` of each write. Throws or rejects when nothing was committed. */
  commit(group: readonly CallWrite[]): void | Promise<void>;
  /** SERVICE_UNAVAILABLE for an unavailable database; undefined for any other fault. */
  asUnavailable(error: unknown): SvcError | undefined;
  /** Throws while nothing can be committed. If it cannot find that out, the next write is the probe. */
  probe(): void;
  /** Called once for each group that fails because the database is unavailable. */
  onError(error: unknown): void;
}

export class GroupCommit {
  readonly #deps: GroupCommitDeps;
  readonly #groups = new Map<Promise<void>, number>();
  #waiting: CallWrite[] = [];
  #turn: NodeJS.Immediate | undefined;
  #down: SvcError | undefined;
  /** Outcomes that are committed later. */
  #kept: CallWrite[] = [];
  #retry: NodeJS.Timeout | undefined;
  #isHeld = false;
  /** Number of writes that were put into a group so far. */
  #grouped = 0;
  #barriers: { upTo: number; resolve: () => void }[] = [];

  constructor(deps: GroupCommitDeps) {
    this.#deps = deps;
  }

  add(write: CallWrite): void {
    if (this.#down) return this.#refuse(write, this.#down);
    this.#waiting.push(write);
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#commitWaiting();
    });
  }

  /** Why new writes fail at once; undefined while they are committed. */
  get fault(): SvcError | undefined {
    return this.#down;
  }

  /** Finds out whether a write could be committed now. */
  check(): void {
    if (this.#down || !this.#mayProbe) return;
    try {
      this.#deps.probe();
    } catch (error) {
      this.#failed([], error);
    }
  }

  /** Resolves when every earlier write was committed or has failed. */
  async tried(): Promise<void> {
    const upTo = this.#grouped + this.#waiting.length;
    if (this.#triedUpTo() < upTo) await new Promise<void>((resolve) => this.#barriers.push({ upTo, resolve }));
  }

  /** Runs `work` while no group is being committed. Must not be called again before it resolves. */
  async runExclusive(work: () => void | Promise<void>): Promise<void> {
    this.#isHeld = true;
    try {
      while (this.#groups.size > 0) await Promise.all(this.#groups.keys());
      await work();
    } finally {
      this.#isHeld = false;
      this.#commitWaiting();
    }
  }

  /** Gives up the outcomes that wait for the database. */
  close(): void {
    clearTimeout(this.#retry);
    for (const write of this.#kept.splice(0)) write.done(this.#down);
  }

  #triedUpTo(): number {
    return Math.min(this.#grouped, ...this.#groups.values());
  }

  #commitWaiting(): void {
    while (
      !this.#isHeld &&
      this.#groups.size < this.#deps.lanes &&
      this.#waiting.length >= (this.#groups.size === 0 ? 1 : WORTH_ANOTHER_LANE)
    )
      this.#commitNext();
    this.#resolveBarriers();
  }

  #commitNext(): void {
    const from = this.#grouped;
    const group = this.#nextGroup();
    const committed = this.#commit(group);
    this.#grouped += group.length;
    if (!committed) return;
    const done = committed.finally(() => {
      this.#groups.delete(done);
      this.#commitWaiting();
    });
    this.#groups.set(done, from);
  }

  #resolveBarriers(): void {
    if (this.#barriers.length === 0) return;
    const tried = this.#triedUpTo();
    const left = this.#barriers.filter(({ upTo }) => upTo > tried);
    const over = this.#barriers.filter(({ upTo }) => upTo <= tried);
    this.#barriers = left;
    for (const { resolve } of over) resolve();
  }

  #nextGroup(): CallWrite[] {
    let count = 0;
    for (let chars = 0; count < this.#waiting.length && count < WRITES_PER_GROUP; count++) {
      chars += charsOf(this.#waiting[count]);
      if (chars > CHARS_PER_GROUP && count > 0) break;
    }
    if (count < this.#waiting.length) return this.#waiting.splice(0, count);
    const all = this.#waiting;
    this.#waiting = [];
    return all;
  }

  /** Undefined when the commit is already done. The promise never rejects. */
  #commit(group: readonly CallWrite[]): Promise<void> | undefined {
    try {
      return this.#deps.commit(group)?.catch((error: unknown) => this.#failed(group, error));
    } catch (error) {
      return this.#failed(group, error);
    }
  }

  #failed(group: readonly CallWrite[], error: unknown): Promise<void> | undefined {
    const unavailable = this.#deps.asUnavailable(error);
    if (unavailable) this.#fail(group, unavailable);
    else if (group.length > 1) return this.#commitEach(group);
    else for (const write of group) write.done(error);
    return undefined;
  }

  async #commitEach(group: readonly CallWrite[]): Promise<void> {
    for (const write of group) {
      if (this.#down) this.#refuse(write, this.#down);
      else await this.#commit([write]);
    }
  }

  #fail(group: readonly CallWrite[], error: SvcError): void {
    this.#deps.onError(error);
    if (!this.#down) this.#tryLater();
    this.#down ??= error;
    const refused = [...group, ...this.#waiting];
    this.#grouped += this.#waiting.length;
    this.#waiting = [];
    for (const write of refused) this.#refuse(write, error);
  }

  #refuse(write: CallWrite, error: SvcError): void {
    if (write.op !== 'end' || !write.delayed) return write.done(error);
    this.#kept.push(write);
    write.delayed(error);
  }

  #tryLater(): void {
    this.#retry = setTimeout(() => this.#tryAgain(), RETRY_MS).unref();
  }

  /** A probe writes where the next group does. */
  get #mayProbe(): boolean {
    return this.#groups.size === 0 && !this.#isHeld;
  }

  #tryAgain(): void {
    if (!this.#mayProbe) return this.#tryLater();
    try {
      this.#deps.probe();
    } catch {
      return this.#tryLater();
    }
    this.#down = undefined;
    this.#waiting.unshift(...this.#kept.splice(0));
    this.#commitWaiting();
  }
}

function charsOf(write: CallWrite | undefined): number {
  return write?.op === 'end' ? (write.outcome.body?.length ?? 0) : 0;
}
