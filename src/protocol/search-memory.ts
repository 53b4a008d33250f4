/**
 * The recent searches of one conversation: which of them showed an action that is called now. docs/protocol.md section 4.
 *
 * Shape:  search ids, oldest first; bounded.
 */

const MAX_SEARCHES = 20;

export class SearchMemory {
  readonly #searches: { id: string; shown: ReadonlySet<string> }[] = [];

  /** @param shown action ids */
  add(id: string, shown: Iterable<string>): void {
    this.#searches.push({ id, shown: new Set(shown) });
    if (this.#searches.length > MAX_SEARCHES) this.#searches.shift();
  }

  /** Id of the newest search. */
  get newest(): string | undefined {
    return this.#searches.at(-1)?.id;
  }

  /** Id of the newest search that showed the action. */
  thatShowed(action: unknown): string | undefined {
    return this.#searches.findLast(({ shown }) => shown.has(action as string))?.id;
  }
}
