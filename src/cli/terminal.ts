/**
 * The streams and the exit code of one run of the command: those of the process, or those of a test.
 *
 * Shape: results go to stdout; notes for people, progress and errors go to stderr. With `--json` results are JSON, and notes and progress are left out.
 */
import type { Readable, Writable } from 'node:stream';
import { SvcError } from 'svc-sdk';
import { printableJson } from '../protocol/invisible-text';
import { table } from './columns';
import { type Line, lineText } from './line';
import { columnsOf, ProgressLine } from './progress-line';
import { stopSignal } from './stop-signal';

export interface Streams {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  /** Ends what runs until it is stopped. Default: SIGINT and SIGTERM. */
  signal?: AbortSignal;
}

export interface ListOptions {
  whenEmpty: string;
  /** Places of the columns that may lose their end in a narrow window. Default: none. */
  cut?: readonly number[];
}

export class Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** `--json` was given. */
  readonly json: boolean;
  exitCode = 0;
  readonly #outputClosed = new AbortController();
  #writeError: Error | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #progress: ProgressLine;

  constructor({ stdin, stdout, stderr, signal }: Streams, json: boolean) {
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    this.#signal = signal;
    this.json = json;
    this.#progress = new ProgressLine(stderr);
    for (const stream of [stdout, stderr]) stream.on('error', (error: NodeJS.ErrnoException) => this.#onStreamError(error));
  }

  /** A result: `value` with `--json`, else `text`. */
  show(value: unknown, line: Line): void {
    if (this.json) this.printJson(value);
    else this.print(line);
  }

  /** A result of many: `values` with `--json`, else `rows`, whose first one is the head. */
  showList(values: unknown, rows: readonly (readonly string[])[], { whenEmpty, cut }: ListOptions): void {
    if (this.json) this.printJson(values);
    else if (rows.length > 1) this.print(table(rows, { cut, width: this.columns }));
    else this.note(whenEmpty);
  }

  /** One of many results, as it comes: a line of JSON with `--json`, else `line`. */
  showEvent(value: unknown, line: Line): void {
    if (this.json) this.printJsonLine(value);
    else this.print(line);
  }

  printJson(value: unknown): void {
    this.#write(printableJson(JSON.stringify(value, null, 2)));
  }

  printJsonLine(value: unknown): void {
    this.#write(printableJson(JSON.stringify(value)));
  }

  print(line: Line): void {
    this.#write(lineText(line, this.stdout));
  }

  /** Text for people: left out with `--json`. */
  note(line: Line): void {
    if (!this.json) this.prompt(line);
  }

  /** A step that a person has to take before the command goes on: on stderr, with `--json` too. */
  prompt(line: Line): void {
    this.#progress.clear();
    this.stderr.write(`${lineText(line, this.stderr)}\n`);
  }

  /** The state of what goes on, on one line of a terminal: left out with `--json`. */
  progress(text: string): void {
    if (!this.json) this.#progress.show(text);
  }

  /** Whether `progress` shows anything. */
  get showsProgress(): boolean {
    return !this.json && this.#progress.isVisible;
  }

  /** JSON beside the result, on stderr. */
  noteJson(json: string): void {
    this.stderr.write(`${printableJson(json)}\n`);
  }

  /** Undefined for a file or a pipe. */
  get columns(): number | undefined {
    return columnsOf(this.stdout);
  }

  /** Stdout is a terminal. */
  get isRead(): boolean {
    return !this.json && this.columns !== undefined;
  }

  /** The reader of stdout is gone, as in `svc-sdk … | head -1`. */
  get outputClosed(): boolean {
    return this.#outputClosed.signal.aborted;
  }

  /** As `stopped`, and when the reader of stdout has closed it: for commands that only print. */
  unread(): Promise<void> {
    const { signal } = this.#outputClosed;
    return Promise.race([
      this.stopped(),
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    ]);
  }

  /** Resolves at Ctrl-C or a stop from outside. */
  stopped(): Promise<void> {
    const signal = this.#signal;
    if (!signal) return stopSignal();
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /**
   * Waits until stdout has written everything.
   *
   * @throws SvcError INVALID_REQUEST when it could not, as on a full disk; a reader that closed the pipe is not an error
   */
  async flush(): Promise<void> {
    this.#progress.clear();
    await new Promise<void>((resolve) => void this.stdout.write('', () => resolve()));
    const error = this.#writeError;
    if (error) throw new SvcError('INVALID_REQUEST', `Cannot write the output: ${error.message}`, {}, { cause: error });
  }

  #write(text: string): void {
    this.#progress.clear();
    if (!this.outputClosed) this.stdout.write(`${text}\n`);
  }

  #onStreamError(error: NodeJS.ErrnoException): void {
    if (error.code !== 'EPIPE') this.#writeError ??= error;
    this.#outputClosed.abort();
  }
}
