/**
 * Whether new calls should come to this node: what `GET /readyz` answers. `GET /healthz` says only that the process answers at all.
 *
 * Shape: ready while there is no block; each part may add any number of blocks, each with a reason.
 */
export class Readiness {
  readonly #blocks = new Set<{ reason: string }>();

  /** Returns the function that takes it back. A reason is a few words for an operator, without names, addresses or secrets. */
  block(reason: string): () => void {
    const block = { reason };
    this.#blocks.add(block);
    return () => void this.#blocks.delete(block);
  }

  /** Each once, in the order in which they came; none while ready. */
  get reasons(): string[] {
    return [...new Set(Array.from(this.#blocks, ({ reason }) => reason))];
  }
}
