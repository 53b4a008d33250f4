/**
 * State of `GET /readyz`, by which a load balancer sends new calls to this node. `GET /healthz` only shows that the process answers.
 *
 * Shape: a set of blocks, each with a reason, and faults of other rooms; the node is ready if the set is empty.
 */
export class Readiness {
  readonly #blocks = new Set<{ reason: string }>();
  readonly #watched: (() => string | undefined)[] = [];

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

  /** @param reasonOf returns the reason while there is one */
  watch(reasonOf: () => string | undefined): void {
    this.#watched.push(reasonOf);
  }

  /** Distinct reasons, oldest first. Empty while the node is ready. */
  get reasons(): string[] {
    const faults = this.#watched.map((reasonOf) => reasonOf()).filter((reason) => reason !== undefined);
    return [...new Set([...Array.from(this.#blocks, ({ reason }) => reason), ...faults])];
  }
}
