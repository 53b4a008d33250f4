/**
 * Gathers the writes of an event-loop turn, and of the time that former groups take, into groups that are committed together.
 *
 * Shape:  a few lanes, each one group at a time. A write goes at once when no group is under way, else with the next group, or with one beside it
 *         when enough have gathered for another round trip. No timers while the database answers.
 * Errors: after a group has failed because the database cannot be reached, writes are rejected at once, until it is time for another try. A group
 *         that fails for another reason is committed write by write, so that only the one to blame is rejected.
 */
import { setImmediate } from 'node:timers/promises';
import type { SvcError } from '../../../protocol/errors';
import { asUnavailable } from './database-errors';

/** Until the next try, when the database could not be reached. */
const RETRY_MS = 500;
const WRITES_PER_GROUP = 1_000;
/** A round trip takes this process and the server as much work as several calls: fewer writes wait for the one that is under way. */
const WORTH_ANOTHER_LANE = 8;
/** Of results: some are a megabyte, and a group is one message. */
const CHARS_PER_GROUP = 4 * 1024 * 1024;

export interface GroupedWrite {
  /** Of the largest text in it. */
  readonly chars: number;
  reject(error: unknown): void;
}

interface GroupCommitDeps<Write> {
  lanes: number;
  /** In one transaction; answers each write itself. */
  commit(group: Write[]): Promise<void>;
  /** Hears once of each group that failed. */
  onError(error: unknown): void;
}

export class GroupCommit<Write extends GroupedWrite> {
  readonly #parts: GroupCommitDeps<Write>;
  #freeLanes: number;
  #waiting: Write[] = [];
  #turn: NodeJS.Immediate | undefined;
  readonly #underWay = new Set<Promise<void>>();
  #down: { error: SvcError; over: Promise<void>; end: () => void } | undefined;

  constructor(deps: GroupCommitDeps<Write>) {
    this.#parts = deps;
    this.#freeLanes = deps.lanes;
  }

  add(write: Write): void {
    if (this.#down) {
      write.reject(this.#down.error);
      return;
    }
    this.#waiting.push(write);
    this.#turn ??= globalThis.setImmediate(() => {
      this.#turn = undefined;
      this.#commitWaiting();
    });
  }

  /** Resolves when the database may be asked again; at once while it answers. */
  async nextTry(): Promise<void> {
    await this.#down?.over;
  }

  /** The next try is now. */
  tryNow(): void {
    this.#down?.end();
  }

  /** Resolves when everything that was added before has been tried. */
  async tried(): Promise<void> {
    // What this turn does after a promise, it may add still.
    await setImmediate();
    while (this.#waiting.length > 0 || this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
      if (this.#underWay.size === 0) await setImmediate();
    }
  }

  #commitWaiting(): void {
    while (this.#freeLanes > 0 && this.#waiting.length >= (this.#underWay.size === 0 ? 1 : WORTH_ANOTHER_LANE)) {
      const group = this.#nextGroup();
      this.#freeLanes--;
      const done = this.#commit(group).finally(() => {
        this.#freeLanes++;
        this.#underWay.delete(done);
        this.#commitWaiting();
      });
      this.#underWay.add(done);
    }
  }

  #nextGroup(): Write[] {
    let count = 0;
    for (let chars = 0; count < this.#waiting.length && count < WRITES_PER_GROUP; count++) {
      chars += this.#waiting[count]?.chars ?? 0;
      if (chars > CHARS_PER_GROUP && count > 0) break;
    }
    if (count < this.#waiting.length) return this.#waiting.splice(0, count);
    const all = this.#waiting;
    this.#waiting = [];
    return all;
  }

  /** Never rejects. */
  async #commit(group: Write[]): Promise<void> {
    try {
      await this.#parts.commit(group);
    } catch (error) {
      const unavailable = asUnavailable(error);
      if (unavailable) return this.#fail(group, unavailable);
      if (group.length > 1) return this.#commitEach(group);
      for (const write of group) write.reject(error);
    }
  }

  async #commitEach(group: Write[]): Promise<void> {
    for (const write of group) {
      if (this.#down) write.reject(this.#down.error);
      else await this.#commit([write]);
    }
  }

  #fail(group: Write[], error: SvcError): void {
    this.#parts.onError(error);
    this.#down ??= this.#pause(error);
    const refused = [...group, ...this.#waiting];
    this.#waiting = [];
    for (const write of refused) write.reject(error);
  }

  #pause(error: SvcError) {
    let timer: NodeJS.Timeout | undefined;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = () => {
        clearTimeout(timer);
        this.#down = undefined;
        resolve();
      };
      timer = setTimeout(end, RETRY_MS);
    });
    return { error, over, end };
  }
}
