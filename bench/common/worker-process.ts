/** A child process that runs jobs one after the other, received over the channel that `fork` opens. It ends with its channel. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export class WorkerProcess<Job, Result> {
  readonly #process: ChildProcess;
  readonly #ended = new AbortController();

  constructor(file: string) {
    this.#process = fork(file);
    this.#process.once('exit', (code) => this.#ended.abort(new Error(`${file} ended with ${code}`)));
  }

  /** One job at a time. */
  async run(job: Job): Promise<Result> {
    this.#process.send(job as object);
    const [result] = await once(this.#process, 'message', { signal: this.#ended.signal });
    return result;
  }

  stop(): void {
    this.#process.disconnect();
  }
}

/** The child's side. An error of `work` ends the child, and the bench with it. */
export function serveJobs<Job, Result>(work: (job: Job) => Promise<Result> | Result): void {
  process.on('message', async (job: Job) => process.send?.(await work(job)));
  process.once('disconnect', () => process.exit());
}
