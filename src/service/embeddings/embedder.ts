/** Texts to vectors, wherever the model runs. */
export interface Embedder {
  /** Names the model: vectors of two models cannot be compared. */
  readonly model: string;
  /** Numbers in a vector; undefined when that is the model's choice. */
  readonly dimensions: number | undefined;
  /** What one call may carry, and how many may run at once. */
  limits(): Promise<{ texts: number; calls: number }>;
  /**
   * One embedding for each text, in their order, as the model gave them: not checked yet.
   *
   * Errors: rejects with EmbeddingFailure, or anything once `signal` has aborted.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly unknown[]>;
}

/** What any server takes at once: the smallest default among them, that of Text Embeddings Inference. */
export const TEXTS_PER_CALL = 32;
/** One more than a model on one machine can use; searches ask it too. */
export const CALLS_AT_ONCE = 2;
