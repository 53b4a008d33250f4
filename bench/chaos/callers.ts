/**
 * The callers. Each call starts at its time, without waiting for earlier ones, so that a stall makes calls pile up as in production.
 */
import { Agent } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Tools } from '../../src/index.ts';
import { askRaw, askTools, type Door, followRaw, followTools } from './ask.ts';
import {
  type CallPlan,
  type CallRecord,
  endOf,
  finalAnswer,
  handleOf,
  isKeptGivingUp,
  isUnpaid,
  isWaiting,
  type Outcome,
  outcomeName,
  type Try,
} from './call-record.ts';

const TICK_MS = 10;
const PAUSE_BEFORE_RETRY_MS = 300;
const LONGEST_PAUSE_MS = 2_000;
/** Deadline of the calls that are settled at the end. */
const SETTLING_DEADLINE_MS = 10_000;
const SETTLING_AT_ONCE = 32;
const NEVER_SENT: Outcome = { kind: 'broken', what: 'was never sent' };

export interface CallersOptions {
  plan: (number: number) => CallPlan;
  callsPerSecond: number;
  /** Tries of a caller, on top of those of the SDK. */
  maxTries: number;
  /** Time in which a caller asks for the end of a call that goes on, or waits for a person. */
  followMs: number;
  /** One for each agent key. */
  tools: readonly Tools[];
  agentKeys: readonly string[];
  /** One for each node. */
  doors: readonly Door[];
}

export class Callers {
  readonly calls: CallRecord[] = [];
  readonly #options: CallersOptions;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: CallersOptions) {
    this.#options = options;
  }

  /** Calls until `ending` aborts, at most `most` times; resolves when the last call is sent, not answered. */
  async callUntil(ending: AbortSignal, most = Number.POSITIVE_INFINITY): Promise<void> {
    const { plan, callsPerSecond } = this.#options;
    const begunAt = Date.now();
    while (!ending.aborted && this.calls.length < most) {
      const due = Math.min(most, ((Date.now() - begunAt) * callsPerSecond) / 1_000);
      while (this.calls.length < due) this.#begin({ ...plan(this.calls.length + 1), tries: [] });
      await sleep(TICK_MS);
      // Timers that are always due, as on a machine that is too busy, would keep all sockets waiting.
      await nextTurn();
    }
  }

  /** Resolves when every caller has given up or been answered. */
  async ended(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Asks for every call without a final answer again, with its key, until there is one, milliseconds since the epoch at most. */
  async settle(until: number): Promise<void> {
    const open = this.calls.filter(({ tries }) => !tries.some(isFinal) && !isUnpaid(tries.at(-1)?.outcome ?? NEVER_SENT)).values();
    const work = async () => {
      for (const call of open) {
        do {
          const made = await this.#askDoor(call, SETTLING_DEADLINE_MS);
          call.tries.push(made);
          if (isFinal(made) || isKeptGivingUp(made) || isUnpaid(made.outcome)) break;
          await sleep(pauseAfter(made.outcome));
        } while (Date.now() < until);
      }
    };
    await Promise.all(Array.from({ length: SETTLING_AT_ONCE }, work));
  }

  close(): void {
    this.#agent.destroy();
  }

  #begin(call: CallRecord): void {
    this.calls.push(call);
    const ended = this.#callToTheEnd(call).then(() => void this.#underWay.delete(ended));
    this.#underWay.add(ended);
  }

  async #callToTheEnd(call: CallRecord): Promise<void> {
    const { maxTries, followMs } = this.#options;
    const begunAt = Date.now();
    for (let failures = 0; ; ) {
      const made = await this.#ask(call);
      call.tries.push(made);
      if (isFinal(made)) break;
      if (isUnpaid(made.outcome)) return;
      if (isWaiting(made.outcome) ? Date.now() - begunAt > followMs : ++failures === maxTries) return;
      await sleep(pauseAfter(made.outcome));
    }
    // No retry may get another answer later.
    if (call.asksAgain || outcomeName(endOf(call)) === 'OUTCOME_UNKNOWN') call.tries.push(await this.#ask(call));
  }

  #ask(call: CallRecord): Promise<Try> {
    const tools = this.#options.tools[call.agent];
    if (call.caller !== 'sdk' || !tools) return this.#askDoor(call);
    const handle = call.isDetached ? this.#handleToFollow(call) : undefined;
    return handle === undefined ? askTools(tools, call) : followTools(tools, handle);
  }

  /** Undefined when the call is to be made, again or for the first time. */
  #handleToFollow(call: CallRecord): string | undefined {
    if (call.tries.some(isFinal)) return undefined;
    // A caller that waits makes its call again and asks for the result by turns, as both ways must lead to it.
    return call.isDetached || call.tries.length % 2 === 1 ? handleOf(call) : undefined;
  }

  /** Each try through another node than the one before. */
  #askDoor(call: CallRecord, deadlineMs?: number): Promise<Try> {
    const { doors, agentKeys } = this.#options;
    const door = doors[(call.firstNode + call.tries.length) % doors.length];
    if (!door) throw new Error('There is no node to ask');
    const asked = { door, agentKey: `${agentKeys[call.agent]}`, agent: this.#agent };
    const handle = this.#handleToFollow(call);
    return handle === undefined ? askRaw(asked, call, call.isDetached ? undefined : deadlineMs) : followRaw(asked, handle);
  }
}

function isFinal({ outcome }: Try): boolean {
  return finalAnswer(outcome) !== undefined;
}

function pauseAfter(outcome: Outcome): number {
  const told = outcome.kind === 'error' ? (outcome.retryAfterMs ?? 0) : 0;
  return Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_BEFORE_RETRY_MS, told));
}
