/** A child process that answers each line of JSON on its stdin with a line of JSON on its stdout, one after the other. It ends with its stdin. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export class LineProcess<Job, Result> {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string, args: string[], env: Record<string, string>) {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    this.#process = child;
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  /** One job at a time. */
  async run(job: Job): Promise<Result> {
    this.#process.stdin?.write(`${JSON.stringify(job)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`${this.#process.spawnargs.join(' ')} ended without an answer`);
    return JSON.parse(value);
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'close');
    this.#process.stdin?.end();
    await ended;
  }
}
