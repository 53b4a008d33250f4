/**
 * Bytes of request bodies that have begun and are not complete, over all connections.
 *
 * Above `maxBytes` the large body that began first is refused: an honest one is complete within moments, so it is rarely that one. Small bodies
 * count and are never refused, so calls still pass.
 * Errors: SERVICE_UNAVAILABLE with `retryAfterMs`.
 */
import { SvcError } from '../../protocol/errors';

const LARGE_BYTES = 16 * 1024;
const RETRY_AFTER_MS = 1_000;

export interface UnfinishedBody {
  add(bytes: number): void;
  /** Call this when the body is complete, refused or abandoned. */
  close(): void;
}

export class UnfinishedBodies {
  readonly #maxBytes: number;
  #bytes = 0;
  /** The body that became large first is the first. */
  readonly #large = new Set<Body>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param refuse is called at most once, and closes the body. It may be called within `add`. */
  open(refuse: (error: SvcError) => void): UnfinishedBody {
    return new Body(this, refuse);
  }

  add(body: Body, bytes: number): void {
    this.#bytes += bytes;
    if (body.bytes > LARGE_BYTES) this.#large.add(body);
    while (this.#bytes > this.#maxBytes) {
      const [oldest] = this.#large;
      if (!oldest) return;
      oldest.close();
      const message = 'Too many request bodies are unfinished at this moment: send the request again';
      oldest.refuse(new SvcError('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS }));
    }
  }

  remove(body: Body): void {
    this.#bytes -= body.bytes;
    this.#large.delete(body);
  }
}

class Body implements UnfinishedBody {
  readonly refuse: (error: SvcError) => void;
  readonly #all: UnfinishedBodies;
  #bytes = 0;
  #isOpen = true;

  constructor(all: UnfinishedBodies, refuse: (error: SvcError) => void) {
    this.#all = all;
    this.refuse = refuse;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(bytes: number): void {
    if (!this.#isOpen) return;
    this.#bytes += bytes;
    this.#all.add(this, bytes);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#all.remove(this);
  }
}
