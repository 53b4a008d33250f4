/**
 * Brings one run to its end at this node: runs its program, waits with it for people and long work, and runs it again from the beginning.
 *
 * Rule:   a second driver of the same run does no harm, since the keys of its calls make each of them run once.
 * Errors: none. The end is stored; while the store is away, the driver tries again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError } from '#sdk/protocol/errors';
import type { Catalog } from '../catalog/catalog';
import type { Doorbell } from '../lib/doorbell';
import type { KeptText, KeptTexts } from '../lib/kept-texts';
import { DEFAULT_PROGRAM_LIMITS, type ProgramEnd, type Sandbox } from '../sandbox/sandbox';
import type { RunRecord, RunStore } from '../store/run-store';
import type { InvocationRecord, InvocationStore } from '../store/store';
import { checkedReplay, type EarlierAttempts } from './divergence';
import { openPart, programOf, type RunRights, rightsOf, sealPart } from './kept-run';
import { ENDED_KEY, ProgramCalls, type ProgramCallsDeps } from './program-calls';
import { doneJson, type EndOfProgram, failedJson, failure } from './run-answer';
import { RunCaller } from './run-caller';
import { RunMemory } from './run-memory';
import { mayGoOn, type WaitingCallsDeps } from './waiting-calls';

const STORE_RETRY_MS = 500;
/** Interval between tries of a replay for which the sandbox has no room. */
const BUSY_MS = 500;
/** Interval of looking whether a call that waits may go on: a ring may be lost between nodes, and no connected account rings. */
const LOOK_MS = 1_000;
/** The same after the first minute. */
const LATER_LOOK_MS = 5_000;
const MINUTE_MS = 60_000;
/** The outcomes of calls are kept for a time that begins with each of them; the clocks of nodes may differ. */
const KEPT_SHARE = 0.98;
/** Calls that one run can have made, in all of its attempts. */
const MAX_RECORDED = 10_000;
const CANCELLED = failure({ code: 'CANCELLED', message: 'The run was cancelled. Calls that had begun may have run.' });

export interface RunDriverDeps extends ProgramCallsDeps, WaitingCallsDeps {
  store: RunStore;
  invocations: Pick<InvocationStore, 'list'>;
  catalog: Pick<Catalog, 'action'>;
  sandbox: Sandbox;
  texts: KeptTexts;
  doorbell: Doorbell;
  /** Wakes the followers of the run at all nodes. */
  ring(id: string): void;
  /** How long outcomes of calls are kept, in milliseconds. */
  keptMs: number;
}

type AttemptedProgram = EndOfProgram | Extract<ProgramEnd, { status: 'suspended' }>;

/** An error: the key of the run has ended. */
type Stop = 'left' | 'cancelled' | SvcError;

export class RunDriver {
  readonly run: RunRecord;
  readonly #deps: RunDriverDeps;
  readonly #rights: RunRights;
  readonly #stopping = new AbortController();
  #stop: Stop | undefined;
  #memory = new RunMemory();
  #calls: ProgramCalls | undefined;
  #isWoken = false;
  #reported = 0;
  /** The program has ended but for calls that wait. */
  isWaiting = false;

  constructor(run: RunRecord, deps: RunDriverDeps) {
    this.run = run;
    this.#deps = deps;
    this.#rights = rightsOf(run);
  }

  /** The number of calls of the attempt, if it has grown since the last time. */
  takeCalls(): number | undefined {
    const calls = this.#calls?.asked.size ?? 0;
    if (calls === this.#reported) return undefined;
    this.#reported = calls;
    return calls;
  }

  /**
   * Resolves when the end is stored, or after `leave`.
   *
   * @param isNew false: the program may have run before
   */
  async drive(isNew: boolean): Promise<void> {
    try {
      const end = await this.#untilEnded(isNew);
      if (end === 'left') await this.#keepMemory();
      else await this.#storeEnd(end);
    } catch (error) {
      if (this.#stop === 'left') return;
      this.#deps.logger.error({ error, run: this.run.id }, 'a run of code failed inside the service');
      const message = SvcError.is(error) ? error.message : 'The service failed; its log has the reason.';
      await this.#storeEnd(failure({ code: 'SANDBOX_LOST', message })).catch(() => {});
    }
  }

  cancel(): void {
    this.#end('cancelled');
  }

  /** A call that waited may go on. */
  wake(): void {
    // Its own ring leads back here.
    if (this.#isWoken) return;
    this.#isWoken = true;
    this.isWaiting = false;
    this.#deps.doorbell.ring(this.run.id);
  }

  /** Leaves the run to another node. Running handlers go on. */
  leave(): void {
    this.#calls?.leave();
    this.#end('left');
  }

  #end(stop: Stop): void {
    this.#stop ??= stop;
    this.#stopping.abort();
  }

  async #untilEnded(isNew: boolean): Promise<EndOfProgram | 'left'> {
    const { store, texts, ring } = this.#deps;
    const { run } = this;
    const code = programOf(run, texts);
    this.#memory = RunMemory.read(run.state ? openPart(texts, run, 'state', run.state) : undefined);
    if (run.status === 'waiting') await this.#wait();
    for (let isFirst = isNew; ; isFirst = false) {
      const stopped = this.#stopped();
      if (stopped) return stopped;
      if (this.#leftMs <= 0) return failure({ code: 'TIMEOUT', message: this.#waitedTooLong() });
      const end = await this.#attempt(code, isFirst);
      if (end === 'left' || end.status !== 'suspended') return end;
      this.#memory.log = end.log;
      await this.#retried(() => store.suspend(run.id, this.#sealedMemory(), end.calls));
      ring(run.id);
      await this.#wait();
    }
  }

  async #attempt(code: string, isFirst: boolean): Promise<AttemptedProgram | 'left'> {
    const { timeoutMs, id, agentKeyId } = this.run;
    const deadlineAt = isFirst ? this.run.deadlineAt : Date.now() + Math.min(timeoutMs, this.#leftMs);
    if (!isFirst) await this.#retried(() => this.#deps.store.begin(id, deadlineAt));
    const earlier: EarlierAttempts = { recorded: isFirst ? [] : await this.#recorded(), waited: this.#memory.waiting };
    this.#memory.waiting = [];
    this.#isWoken = false;
    this.isWaiting = false;
    let caller: RunCaller;
    try {
      caller = await this.#retried(() => RunCaller.open(this.#deps, agentKeyId, this.#rights.caller));
    } catch (error) {
      if (SvcError.is(error) && ENDED_KEY.has(error.code)) return keyEnded(error);
      throw error;
    }
    try {
      for (;;) {
        const end = await this.#run(code, { caller, earlier, deadlineAt });
        const isBusy = end !== 'left' && end.status === 'failed' && end.error.code === 'BUSY';
        if (!isBusy || isFirst || Date.now() + BUSY_MS >= deadlineAt) return end;
        await delay(BUSY_MS);
      }
    } finally {
      caller.release();
    }
  }

  async #run(
    code: string,
    { caller, earlier, deadlineAt }: { caller: RunCaller; earlier: EarlierAttempts; deadlineAt: number },
  ): Promise<AttemptedProgram | 'left'> {
    const { id, createdAt, timeoutMs } = this.run;
    const counted = new Set([
      ...earlier.recorded.flatMap(({ idempotencyKey }) => idempotencyKey ?? []),
      ...earlier.waited.map(({ key }) => key),
    ]);
    const calls = new ProgramCalls(
      { id, rights: this.#rights, caller, memory: this.#memory, counted, deadlineAt, keyEnded: (error) => this.#end(error) },
      this.#deps,
    );
    this.#calls = calls;
    const limits = { ...DEFAULT_PROGRAM_LIMITS, timeoutMs: Math.max(1, deadlineAt - Date.now()) };
    const end = await this.#deps.sandbox.run({ id, code, startedAt: createdAt }, calls, { limits, signal: this.#stopping.signal });
    const stopped = this.#stopped();
    if (stopped) return stopped;
    if (end.status === 'suspended') this.#memory.waiting = calls.waiting;
    else if (end.status === 'failed' && end.error.code === 'TIMEOUT')
      return { ...end, error: { code: 'TIMEOUT', message: tookTooLong(timeoutMs) } };
    return end.status === 'suspended' ? end : checkedReplay(end, calls, earlier, this.#deps.catalog);
  }

  #stopped(): EndOfProgram | 'left' | undefined {
    if (this.#stop === 'cancelled') return CANCELLED;
    return SvcError.is(this.#stop) ? keyEnded(this.#stop) : this.#stop;
  }

  /** Calls of the program that were claimed, in any attempt, oldest first. */
  async #recorded(): Promise<InvocationRecord[]> {
    const calls = await this.#retried(() => this.#deps.invocations.list({ madeBy: this.run.id, limit: MAX_RECORDED }));
    return calls.filter(({ idempotencyKey }) => idempotencyKey !== null).reverse();
  }

  /** Resolves when a call that waits may go on, when the run must end, or after `leave`. */
  async #wait(): Promise<void> {
    const { doorbell } = this.#deps;
    const startedAt = performance.now();
    this.isWaiting = true;
    while (!this.#isWoken && this.#stop === undefined && this.#leftMs > 0) {
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, this.#stopping.signal]);
      const ms = performance.now() - startedAt < MINUTE_MS ? LOOK_MS : LATER_LOOK_MS;
      // Before the look, so that no ring is missed.
      const ids = [this.run.id, ...this.#memory.waiting.flatMap(({ ask }) => ask.approval?.id ?? ask.handle ?? [])];
      const rung = Promise.race(ids.map((id) => doorbell.wait(id, ms, signal)));
      const isAnswered = await this.#looked();
      if (!isAnswered) await rung;
      over.abort();
      if (isAnswered) break;
    }
    this.isWaiting = false;
  }

  #looked(): Promise<boolean> {
    const { agentKeyId, id } = this.run;
    return mayGoOn({ agentKeyId, rights: this.#rights, memory: this.#memory }, this.#deps).catch((error: unknown) => {
      this.#deps.logger.warn({ error, run: id }, 'cannot look yet whether a run may go on');
      return false;
    });
  }

  /** Milliseconds until outcomes of its calls may be gone: then a replay would make these calls again. */
  get #leftMs(): number {
    return this.run.createdAt + this.#deps.keptMs * KEPT_SHARE - Date.now();
  }

  #waitedTooLong(): string {
    return `The run waited longer than the outcomes of its calls are kept (${this.#deps.keptMs} ms). Calls that ran are in "ran"; start another run for the rest.`;
  }

  #sealedMemory(): KeptText {
    return sealPart(this.#deps.texts, this.run, 'state', this.#memory.toJson());
  }

  async #keepMemory(): Promise<void> {
    await this.#deps.store.keep(this.run.id, this.#sealedMemory()).catch((error: unknown) => {
      this.#deps.logger.warn({ error, run: this.run.id }, 'cannot keep the answers of a run that another node takes');
    });
  }

  async #storeEnd(end: EndOfProgram): Promise<void> {
    const { store, texts, ring } = this.#deps;
    const { id } = this.run;
    const ran = end.status === 'failed' ? [...new Set((await this.#recorded()).map(({ action }) => action))] : [];
    const json = end.status === 'done' ? doneJson(id, end) : failedJson(id, end, ran);
    const answer = sealPart(texts, this.run, 'answer', json);
    await this.#retried(() => store.end(id, { status: end.status, answer, calls: end.calls }));
    ring(id);
  }

  /** Tries until the store answers, or the run is left to another node. */
  async #retried<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (this.#stop === 'left' || (SvcError.is(error) && ENDED_KEY.has(error.code))) throw error;
        this.#deps.logger.error({ error, run: this.run.id }, 'cannot store or read a run; trying again');
        await delay(STORE_RETRY_MS);
      }
    }
  }
}

function keyEnded({ message }: SvcError): EndOfProgram {
  return failure({ code: 'KEY_ENDED', message: `${message}. Calls that had begun may have run.` });
}

function tookTooLong(timeoutMs: number): string {
  return `The program took longer than ${timeoutMs} ms, its calls included. Calls that ran are in "ran"; make the rest in another run, or give it more time (Svc-Timeout-Ms).`;
}
