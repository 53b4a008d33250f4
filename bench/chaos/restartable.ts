/**
 * A part that is killed and restarted under the same name: a node, a replica, NATS, PostgreSQL.
 *
 * Errors: an end that was not requested is kept in `faults`, and so is one that took too long or ended badly.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProcess } from '../common/processes.ts';

const START_PATIENCE_MS = 30_000;
const START_PAUSE_MS = 300;
const STOP_PATIENCE_MS = 60_000;

export class Restartable {
  readonly name: string;
  /** Unexpected faults of the process itself, as messages. */
  readonly faults: string[] = [];
  /** 1 from its first start on. */
  life = 0;
  /** Killed lives -> time of the kill (milliseconds since the epoch). */
  readonly kills = new Map<number, number>();
  /** A fault is under way. */
  busy = false;
  readonly #start: (life: number) => RunningProcess;
  #process: RunningProcess | undefined;
  #endExpected = false;

  constructor(name: string, start: (life: number) => RunningProcess) {
    this.name = name;
    this.#start = start;
  }

  /** Resolves when it is ready. A part that exits before that is started again, as by a process supervisor. */
  async start(): Promise<void> {
    const patience = AbortSignal.timeout(START_PATIENCE_MS);
    for (;;) {
      const problem = await this.#startOnce(patience);
      if (problem === undefined) return;
      if (patience.aborted) throw new Error(`${this.name} was not ready in ${START_PATIENCE_MS} ms: ${problem}`);
      await sleep(START_PAUSE_MS);
    }
  }

  /** Returns why the process did not become ready; undefined when it is ready. */
  async #startOnce(patience: AbortSignal): Promise<string | undefined> {
    const process = this.#start(++this.life);
    this.#process = process;
    this.#endExpected = true;
    const ready = process.ready.then(
      () => undefined,
      (error: Error) => error.message,
    );
    const late = sleep(START_PATIENCE_MS, undefined, { signal: patience, ref: false }).catch(() => 'it printed no line that says so');
    const problem = await Promise.race([ready, late]);
    if (problem !== undefined) return problem;
    this.#endExpected = false;
    void process.ended.then((how) => {
      if (!this.#endExpected) this.faults.push(`${this.name} ended by itself (${how})`);
    });
    return undefined;
  }

  signal(name: NodeJS.Signals): void {
    this.#process?.signal(name);
  }

  async kill(): Promise<void> {
    this.#endExpected = true;
    this.kills.set(this.life, Date.now());
    await this.#process?.kill();
  }

  /** Sends SIGTERM; the process must exit with code 0. */
  async stop(): Promise<void> {
    this.#endExpected = true;
    if (!this.#process?.isAlive()) return;
    await this.#process.stop(STOP_PATIENCE_MS);
    const how = await this.#process.ended;
    if (how !== 0) this.faults.push(`${this.name} ended with ${how} after SIGTERM`);
  }
}
