/**
 * Threads for programs: fast ones, which start when they are needed, and one for programs that compute for long. A thread that a program blocks
 * in a native loop is terminated; the other programs on it begin again.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AttemptEnd, FromPrograms, StartMessage, ToPrograms } from '../messages';
import { ProgramThread } from './program-thread.ts';

const PROGRAMS_PER_THREAD = 64;
/** Memory of all programs above which no new one begins. */
const MAX_MEMORY_MB = 1_024;
const WATCH_MS = 50;
/** A native loop may block its neighbours on a fast thread for this long. */
const STUCK_MS = 400;

export interface PoolOptions {
  /** Fast threads at most. */
  threads: number;
  /** URL of the program of each thread. */
  thread: string;
  /** URLs of the engine's module and of its WebAssembly. */
  engine: string;
  wasm: string;
  /** Flags of Node for each thread. */
  execArgv: string[];
}

export class ThreadPool {
  readonly #options: PoolOptions;
  readonly #send: (message: FromPrograms) => void;
  readonly #module: WebAssembly.Module;
  readonly #threads = new Set<ProgramThread>();
  readonly #places = new Map<number, ProgramThread>();
  #watchdog: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions, send: (message: FromPrograms) => void) {
    this.#options = options;
    this.#send = send;
    this.#module = new WebAssembly.Module(readFileSync(fileURLToPath(options.wasm)));
  }

  receive(message: ToPrograms): void {
    if (message.type === 'start') return this.#start(message);
    this.#places.get(message.attempt)?.post(message);
    if (message.type === 'stop') this.#forget(message.attempt);
  }

  async close(): Promise<void> {
    clearInterval(this.#watchdog);
    const threads = [...this.#threads];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  #start(message: StartMessage): void {
    const thread = this.#threadFor(message.slow);
    const isFull = thread.attempts.size >= PROGRAMS_PER_THREAD || this.#memoryMb >= MAX_MEMORY_MB;
    // A program that was moved to the slow thread has made calls, so it is not refused any more.
    if (isFull && !message.slow) {
      const end: AttemptEnd = { status: 'failed', code: 'BUSY', message: 'Too many programs run now. Try again in some seconds.' };
      return this.#send({ type: 'end', attempt: message.attempt, end });
    }
    thread.attempts.set(message.attempt, message.slow ? Math.max(STUCK_MS, message.limits.cpuMs) : STUCK_MS);
    this.#places.set(message.attempt, thread);
    thread.post(message);
    this.#watchdog ??= setInterval(() => this.#watch(), WATCH_MS);
  }

  get #memoryMb(): number {
    return [...this.#threads].reduce((sum, { memoryMb }) => sum + memoryMb, 0);
  }

  #threadFor(slow: boolean): ProgramThread {
    const threads = [...this.#threads]
      .filter(({ isSlow }) => isSlow === slow)
      .sort((one, other) => one.attempts.size - other.attempts.size);
    const [first] = threads;
    const isEnough = threads.length >= (slow ? 1 : this.#options.threads);
    return first && (isEnough || first.attempts.size === 0) ? first : this.#open(slow);
  }

  #open(slow: boolean): ProgramThread {
    const { engine, execArgv } = this.#options;
    const file = new URL(this.#options.thread);
    const thread: ProgramThread = new ProgramThread(
      slow,
      { file, execArgv, module: this.#module, engine },
      (message) => this.#receiveFromThread(message),
      (guilty) => this.#lose(thread, guilty),
    );
    this.#threads.add(thread);
    return thread;
  }

  #receiveFromThread(message: FromPrograms): void {
    if (message.type === 'end') this.#forget(message.attempt);
    this.#send(message);
  }

  #forget(attempt: number): void {
    this.#places.get(attempt)?.attempts.delete(attempt);
    this.#places.delete(attempt);
    if (this.#places.size > 0) return;
    clearInterval(this.#watchdog);
    this.#watchdog = undefined;
  }

  #watch(): void {
    const { user, system } = process.cpuUsage();
    for (const thread of [...this.#threads]) {
      const stuck = thread.stuckAttempt(performance.now(), (user + system) / 1_000);
      if (stuck !== undefined) this.#lose(thread, stuck);
    }
  }

  #lose(thread: ProgramThread, guilty: number): void {
    if (!this.#threads.delete(thread)) return;
    void thread.terminate();
    for (const attempt of [...thread.attempts.keys()]) {
      this.#forget(attempt);
      this.#send({ type: 'end', attempt, end: attempt === guilty ? guiltyEnd(thread) : { status: 'again', slow: thread.isSlow } });
    }
  }
}

/** The program has blocked its thread, or its thread ended under it. */
function guiltyEnd({ isSlow }: ProgramThread): AttemptEnd {
  if (!isSlow) return { status: 'again', slow: true };
  const message =
    'One step of the program took so long, or so much memory, that its thread was ended. Do less at once: smaller arrays, texts and numbers.';
  return { status: 'failed', code: 'CPU_LIMIT', message };
}
