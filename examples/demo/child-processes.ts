/**
 * The demo's other processes: started, watched, and gone when the demo is gone.
 *
 * Errors: a process that ends early is an error that carries the end of its stderr.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const MAX_STDERR_CHARS = 4_000;
/** How long a process may take to stop by itself, in milliseconds. */
const STOP_MS = 3_000;

interface Program {
  name: string;
  /** Default: this Node. */
  program?: string | undefined;
  args: string[];
  env?: Record<string, string>;
  /** The line that says that it is ready. */
  ready: RegExp;
}

export class ChildProcesses {
  readonly #running = new Set<ChildProcess>();
  #stopping = false;
  #onDeath: (error: Error) => void = () => {};
  /** Rejects when a process ends before `stop`. */
  readonly death = new Promise<never>((_, reject) => {
    this.#onDeath = reject;
  });

  constructor() {
    // Awaiting it reports an early end; without an awaiting caller it does not crash the demo.
    this.death.catch(() => {});
  }

  /** Resolves with what `ready` matched, once the process has printed it. */
  async start({ name, program = process.execPath, args, env = {}, ready }: Program): Promise<RegExpExecArray> {
    if (this.#stopping) throw new Error(`${name} is not started any more`);
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl-C is for the demo alone, which stops the others in their order.
      detached: process.platform !== 'win32',
    });
    this.#running.add(child);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
    });
    child.once('error', this.#onDeath);
    child.once('close', (code, signal) => {
      this.#running.delete(child);
      if (!this.#stopping) this.#onDeath(new Error(`${name} ended by itself (${signal ?? `exit code ${code}`})\n${stderr}`.trim()));
    });
    return Promise.race([firstMatch(child, ready), this.death]);
  }

  /** The first one stops last: the others take leave of it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const [first, ...others] = this.#running;
    await Promise.all(others.map(stopOne));
    if (first) await stopOne(first);
  }
}

function firstMatch(child: ChildProcess & { stdout: NodeJS.ReadableStream }, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const match = pattern.exec(line);
      if (match) resolve(match);
    });
  });
}

async function stopOne(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
