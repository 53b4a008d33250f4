/**
 * Splits a stream of bytes into lines.
 *
 * Units:  bytes of one line, without its line feed.
 * Errors: `push` throws RangeError for a longer line.
 */
const LINE_FEED = 0x0a;

export class MessageLines {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  /** Pieces of a line without its end: joined once, because a line of 12 MB comes in 200 pieces. */
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      this.#add(chunk.subarray(from, end));
      const line = Buffer.concat(this.#pieces).toString('utf8');
      this.#pieces = [];
      this.#bytes = 0;
      from = end + 1;
      this.#onLine(line);
    }
    this.#add(chunk.subarray(from));
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) throw new RangeError(`A line has more than ${this.#maxBytes} bytes`);
    if (piece.length > 0) this.#pieces.push(piece);
  }
}
