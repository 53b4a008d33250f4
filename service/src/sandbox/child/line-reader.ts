/**
 * Splits a stream into lines. `node:readline` also splits at U+2028 and U+2029, which JSON has inside texts, and has no limit.
 */
import { StringDecoder } from 'node:string_decoder';

export class LineReader {
  readonly #decoder = new StringDecoder('utf8');
  readonly #maxChars: number;
  readonly #onLine: (line: string) => void;
  /** The beginning of a line, in parts: joining it at each chunk would take quadratic time. */
  #parts: string[] = [];
  #chars = 0;

  constructor(maxChars: number, onLine: (line: string) => void) {
    this.#maxChars = maxChars;
    this.#onLine = onLine;
  }

  /** Returns false once a line is too long: the stream cannot be read any further. */
  push(chunk: Buffer): boolean {
    const [first = '', ...rest] = this.#decoder.write(chunk).split('\n');
    this.#add(first);
    for (const next of rest) {
      if (this.#chars > this.#maxChars) return false;
      const line = this.#parts.join('');
      this.#parts = [];
      this.#chars = 0;
      this.#add(next);
      this.#onLine(line);
    }
    return this.#chars <= this.#maxChars;
  }

  #add(part: string): void {
    this.#parts.push(part);
    this.#chars += part.length;
  }
}
