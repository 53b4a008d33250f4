/** Answers that several who ask within a moment share: each question is asked once, and its answer kept for a few seconds. */
const KEPT_MS = 3_000;

export class TtlCache<T> {
  readonly #answers = new Map<string, { at: number; answer: Promise<T> }>();

  get(question: string, ask: () => Promise<T>): Promise<T> {
    const now = Date.now();
    for (const [old, { at }] of this.#answers) if (at <= now - KEPT_MS) this.#answers.delete(old);
    const known = this.#answers.get(question);
    if (known) return known.answer;
    const answer = ask();
    this.#answers.set(question, { at: now, answer });
    // A failure is for those who wait, not for the next.
    answer.catch(() => this.#answers.delete(question));
    return answer;
  }
}
