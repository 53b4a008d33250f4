/**
 * The memory of a run between the attempts of its program: the calls that wait, and answers that no record of a call has. A replay gets these answers
 * again, so that a search or a refusal does not send the program another way.
 */
import type { RunAsk } from '#sdk/protocol/runs';
import type { ProgramAnswer } from '../sandbox/sandbox';

/** Characters of all kept answers, as JSON. Those beyond it are asked for again. */
const MAX_KEPT_CHARS = 1_000_000;

/** A call that waits. */
export interface WaitingCall {
  /** Its idempotency key. */
  key: string;
  ask: RunAsk;
  /** The accounts from which the call could choose when it asked for one. */
  accounts?: string;
}

interface Kept {
  waiting: WaitingCall[];
  answers: [key: string, answer: ProgramAnswer][];
  log: string;
  searchId?: string;
}

export class RunMemory {
  waiting: WaitingCall[] = [];
  /** The log of the attempt that waits. */
  log = '';
  /** The last search of the program. */
  searchId: string | undefined;
  readonly #answers = new Map<string, ProgramAnswer>();
  #chars = 0;

  static read(json: string | undefined): RunMemory {
    const memory = new RunMemory();
    if (json === undefined) return memory;
    const { waiting, answers, log, searchId } = JSON.parse(json) as Kept;
    memory.waiting = waiting;
    memory.log = log;
    memory.searchId = searchId;
    for (const [key, answer] of answers) memory.keep(key, answer);
    return memory;
  }

  answerOf(key: string): ProgramAnswer | undefined {
    return this.#answers.get(key);
  }

  keep(key: string, answer: ProgramAnswer): void {
    const { length } = answer.ok ? answer.dataJson : answer.errorJson;
    if (this.#answers.has(key) || this.#chars + length > MAX_KEPT_CHARS) return;
    this.#chars += length;
    this.#answers.set(key, answer);
  }

  toJson(): string {
    const kept: Kept = { waiting: this.waiting, answers: [...this.#answers], log: this.log };
    if (this.searchId !== undefined) kept.searchId = this.searchId;
    return JSON.stringify(kept);
  }
}
