/**
 * Closes the connections of callers that do not read their answers, which would stay in memory.
 *
 * Shape: responses in flight -> their unread bytes, and when these last became fewer.
 */
import type { ServerResponse } from 'node:http';

const SWEEP_MS = 1_000;

interface Unread {
  bytes: number;
  /** `performance.now()` */
  since: number;
}

export class SlowReaders {
  readonly #timeoutMs: number;
  readonly #responses = new Map<ServerResponse, Unread>();
  readonly #sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  watch(response: ServerResponse): void {
    this.#responses.set(response, { bytes: 0, since: 0 });
    response.once('close', () => this.#responses.delete(response));
  }

  stop(): void {
    clearInterval(this.#sweeper);
  }

  #sweep(): void {
    const now = performance.now();
    for (const [response, unread] of this.#responses) {
      const bytes = response.writableLength;
      if (bytes === 0 || bytes < unread.bytes || unread.bytes === 0) unread.since = now;
      else if (now - unread.since >= this.#timeoutMs) response.destroy();
      unread.bytes = bytes;
    }
  }
}
