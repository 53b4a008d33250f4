/**
 * Runs a toolkit's program, in any language, as a process that registers with a temporary service.
 *
 * Errors: INVALID_REQUEST if it cannot be started, ends before it registers (with its output), or does not register in time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { SvcError } from 'svc-sdk';
import { UsageError } from '#sdk/cli/usage-error';

const MOST_PRINTED_CHARS = 4_000;
/** Time for a program to stop after the signal; then it is killed. */
const STOP_MS = 2_000;
const IS_WINDOWS = process.platform === 'win32';

/** A script is run by this Node; anything else is a command. */
export function commandOf(words: readonly string[]): string[] {
  const [first = '', ...others] = words;
  if (!/\.[cm]?[jt]s$/.test(first)) return [...words];
  if (!existsSync(first)) throw new UsageError(`The file ${first} does not exist: name the program that serves the toolkit`);
  return [process.execPath, first, ...others];
}

export class ToolkitProgram {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  #printed = '';
  #notStarted: Error | undefined;

  constructor([file = '', ...args]: readonly string[], env: Record<string, string>) {
    // A separate process group: its child processes are stopped with it.
    this.#child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: !IS_WINDOWS });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#printed = (this.#printed + text).slice(-MOST_PRINTED_CHARS);
      });
    }
    this.#closed = new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      this.#child.once('error', (error) => {
        this.#notStarted = error;
        resolve();
      });
    });
  }

  /** Resolves with the value of `registered`. */
  async until<T>(registered: Promise<T>, timeoutMs: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#problem(`has not registered within ${timeoutMs / 1_000} s`)), timeoutMs);
    });
    const ended = this.#closed.then(() => {
      throw this.#notStarted ? notStarted(this.#notStarted) : this.#problem('ended before it registered');
    });
    try {
      return await Promise.race([registered, ended, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(): Promise<void> {
    this.#kill('SIGTERM');
    const timer = setTimeout(() => this.#kill('SIGKILL'), STOP_MS);
    await this.#closed;
    clearTimeout(timer);
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    if (IS_WINDOWS) this.#child.kill(signal);
    else process.kill(-pid, signal);
  }

  #problem(what: string): SvcError {
    const advice = 'it must take address and key from the environment, as Toolkit does: SVC_BASE_URL, SVC_TOOLKIT_API_KEY';
    const printed = this.#printed.trim();
    return new SvcError('INVALID_REQUEST', `The program ${what}; ${advice}${printed === '' ? '' : `. It printed:\n${printed}`}`);
  }
}

function notStarted(error: Error): SvcError {
  const message = `The program cannot be started (${error.message}); name a script of JavaScript or TypeScript, or a command behind --, such as -- python weather.py`;
  return new SvcError('INVALID_REQUEST', message, {}, { cause: error });
}
