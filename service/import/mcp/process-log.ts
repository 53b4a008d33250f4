/** The log of an MCP server: its lines on stderr, and its text on stdout, which is only for messages. */
import type { Readable } from 'node:stream';
import { TokenBucket } from '../../src/lib/token-bucket';
import type { ServerLogListener } from './config';

const MAX_LOGGED_CHARS = 2_000;
/** More than a server needs, and cheap to read: the log's limit is lower. */
const STDERR_BYTES = { burst: 256 * 1024, perSecond: 256 * 1024 };
/** Lines of stderr that an error quotes. */
const QUOTED_LINES = 5;

export class ProcessLog {
  readonly #log: ServerLogListener;
  readonly #lastLines: string[] = [];
  #skippedLines = 0;

  constructor(log: ServerLogListener) {
    this.#log = log;
  }

  /** The last lines of stderr, or ''. */
  get lastWords(): string {
    return this.#lastLines.join('\n');
  }

  readStderr(stderr: Readable): void {
    const rate = new TokenBucket(STDERR_BYTES);
    let unfinished = '';
    stderr.setEncoding('utf8').on('data', (text: string) => {
      rate.take(text.length);
      // Backpressure: a server that floods waits for its pipe.
      if (rate.isEmpty) {
        stderr.pause();
        setTimeout(() => stderr.resume(), rate.waitMs).unref();
      }
      // A progress bar returns to the start of its line.
      const lines = (unfinished + text).split(/[\r\n]+/);
      unfinished = (lines.pop() ?? '').slice(0, MAX_LOGGED_CHARS);
      for (const line of lines) this.#addLine(line);
    });
  }

  skip(line: string): void {
    this.#skippedLines++;
    // Reports the first line, and then each tenfold count.
    if (!Number.isInteger(Math.log10(this.#skippedLines))) return;
    this.warn(`${this.#skippedLines} line(s) of text on stdout, which is for messages; skipped: ${line.slice(0, MAX_LOGGED_CHARS)}`);
  }

  warn(message: string): void {
    this.#log({ level: 'warn', message });
  }

  #addLine(line: string): void {
    const message = line.slice(0, MAX_LOGGED_CHARS).trimEnd();
    if (message === '') return;
    this.#lastLines.push(message);
    if (this.#lastLines.length > QUOTED_LINES) this.#lastLines.shift();
    this.#log({ level: 'info', message });
  }
}
