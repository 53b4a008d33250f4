/** One thread from the pool's side: the attempts on it, and its watchdog. */
import { Worker } from 'node:worker_threads';
import type { FromPrograms, ToPrograms } from '../messages';
import { Pulse } from './pulse.ts';

const HEAP_MB = 256;

export interface ThreadData {
  module: WebAssembly.Module;
  /** URL of the engine's module. */
  engine: string;
  pulse: SharedArrayBuffer;
}

export class ProgramThread {
  readonly isSlow: boolean;
  /** Attempt -> milliseconds for which it may block its neighbours. */
  readonly attempts = new Map<number, number>();
  readonly #pulse = new Pulse();
  readonly #worker: Worker;
  #seen = { attempt: 0, beats: 0, sinceMs: 0, sinceCpuMs: 0 };

  /** `onLost` gets the attempt that was computing, or 0. */
  constructor(
    isSlow: boolean,
    place: { file: URL; execArgv: string[]; module: WebAssembly.Module; engine: string },
    onMessage: (message: FromPrograms) => void,
    onLost: (guilty: number) => void,
  ) {
    this.isSlow = isSlow;
    const workerData: ThreadData = { module: place.module, engine: place.engine, pulse: this.#pulse.buffer };
    this.#worker = new Worker(place.file, {
      workerData,
      env: {},
      // A thread has its own permissions, and all of them without these flags.
      execArgv: place.execArgv,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      name: isSlow ? 'svc-programs-slow' : 'svc-programs',
    });
    // An attempt speaks for itself alone.
    this.#worker.on('message', (message: FromPrograms) => this.attempts.has(message.attempt) && onMessage(message));
    this.#worker.on('error', () => onLost(this.#pulse.attempt));
    this.#worker.on('exit', () => onLost(this.#pulse.attempt));
  }

  post(message: ToPrograms): void {
    this.#worker.postMessage(message);
  }

  get memoryMb(): number {
    return this.#pulse.memoryMb;
  }

  /**
   * The attempt that has not let the engine ask for interrupts for too long, or undefined. On a machine that is too busy to run it, only the
   * processor time of the process counts.
   */
  stuckAttempt(nowMs: number, cpuMs: number): number | undefined {
    const { attempt, beats } = this.#pulse;
    const seen = this.#seen;
    if (attempt !== seen.attempt || beats !== seen.beats) this.#seen = { attempt, beats, sinceMs: nowMs, sinceCpuMs: cpuMs };
    const stuckMs = Math.min(nowMs - this.#seen.sinceMs, cpuMs - this.#seen.sinceCpuMs);
    return stuckMs > (this.attempts.get(attempt) ?? Number.POSITIVE_INFINITY) ? attempt : undefined;
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}
