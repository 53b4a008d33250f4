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

/** More are refused by Text Embeddings Inference unless it is told otherwise (`--max-client-batch-size`). */
export const TEXTS_PER_CALL = 32;
/** Few, so that the queries of searches, which ask the same server, need not wait behind them. */
export const CALLS_AT_ONCE = 2;
