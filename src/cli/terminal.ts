/**
 * The streams and the exit code of one run of the command: those of the process, or those of a test.
 *
 * Shape: results go to stdout; notes for people, progress and errors go to stderr. With `--json` results are JSON and notes are left out.
 */
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { SvcError } from 'svc-sdk';
import { columns } from './columns';
import { stopSignal } from './stop-signal';

export interface Streams {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  /** Ends what runs until it is stopped. Default: SIGINT and SIGTERM. */
  signal?: AbortSignal;
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

  constructor({ stdin, stdout, stderr, signal }: Streams, json: boolean) {
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    this.#signal = signal;
    this.json = json;
    for (const stream of [stdout, stderr]) stream.on('error', (error: NodeJS.ErrnoException) => this.#onStreamError(error));
  }

  /** A result: `value` with `--json`, else `text`. */
  show(value: unknown, text: string): void {
    if (this.json) this.printJson(value);
    else this.print(text);
  }

  /** A result of many: `values` with `--json`, else `rows`, whose first one is the head. */
  showList(values: unknown, rows: readonly (readonly string[])[], whenEmpty: string): void {
    if (this.json) this.printJson(values);
    else if (rows.length > 1) {
      const [head = '', ...lines] = columns(rows).split('\n');
      this.print([this.style('bold', head), ...lines].join('\n'));
    } else this.note(whenEmpty);
  }

  /** One of many results, as it comes: a line of JSON with `--json`, else `text`. */
  showEvent(value: unknown, text: string): void {
    this.print(this.json ? JSON.stringify(value) : text);
  }

  printJson(value: unknown): void {
    this.print(JSON.stringify(value, null, 2));
  }

  print(text: string): void {
    if (!this.outputClosed) this.stdout.write(`${text}\n`);
  }

  /** Text for people: left out with `--json`. */
  note(text: string): void {
    if (!this.json) this.stderr.write(`${text}\n`);
  }

  /** Undefined for a file or a pipe. */
  get columns(): number | undefined {
    return 'columns' in this.stdout ? (this.stdout.columns as number) : undefined;
  }

  /** Where the stream is a terminal, or FORCE_COLOR is set, and NO_COLOR is not. */
  style(format: Parameters<typeof styleText>[0], text: string, stream: Writable = this.stdout): string {
    return styleText(format, text, { stream });
  }

  /** The reader of stdout is gone, as in `svc-sdk … | head -1`. */
  get outputClosed(): boolean {
    return this.#outputClosed.signal.aborted;
  }

  /** As `stopped`, and when nobody reads stdout any more: for commands that do nothing but print. */
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
    await new Promise<void>((resolve) => void this.stdout.write('', () => resolve()));
    const error = this.#writeError;
    if (error) throw new SvcError('INVALID_REQUEST', `Cannot write the output: ${error.message}`, {}, { cause: error });
  }

  #onStreamError(error: NodeJS.ErrnoException): void {
    if (error.code !== 'EPIPE') this.#writeError ??= error;
    this.#outputClosed.abort();
  }
}
