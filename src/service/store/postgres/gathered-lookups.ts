import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Questions of one event-loop turn as one query: thousands of toolkits may come back at the same time, each with a key of its own. */
export class GatheredLookups<T> {
  readonly #findAll: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  #asked = new Set<string>();
  #turn: Promise<ReadonlyMap<string, T>> | undefined;

  constructor(findAll: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#findAll = findAll;
  }

  async find(id: string): Promise<T | undefined> {
    this.#asked.add(id);
    this.#turn ??= endOfTurn().then(() => this.#ask());
    return (await this.#turn).get(id);
  }

  #ask(): Promise<ReadonlyMap<string, T>> {
    const ids = [...this.#asked];
    this.#asked = new Set();
    this.#turn = undefined;
    return this.#findAll(ids);
  }
}
