/** All programs of a service: their beginnings, and a new process for them when one ends. */
import type { Logger } from '../lib/logger';
import { CodeRun } from './code-run';
import type { FromPrograms, ToPrograms } from './messages';
import type { Program, ProgramEnd, ProgramHost, ProgramLimits } from './program';
import type { ProgramPlace } from './program-place';

export type OpenPlace = (onMessage: (message: FromPrograms) => void, onLost: (reason: string) => void) => ProgramPlace;

export class CodeRunner {
  readonly #openPlace: OpenPlace;
  readonly #logger: Logger;
  /** Attempt -> its run. */
  readonly #runs = new Map<number, CodeRun>();
  #place: ProgramPlace | undefined;
  #attempts = 0;
  #isClosed = false;

  constructor(openPlace: OpenPlace, logger: Logger) {
    this.#openPlace = openPlace;
    this.#logger = logger;
  }

  async run(program: Program, host: ProgramHost, { limits, signal }: { limits: ProgramLimits; signal: AbortSignal }): Promise<ProgramEnd> {
    const run = new CodeRun(program, host, limits);
    const cancel = () => run.fail('CANCELLED', 'The run was cancelled.');
    const { length } = program.code;
    if (signal.aborted) cancel();
    else if (this.#isClosed) run.fail('SANDBOX_LOST', STOPPING);
    else if (length > limits.codeChars)
      run.fail('CODE_TOO_LONG', `The program has ${length} characters; at most ${limits.codeChars} are read.`);
    else this.#begin(run, false);
    signal.addEventListener('abort', cancel, { once: true });
    const end = await run.ended;
    signal.removeEventListener('abort', cancel);
    if (this.#runs.delete(run.attempt)) this.#place?.post({ type: 'stop', attempt: run.attempt });
    return end;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const run of this.#runs.values()) run.fail('SANDBOX_LOST', STOPPING);
    this.#runs.clear();
    const place = this.#place;
    this.#place = undefined;
    await place?.close();
  }

  #begin(run: CodeRun, slow: boolean): void {
    const attempt = ++this.#attempts;
    this.#runs.set(attempt, run);
    this.#opened().post(run.begin(attempt, slow));
  }

  #opened(): ProgramPlace {
    if (this.#place) return this.#place;
    const place: ProgramPlace = this.#openPlace(
      (message) => this.#receive(message),
      (reason) => this.#lose(place, reason),
    );
    this.#place = place;
    return place;
  }

  #receive(message: FromPrograms): void {
    const run = this.#runs.get(message.attempt);
    if (!run) return;
    if (message.type !== 'end') return run.receive(message, (answer) => this.#post(answer));
    this.#runs.delete(message.attempt);
    if (message.end.status !== 'again') return run.end(message.end);
    if (run.survives('thread')) this.#begin(run, message.end.slow);
  }

  #post(message: ToPrograms): void {
    this.#place?.post(message);
  }

  #lose(place: ProgramPlace, reason: string): void {
    if (place !== this.#place) return;
    this.#place = undefined;
    this.#logger.warn({ reason, programs: this.#runs.size }, 'The process of programs ended; open programs begin again');
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    for (const run of runs) if (run.survives('process')) this.#begin(run, false);
  }
}

const STOPPING = 'The service is stopping. Run the program again in a moment, with the same run id.';
