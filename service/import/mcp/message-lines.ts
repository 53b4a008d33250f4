/**
 * Splits a stream of bytes into lines, one for each call of `next`.
 *
 * Units:  bytes of one line, without its line feed.
 * Errors: `next` throws RangeError for a longer line.
 */
const LINE_FEED = 0x0a;

export class MessageLines {
  readonly #maxBytes: number;
  /** Chunks that `next` has not read yet. */
  #unread: Buffer[] = [];
  /** Pieces of an unfinished line: joined once, because a line of 12 MB arrives in 200 pieces. */
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#unread.push(chunk);
  }

  get hasUnread(): boolean {
    return this.#unread.length > 0;
  }

  /** Undefined until more bytes arrive. */
  next(): string | undefined {
    for (let chunk = this.#unread.shift(); chunk; chunk = this.#unread.shift()) {
      const end = chunk.indexOf(LINE_FEED);
      this.#add(end === -1 ? chunk : chunk.subarray(0, end));
      if (end === -1) continue;
      if (end + 1 < chunk.length) this.#unread.unshift(chunk.subarray(end + 1));
      const line = Buffer.concat(this.#pieces).toString('utf8');
      this.#pieces = [];
      this.#bytes = 0;
      return line;
    }
    return undefined;
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) throw new RangeError(`A line has more than ${this.#maxBytes} bytes`);
    if (piece.length > 0) this.#pieces.push(piece);
  }
}
