/**
 * Deadlines of waiting callers: one timer for all that wait for the same time. Nearly all callers take the default, and nearly none of them is
 * overdue.
 *
 * Shape: for each number of milliseconds a linked list in the order of time, from which an entry removes itself.
 */
export abstract class DeadlineEntry {
  readonly ms: number;
  /** By `performance.now()`. */
  dueAt = 0;
  before: DeadlineEntry | undefined;
  after: DeadlineEntry | undefined;

  constructor(ms: number) {
    this.ms = ms;
  }

  abstract overdue(): void;
}

interface DeadlineList {
  first: DeadlineEntry | undefined;
  last: DeadlineEntry | undefined;
}

export class Deadlines {
  readonly #lists = new Map<number, DeadlineList>();

  add(deadline: DeadlineEntry): void {
    const list = this.#lists.get(deadline.ms) ?? this.#newList(deadline.ms);
    deadline.dueAt = performance.now() + deadline.ms;
    deadline.before = list.last;
    if (list.last) list.last.after = deadline;
    else list.first = deadline;
    list.last = deadline;
  }

  /** A deadline that is in no list is not an error. */
  remove(deadline: DeadlineEntry): void {
    const list = this.#lists.get(deadline.ms);
    const { before, after } = deadline;
    if (!list || (!before && list.first !== deadline)) return;
    if (before) before.after = after;
    else list.first = after;
    if (after) after.before = before;
    else list.last = before;
    deadline.before = undefined;
    deadline.after = undefined;
  }

  /** A list lives as long as its timer. The timer does not keep the process alive: the sockets of the callers do. */
  #newList(ms: number): DeadlineList {
    const list: DeadlineList = { first: undefined, last: undefined };
    this.#lists.set(ms, list);
    this.#schedule(list, ms, ms);
    return list;
  }

  #schedule(list: DeadlineList, ms: number, inMs: number): void {
    setTimeout(() => this.#expire(list, ms), inMs).unref();
  }

  #expire(list: DeadlineList, ms: number): void {
    const now = performance.now();
    // A timer may fire a fraction of a millisecond early.
    while (list.first && list.first.dueAt < now + 1) {
      const deadline = list.first;
      this.remove(deadline);
      deadline.overdue();
    }
    if (list.first) this.#schedule(list, ms, Math.max(1, list.first.dueAt - now));
    else this.#lists.delete(ms);
  }
}
