/**
 * State of `GET /readyz`: whether a load balancer should send new calls to this node. `GET /healthz` only shows that the process answers.
 *
 * Shape: a set of blocks, each with a reason; the node is ready while the set is empty.
 */
export class Readiness {
  readonly #blocks = new Set<{ reason: string }>();

  /**
   * Adds a block. Returns the function that removes it.
   *
   * @param reason a few words for an operator, without names, addresses or secrets: `/readyz` needs no key
   */
  block(reason: string): () => void {
    const block = { reason };
    this.#blocks.add(block);
    return () => void this.#blocks.delete(block);
  }

  /** Distinct reasons, oldest first. Empty while the node is ready. */
  get reasons(): string[] {
    return [...new Set(Array.from(this.#blocks, ({ reason }) => reason))];
  }
}
