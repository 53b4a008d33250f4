/**
 * The streams and the exit code of one run of the command: those of the process, or those of a test.
 *
 * Shape: results go to stdout; notes for people, progress and errors go to stderr. With `--json` results are JSON and notes are left out.
 */
import type { Readable, Writable } from 'node:stream';
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
  readonly #signal: AbortSignal | undefined;

  constructor({ stdin, stdout, stderr, signal }: Streams, json: boolean) {
    this.stdin = stdin;
    this.stdout = stdout;
    this.stderr = stderr;
    this.#signal = signal;
    this.json = json;
  }

  /** A result: `value` with `--json`, else `text`. */
  show(value: unknown, text: string): void {
    if (this.json) this.printJson(value);
    else this.print(text);
  }

  /** A result of many: `values` with `--json`, else `rows`, whose first one is the head. */
  showList(values: unknown, rows: readonly (readonly string[])[], whenEmpty: string): void {
    if (this.json) this.printJson(values);
    else if (rows.length > 1) this.print(columns(rows));
    else this.note(whenEmpty);
  }

  printJson(value: unknown): void {
    this.print(JSON.stringify(value, null, 2));
  }

  print(text: string): void {
    this.stdout.write(`${text}\n`);
  }

  /** For people: left out with `--json`. */
  note(text: string): void {
    if (!this.json) this.stderr.write(`${text}\n`);
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
}
