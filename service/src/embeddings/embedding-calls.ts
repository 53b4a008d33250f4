/** Calls the embedder with a timeout, checks the vectors, and aborts running calls at `close`. */
import { type Direction, toDirections } from './directions';
import type { Embedder } from './embedder';
import { EmbeddingFailure } from './embedding-failure';

export interface CallOptions {
  timeoutMs: number;
  /** The size of the vectors, if known. */
  dimensions: number | undefined;
}

export class EmbeddingCalls {
  readonly #embedder: Embedder;
  readonly #running = new Set<AbortController>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** One direction for each text, in their order. Rejects with EmbeddingFailure. */
  async embed(texts: readonly string[], { timeoutMs, dimensions = this.#embedder.dimensions }: CallOptions): Promise<Direction[]> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    this.#running.add(controller);
    try {
      const embeddings = await Promise.race([this.#embedder.embed(texts, controller.signal), aborted(controller.signal)]);
      return toDirections(embeddings, { count: texts.length, dimensions });
    } catch (error) {
      if (controller.signal.aborted) throw new EmbeddingFailure('TIMEOUT', { said: `${timeoutMs} ms` });
      throw error;
    } finally {
      clearTimeout(timer);
      this.#running.delete(controller);
    }
  }

  close(): void {
    for (const controller of this.#running) controller.abort();
  }
}

/** An AI SDK model may ignore the signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
