/** Turns texts into vectors, wherever the model runs. */
export interface Embedder {
  /** Name of the model. Vectors of two models cannot be compared. */
  readonly model: string;
  /** Numbers in a vector; undefined for the model's own size. */
  readonly dimensions: number | undefined;
  /** Limits of one call, and of parallel calls. */
  limits(): Promise<{ texts: number; calls: number }>;
  /**
   * One unchecked embedding for each text, in the order of the texts.
   *
   * Errors: rejects with EmbeddingFailure, or with any error once `signal` has aborted.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly unknown[]>;
}

/** Text Embeddings Inference refuses more by default (`--max-client-batch-size`). */
export const TEXTS_PER_CALL = 32;
/** Few, so that queries of searches, which use the same server, do not wait behind actions. */
export const CALLS_AT_ONCE = 2;
