/**
 * A formula or a query comes from outside and may be hostile: it runs in a process of its own that can be killed in the middle of native code,
 * has a memory limit, no secrets in its environment, and may write no file and start no process.
 *
 * Shape:  a task is `(input) => output`, both JSON; the worker module hands its table of tasks to `answerTasks`.
 * Units:  `timeoutMs` in milliseconds of one task, counted from when the process is ready.
 * Errors: the task's own Refusal, or TOO_MUCH_WORK when the process was killed or ran out of memory.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Refusal, reason } from './refusal.ts';

export type Tasks = Record<string, (input: never) => unknown>;

type Input<Task> = Task extends (input: infer Value) => unknown ? Value : never;
type Output<Task> = Task extends (input: never) => infer Value ? Value : never;
type Answer = { output: unknown } | { refusal: { code: string; message: string } } | { crash: string };

interface TimeBoxOptions {
  timeoutMs: number;
  memoryMegabytes: number;
}

export class TimeBox<Table extends Tasks> {
  readonly #module: URL;
  readonly #options: TimeBoxOptions;
  /** Processes that have loaded their module and wait for a task. */
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();

  constructor(module: URL, options: TimeBoxOptions) {
    this.#module = module;
    this.#options = options;
  }

  /** Starts one process ahead, so that the first task need not wait for it. */
  async warmUp(): Promise<void> {
    this.#idle.push(await this.#start());
  }

  async run<Name extends keyof Table & string>(name: Name, input: Input<Table[Name]>): Promise<Output<Table[Name]>> {
    const worker = this.#idle.pop() ?? (await this.#start());
    const answer = await this.#ask(worker, { name, input });
    if ('refusal' in answer) throw new Refusal(answer.refusal.code, answer.refusal.message);
    if ('crash' in answer) throw new Error(answer.crash);
    return answer.output as Output<Table[Name]>;
  }

  close(): void {
    for (const worker of this.#all) worker.kill('SIGKILL');
  }

  async #start(): Promise<ChildProcess> {
    const worker = fork(this.#module, {
      execArgv: ['--permission', '--allow-fs-read=*', `--max-old-space-size=${this.#options.memoryMegabytes}`],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#all.add(worker);
    worker.once('exit', () => {
      this.#all.delete(worker);
      const index = this.#idle.indexOf(worker);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    await this.#answerOf(worker, () => new Error(`${this.#module.pathname} did not start; run it by itself to see why`));
    return worker;
  }

  async #ask(worker: ChildProcess, task: { name: string; input: unknown }): Promise<Answer> {
    const { timeoutMs } = this.#options;
    const timer = setTimeout(() => worker.kill('SIGKILL'), timeoutMs);
    worker.send(task);
    try {
      const answer = await this.#answerOf(worker, () => tooMuchWork(timeoutMs));
      this.#idle.push(worker);
      return answer as Answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The next message, or the given error when the process ends before it. */
  async #answerOf(worker: ChildProcess, errorAtExit: () => Error): Promise<unknown> {
    const settled = new AbortController();
    const exit = once(worker, 'exit', { signal: settled.signal }).then(() => Promise.reject(errorAtExit()));
    try {
      const [message] = await Promise.race([once(worker, 'message', { signal: settled.signal }), exit]);
      return message;
    } finally {
      settled.abort();
    }
  }
}

function tooMuchWork(timeoutMs: number): Refusal {
  return new Refusal('TOO_MUCH_WORK', `Stopped: it took more than ${timeoutMs} ms or too much memory. Ask for less at a time`);
}

/** The other end: what a worker module calls with its tasks. */
export function answerTasks(tasks: Tasks): void {
  process.on('message', ({ name, input }: { name: string; input: unknown }) => process.send?.(perform(tasks, name, input)));
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

function perform(tasks: Tasks, name: string, input: unknown): Answer {
  try {
    // The input's type was checked where the task was asked for, by `TimeBox.run`.
    return { output: tasks[name]?.(input as never) };
  } catch (error) {
    return error instanceof Refusal ? { refusal: { code: error.code, message: error.message } } : { crash: reason(error) };
  }
}
