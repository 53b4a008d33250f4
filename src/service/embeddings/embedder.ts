/** Texts to vectors, wherever the model runs. */
export interface Embedder {
  /** Names the model: vectors of two models cannot be compared. */
  readonly model: string;
  /** Numbers in a vector; undefined when that is the model's choice. */
  readonly dimensions: number | undefined;
  /** Limits of one call, and of parallel calls. */
  limits(): Promise<{ texts: number; calls: number }>;
  /**
   * One embedding for each text, in their order, as the model gave them: not checked yet.
   *
   * Errors: rejects with EmbeddingFailure, or anything once `signal` has aborted.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly unknown[]>;
}

/** Text Embeddings Inference refuses more by default (`--max-client-batch-size`). */
export const TEXTS_PER_CALL = 32;
/** Few, so that the queries of searches, which ask the same server, need not wait behind them. */
export const CALLS_AT_ONCE = 2;
