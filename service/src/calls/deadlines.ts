/**
 * Deadlines of waiting callers, with one timer per distinct timeout: nearly all callers use the default, and nearly none of them times out.
 *
 * Shape: timeout in ms -> doubly linked list of entries, ordered by due time.
 */
export abstract class DeadlineEntry {
  readonly ms: number;
  /** Time of `performance.now()`. */
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

  /** Does nothing for a deadline that was removed already. */
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

  /** A list exists while its timer runs. The timer is unreferenced: the callers' sockets keep the process alive. */
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
