/** One program: its answers, its output, its deadline. It may begin several times, as attempts, of which only the last one counts. */
import { hash } from 'node:crypto';
import { type ContentBlock, MAX_CONTENT_BLOCKS } from '#sdk/protocol/content';
import { errorText } from '#sdk/protocol/error-text';
import { readableText } from '#sdk/protocol/invisible-text';
import { AnswerBook } from './answer-book';
import type { AttemptEnd, FromPrograms, ProgramCallMessage, StartMessage, ToPrograms } from './messages';
import type { Program, ProgramAnswer, ProgramEnd, ProgramError, ProgramErrorCode, ProgramHost, ProgramLimits } from './program';

/** Beginnings after the end of the process, which this program may have caused. */
const MAX_PROCESS_LOSSES = 3;
/** Beginnings after the end of a thread, which another program has caused. */
const MAX_THREAD_LOSSES = 20;
const MAX_SOURCE_CHARS = 120;

export class CodeRun {
  readonly ended: Promise<ProgramEnd>;
  readonly #program: Program;
  readonly #limits: ProgramLimits;
  readonly #book: AnswerBook;
  readonly #cancel = new AbortController();
  readonly #losses = { process: 0, thread: 0 };
  #attempt = newAttempt(0);
  #answerChars = 0;
  #resolve: (end: ProgramEnd) => void = () => undefined;

  constructor(program: Program, host: ProgramHost, limits: ProgramLimits) {
    this.#program = program;
    this.#limits = limits;
    this.#book = new AnswerBook(async (call) => this.#bounded(await host.call(call, this.#cancel.signal)));
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const message = `The program took longer than ${limits.timeoutMs} ms, its calls included. Do less in one program.`;
    const timer = setTimeout(() => this.fail('TIMEOUT', message), limits.timeoutMs);
    void this.ended.then(() => {
      clearTimeout(timer);
      this.#cancel.abort();
    });
  }

  get attempt(): number {
    return this.#attempt.id;
  }

  /** Begins from the beginning. Its former output is forgotten, its answers are kept. */
  begin(attempt: number, slow: boolean): StartMessage {
    this.#attempt = newAttempt(attempt);
    this.#book.beginAgain();
    const { id, code, startedAt } = this.#program;
    return { type: 'start', attempt, code, startedAt, seed: seedOf(id), slow, limits: this.#limits };
  }

  /** Counts the end of the process or of a thread. Returns false when the program has ended with it. */
  survives(what: 'process' | 'thread'): boolean {
    if (++this.#losses[what] <= (what === 'process' ? MAX_PROCESS_LOSSES : MAX_THREAD_LOSSES)) return true;
    this.fail(
      'SANDBOX_LOST',
      `The ${what} of the program ended ${this.#losses[what]} times. Write the program in another way, with less at once.`,
    );
    return false;
  }

  receive(message: Exclude<FromPrograms, { type: 'end' }>, post: (message: ToPrograms) => void): void {
    const attempt = this.#attempt;
    switch (message.type) {
      case 'call':
        void this.#call(message, post);
        return;
      case 'log':
        // Its own note of a cut is beyond the limit.
        if (attempt.log.length <= this.#limits.logChars) attempt.log += message.text;
        return;
      case 'content':
        if (attempt.content.length < MAX_CONTENT_BLOCKS) attempt.content.push(message.block);
        return;
    }
  }

  end(end: Exclude<AttemptEnd, { status: 'again' }>): void {
    const { calls, content } = this.#attempt;
    const log = readableText(this.#attempt.log).trimEnd();
    switch (end.status) {
      case 'done':
        return this.#resolve({ status: 'done', resultJson: end.resultJson, log, content, calls });
      case 'suspended':
        return this.#resolve({ status: 'suspended', log, calls });
      case 'failed':
        return this.#resolve({ status: 'failed', error: this.#errorOf(end), log, content, calls });
    }
  }

  fail(code: ProgramErrorCode, message: string): void {
    this.end({ status: 'failed', code, message });
  }

  async #call(message: ProgramCallMessage, post: (message: ToPrograms) => void): Promise<void> {
    const attempt = this.#attempt;
    attempt.calls++;
    if (attempt.calls > this.#limits.calls) return this.fail('TOO_MANY_CALLS', `A program makes at most ${this.#limits.calls} calls.`);
    const answer = await this.#book.answer(message);
    // The answer may be for a beginning that was given up: the next one asks for it again.
    if (attempt !== this.#attempt) return;
    post({ type: 'answer', attempt: attempt.id, call: message.call, answer: answer === 'waits' ? answer : inOneForm(answer) });
  }

  #bounded(answer: ProgramAnswer | 'waits'): ProgramAnswer | 'waits' {
    if (answer === 'waits') return answer;
    const { length } = answer.ok ? answer.dataJson : answer.errorJson;
    this.#answerChars += length;
    const { answerChars, answersChars } = this.#limits;
    if (length > answerChars)
      return tooLongAnswer(`The result has ${length} characters as JSON; a program reads at most ${answerChars} of one call.`);
    if (this.#answerChars <= answersChars) return answer;
    return tooLongAnswer(`The results of this run have more than ${answersChars} characters in all.`);
  }

  #errorOf({ code, message, line }: Extract<AttemptEnd, { status: 'failed' }>): ProgramError {
    const source = line === undefined ? undefined : this.#program.code.split('\n')[line - 1];
    const error = { code, message: errorText(message) };
    return line === undefined || source === undefined
      ? error
      : { ...error, at: { line, source: source.trim().slice(0, MAX_SOURCE_CHARS) } };
  }
}

interface Attempt {
  id: number;
  calls: number;
  log: string;
  content: ContentBlock[];
}

function newAttempt(id: number): Attempt {
  return { id, calls: 0, log: '', content: [] };
}

function inOneForm(answer: ProgramAnswer): { ok: boolean; json: string } {
  return answer.ok ? { ok: true, json: answer.dataJson } : { ok: false, json: answer.errorJson };
}

function tooLongAnswer(message: string): ProgramAnswer {
  return {
    ok: false,
    errorJson: JSON.stringify({ code: 'RESULT_TOO_LONG', message: `${message} Ask for less: a filter, fewer fields, or a page.` }),
  };
}

/** 64 bits of the run's id. */
function seedOf(id: string): string {
  return BigInt(`0x${hash('sha256', id).slice(0, 16)}`).toString();
}
