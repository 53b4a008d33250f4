/** Finds the fenced code block around a position in a text. Positions must ascend. */

export class CodeFence {
  readonly #text: string;
  #marker = '';
  #firstLine = '';
  #fenceStart = 0;
  #codeStart = 0;
  /** The end of the closing line, once the scan has reached it. */
  #end: number | undefined;
  #index = 0;

  constructor(text: string) {
    this.#text = text;
  }

  moveTo(index: number): void {
    this.#index = index;
    if (this.#end !== undefined && index >= this.#end) {
      this.#marker = '';
      this.#end = undefined;
    }
    if (index > 0 && this.#text[index - 1] !== '\n') return;
    const line = this.#lineAt(index);
    if (this.#marker === '') this.#open(line);
    else if (this.#isClosing(line)) this.#end = index + line.length;
  }

  /** False within the lines of a fence and at the edges of its code, where a cut would leave an empty block. */
  get mayCut(): boolean {
    if (this.#marker === '' || this.#isBefore) return true;
    if (this.#index <= this.#codeStart || this.#end !== undefined) return false;
    return this.#text[this.#index] !== '\n' || !this.#isClosing(this.#lineAt(this.#index + 1));
  }

  /** The text that ends a piece at this cut. */
  get closing(): string {
    return this.opening === '' ? '' : `\n${this.#marker}`;
  }

  /** The first line of the block, with its language; `''` outside code. */
  get opening(): string {
    return this.#marker === '' || this.#isBefore ? '' : this.#firstLine;
  }

  get #isBefore(): boolean {
    return this.#index <= this.#fenceStart;
  }

  #open(line: string): void {
    const [, marker, language = ''] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*(\S*)/.exec(line) ?? [];
    if (!marker) return;
    this.#marker = marker;
    this.#firstLine = `${marker}${language}`;
    this.#fenceStart = this.#index;
    this.#codeStart = this.#index + line.length + 1;
  }

  #isClosing(line: string): boolean {
    const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1] ?? '';
    return found.startsWith(this.#marker);
  }

  #lineAt(index: number): string {
    const end = this.#text.indexOf('\n', index);
    return this.#text.slice(index, end < 0 ? this.#text.length : end);
  }
}
