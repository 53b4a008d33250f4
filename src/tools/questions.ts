/** Questions to a user that several calls share: calls side by side, and all calls of one answer of a model. */
export class Questions {
  readonly #answers = new Map<string, Promise<boolean>>();
  #keepers = 0;

  /** The answer to the same question that is open or kept, or a new one. */
  ask(about: string, question: () => Promise<boolean>): Promise<boolean> {
    const former = this.#answers.get(about);
    if (former) return former;
    const answer = question();
    this.#answers.set(about, answer);
    const forget = () => this.#keepers === 0 && this.#answers.delete(about);
    answer.then(forget, forget);
    return answer;
  }

  /** Keeps answers until `work` ends. */
  async keepDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#keepers++;
    try {
      return await work();
    } finally {
      if (--this.#keepers === 0) this.#answers.clear();
    }
  }
}
