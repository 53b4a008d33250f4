/**
 * The process that runs programs: without an environment, with the right to read its own files and the engine, and with no right to write, to
 * start processes or to load native code. The service ends it at the first line that is not a message.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { LineReader } from './child/line-reader';
import type { EngineFiles } from './engine';
import { readProgramMessage } from './message-schema';
import type { FromPrograms, ToPrograms } from './messages';
import { filesOfPrograms, type ProgramPlace, poolOptions } from './program-place';

/** Above a message with the longest texts, each of its characters escaped. */
const MAX_LINE_CHARS = 32_000_000;

export class ProgramProcess implements ProgramPlace {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;

  /** `onLost` is called once, when the process ends without `close`. */
  constructor(engine: EngineFiles, onMessage: (message: FromPrograms) => void, onLost: (reason: string) => void) {
    this.#child = startChild(engine);
    this.#closed = new Promise((resolve) => {
      const end = (reason: string) => {
        resolve();
        onLost(reason);
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    });
    const lines = new LineReader(MAX_LINE_CHARS, (line) => {
      const message = readProgramMessage(line);
      if (message) onMessage(message);
      else this.#child.kill('SIGKILL');
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => lines.push(chunk) || this.#child.kill('SIGKILL'));
    // Its end is seen above.
    this.#child.stdin?.on('error', () => undefined);
  }

  post(message: ToPrograms): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

function startChild(engine: EngineFiles): ChildProcess {
  const { main, folder, reads } = filesOfPrograms(engine);
  const permissions = ['--permission', ...reads.map((path) => `--allow-fs-read=${path}`), '--disable-warning=SecurityWarning'];
  // A thread starts no threads.
  const args = [...permissions, '--allow-worker', main, JSON.stringify(poolOptions(engine, permissions))];
  const child = spawn(process.execPath, args, { env: {}, cwd: folder, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
  yieldToService(child.pid);
  return child;
}

/** Calls of the service go before programs. */
function yieldToService(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process keeps its priority if it has ended, or if the service may not change it.
  }
}
