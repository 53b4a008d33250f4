/** One line on a terminal that each report overwrites; the next text takes its place. */
import type { Writable } from 'node:stream';
import { printable } from '../protocol/invisible-text';
import { oneLine } from './line';
import { cutToWidth } from './text-width';

const CLEAR = '\r\u001b[K';
/** A line as wide as the window would wrap in some terminals. */
const MARGIN = 1;

export class ProgressLine {
  readonly #stream: Writable;
  #isShown = false;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** True on a terminal: a file or a pipe would keep every state. */
  get isVisible(): boolean {
    return columnsOf(this.#stream) !== undefined;
  }

  show(text: string): void {
    const width = columnsOf(this.#stream);
    if (width === undefined) return;
    this.#isShown = true;
    this.#stream.write(`${CLEAR}${cutToWidth(printable(oneLine(text)), width - MARGIN)}`);
  }

  clear(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#stream.write(CLEAR);
  }
}

/** Undefined for a file or a pipe. */
export function columnsOf(stream: Writable): number | undefined {
  const { columns } = stream as { columns?: number };
  // A terminal without a size says 0.
  return columns === undefined ? undefined : columns || 80;
}
