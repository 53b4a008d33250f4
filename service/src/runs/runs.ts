/**
 * Runs of code at this node: starts them, drives those that this node has, and answers callers that come back for the result, at whichever node.
 *
 * Shape:  a run is a row in the store. A node that ends leaves it to the others, or to the next process, which runs its program from the beginning:
 *         the keys of its calls give their recorded outcomes again.
 * Errors: those of docs/protocol.md, section 14. A program that fails is an answer.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { Limits } from '#sdk/protocol/limits';
import type { FailedRun, RunAnswer, RunningRun } from '#sdk/protocol/runs';
import type { Cluster } from '../cluster/cluster';
import type { CallingKey } from '../keys/agent-tokens';
import { BackgroundWork } from '../lib/background-work';
import type { RunRecord } from '../store/run-store';
import { mayBeStored, outcomeLater, type StoreUnavailable, whileAway } from '../store/store-unavailable';
import { type NewProgram, newRunRow, openPart, programOf } from './kept-run';
import { runningJson, waitingJson } from './run-answer';
import { decideForApp, type RunDecisions, type RunDecisionsDeps } from './run-decisions';
import { RunDriver, type RunDriverDeps } from './run-driver';
import { RunMemory } from './run-memory';

/** Interval of looking for ends, cancels and wakes whose ring was lost, and of storing numbers of calls. */
const LOOK_MS = 1_000;
/** Few, so that the runs of a node that ends spread over the others. */
const TAKEN_AT_ONCE = 20;
/** The name of the ring for runs without a driver. */
const LET_GO = 'runs of code';
const RING_MS = 600_000;

export interface RunsDeps extends Omit<RunDriverDeps, 'doorbell' | 'ring' | 'keptMs'>, RunDecisionsDeps {
  cluster: Pick<Cluster, 'ring' | 'doorbell'>;
  limits: Pick<Limits, 'runsPerKey' | 'waitingRunsPerKey' | 'idempotencyMs'>;
  approvals: RunDriverDeps['approvals'] & RunDecisionsDeps['approvals'];
}

export interface WaitForRun {
  waitMs: number;
  /** Calls `listener` when the caller disconnects. */
  onDisconnect(listener: () => void): void;
}

/** 200: JSON text of a `RunAnswer`. 202: of a `RunningRun`. */
export interface AnsweredRun {
  status: 200 | 202;
  json: string;
}

export class Runs {
  readonly #deps: RunsDeps;
  readonly #drivers = new Map<string, RunDriver>();
  readonly #stopping = new AbortController();
  readonly #work: BackgroundWork;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    this.#work = new BackgroundWork(deps.logger);
    void this.#takeLetGo();
  }

  /** Starts a run, or attaches to that with the same key. Resolves when it has ended, waits, or has been waited for. */
  async start(program: NewProgram, wait: WaitForRun, decisions?: RunDecisions): Promise<AnsweredRun> {
    requireCode(program.key);
    const { store, texts, limits } = this.#deps;
    const row = newRunRow(program, texts);
    if (decisions) return this.#decide(row, program.key, wait, decisions);
    for (;;) {
      const added = await store.add(row, { running: limits.runsPerKey, waiting: limits.waitingRunsPerKey }).catch((error: unknown) => {
        throw mayBeStored(error) ? perhapsStored(program, error) : error;
      });
      if (!added) throw tooMany(limits);
      const { run, isNew } = added;
      if (!isNew) requireSame(run, row);
      if (!isNew && this.#wasBusy(run)) {
        await store.forget(run.id);
        continue;
      }
      if (isNew && this.#stopping.signal.aborted) await this.#handOver();
      else if (isNew) this.#drive(run, true);
      return whileAway(this.#follow(run, program.key, wait), this.#answerOf(run));
    }
  }

  /** Rejects with NOT_FOUND for a run of another key or user. A run that waits is followed until it goes on. */
  async follow(id: string, key: CallingKey, wait: WaitForRun): Promise<AnsweredRun> {
    const run = await this.#require(id, key);
    return this.#follow(run, key, wait, run.status === 'waiting' ? run.attempt : undefined);
  }

  /** The program and the answer, for people who may see the run. */
  contentOf(run: RunRecord): { code: string; answer: RunAnswer | RunningRun } {
    return { code: programOf(run, this.#deps.texts), answer: JSON.parse(this.#answerOf(run).json) };
  }

  async cancel(id: string, key: CallingKey): Promise<void> {
    await this.#require(id, key);
    await this.#deps.store.cancel(id);
    this.#deps.cluster.ring(id);
  }

  /** Goes on with the runs of nodes that have ended, or let them go. */
  async takeAbandoned(): Promise<void> {
    const { store } = this.#deps;
    for (let taken = TAKEN_AT_ONCE; taken === TAKEN_AT_ONCE && !this.#stopping.signal.aborted; ) {
      const rows = await store.takeAbandoned(TAKEN_AT_ONCE);
      for (const row of rows) this.#drive(row, false);
      taken = rows.length;
    }
    // The answer of the store may have been lost: this node is the driver of a run, and does not know it.
    for (const id of await store.driven()) {
      const row = this.#drivers.has(id) ? undefined : await store.get(id);
      if (row?.endedAt === null) this.#drive(row, false);
    }
    if (this.#stopping.signal.aborted) await this.#handOver();
  }

  /** Leaves the runs of this node to other nodes, or to the next process. Handlers go on. */
  async letGo(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    clearInterval(this.#timer);
    for (const driver of this.#drivers.values()) driver.leave();
    await this.#work.settled();
    await this.#handOver();
  }

  async #handOver(): Promise<void> {
    try {
      await this.#deps.store.letGo();
      this.#deps.cluster.ring(LET_GO);
    } catch (error) {
      this.#deps.logger.error({ error }, 'cannot hand over the runs of this node; other nodes take them when it has ended');
    }
  }

  async #decide(row: ReturnType<typeof newRunRow>, key: CallingKey, wait: WaitForRun, decisions: RunDecisions): Promise<AnsweredRun> {
    const { store, cluster, texts } = this.#deps;
    const run = await store.named(row.agentKeyId, row.idempotencyKey);
    if (!run) throw new SvcError('NOT_FOUND', 'approved and refused need a run that waits: none with this key is there, or not any more');
    requireSame(run, row);
    if (run.endedAt === null) {
      const memory = RunMemory.read(run.state ? openPart(texts, run, 'state', run.state) : undefined);
      await decideForApp({ id: run.id, memory }, key, decisions, this.#deps);
      await store.wake(run.id);
      cluster.ring(run.id);
    }
    return this.#follow(await this.#require(run.id, key), key, wait);
  }

  /** @param after the attempt after which the run waits: the answer comes when it has gone on */
  async #follow(run: RunRecord, key: CallingKey, { waitMs, onDisconnect }: WaitForRun, after?: number): Promise<AnsweredRun> {
    const { doorbell } = this.#deps.cluster;
    const gone = new AbortController();
    onDisconnect(() => gone.abort());
    const over = AbortSignal.any([gone.signal, this.#stopping.signal]);
    const until = performance.now() + waitMs;
    let present = run;
    const isOpen = () => present.status === 'running' || (present.status === 'waiting' && present.attempt === after);
    for (let left = waitMs; isOpen() && left > 0 && !over.aborted; left = until - performance.now()) {
      const ended = new AbortController();
      // Before the look, so that no ring is missed.
      const rung = doorbell.wait(run.id, Math.min(left, LOOK_MS), AbortSignal.any([over, ended.signal]));
      present = await this.#require(run.id, key);
      if (isOpen()) await rung;
      ended.abort();
    }
    if (isOpen() && waitMs > 0) present = await this.#require(run.id, key);
    return this.#answerOf(present);
  }

  #answerOf(run: RunRecord): AnsweredRun {
    const { texts } = this.#deps;
    if (run.answer) return { status: 200, json: openPart(texts, run, 'answer', run.answer) };
    if (run.status !== 'waiting' || !run.state) return { status: 202, json: runningJson(run) };
    return { status: 200, json: waitingJson(run, RunMemory.read(openPart(texts, run, 'state', run.state))) };
  }

  /** Nothing of it ran. */
  #wasBusy(run: RunRecord): boolean {
    if (run.status !== 'failed') return false;
    return (JSON.parse(this.#answerOf(run).json) as FailedRun).error.code === 'BUSY';
  }

  #drive(row: RunRecord, isNew: boolean): void {
    if (this.#drivers.has(row.id) || this.#stopping.signal.aborted) return;
    const { cluster, limits } = this.#deps;
    const driver = new RunDriver(row, {
      ...this.#deps,
      doorbell: cluster.doorbell,
      ring: (id) => cluster.ring(id),
      keptMs: limits.idempotencyMs,
    });
    this.#drivers.set(row.id, driver);
    this.#keepLooking();
    if (row.cancelledAt !== null) driver.cancel();
    void this.#work.run(
      driver.drive(isNew).finally(() => this.#drivers.delete(row.id)),
      'cannot drive a run of code',
    );
    void this.#listen(driver);
  }

  /** A cancel and a wake ring at every node. */
  async #listen(driver: RunDriver): Promise<void> {
    const { id } = driver.run;
    const isDriven = () => this.#drivers.get(id) === driver && !this.#stopping.signal.aborted;
    while (isDriven()) {
      await this.#deps.cluster.doorbell.wait(id, RING_MS, this.#stopping.signal);
      if (isDriven()) void this.#lookAfter(this.#look());
    }
  }

  /** The job that looks for runs of ended nodes finds those whose ring was lost. */
  async #takeLetGo(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#deps.cluster.doorbell.wait(LET_GO, RING_MS, this.#stopping.signal);
      if (!this.#stopping.signal.aborted) await this.#lookAfter(this.takeAbandoned());
    }
  }

  /** Runs while this node drives a run. */
  #keepLooking(): void {
    if (this.#timer || this.#stopping.signal.aborted) return;
    this.#timer = setInterval(() => {
      if (this.#drivers.size > 0) return void this.#lookAfter(this.#look());
      clearInterval(this.#timer);
      this.#timer = undefined;
    }, LOOK_MS).unref();
  }

  async #look(): Promise<void> {
    const { store } = this.#deps;
    const calls = new Map<string, number>();
    for (const { id, status, isCancelled } of await store.states([...this.#drivers.keys()])) {
      const driver = this.#drivers.get(id);
      if (isCancelled) driver?.cancel();
      else if (status === 'running' && driver?.isWaiting) driver.wake();
      const count = status === 'running' ? driver?.takeCalls() : undefined;
      if (count !== undefined) calls.set(id, count);
    }
    await store.report(calls);
  }

  #lookAfter(work: Promise<void>): Promise<void> {
    return this.#work.run(work, 'cannot look after runs of code');
  }

  async #require(id: string, key: CallingKey): Promise<RunRecord> {
    const run = await this.#deps.store.get(id);
    if (run?.agentKeyId === key.id && isOwnUser(run, key)) return run;
    throw new SvcError('NOT_FOUND', `You have no run "${id.slice(0, 100)}": it is not kept any more, or belongs to another key or user`);
  }
}

/** The holder of a token sees the runs of its user alone; the app that makes tokens sees all of its key. */
function isOwnUser({ userId }: RunRecord, { token }: CallingKey): boolean {
  return token === undefined || userId === (token.userId ?? null);
}

function requireCode({ id, code }: CallingKey): void {
  if (code) return;
  throw new SvcError(
    'ACTION_NOT_ALLOWED',
    `Key ${id} may not run code: an owner of the service lets it with PATCH /v1/keys/${id} {"code": true}, or makes another key with --code`,
  );
}

function requireSame(earlier: RunRecord, { requestHash }: { requestHash: string }): void {
  if (earlier.requestHash === requestHash) return;
  throw new SvcError('IDEMPOTENCY_MISMATCH', `This key belongs to ${earlier.id}, a run of other code or for another user; use a fresh key`);
}

function perhapsStored({ idempotencyKey }: NewProgram, error: StoreUnavailable): SvcError {
  if (idempotencyKey !== undefined)
    return outcomeLater('It may have this program; then the program runs. Send it again with the same key: it runs once', error);
  const message =
    'The database of the service does not answer now. It may have this program; then the program runs. Without a key, the same request would run it once more: check first';
  return new SvcError('OUTCOME_UNKNOWN', message, {}, { cause: error });
}

function tooMany({ runsPerKey, waitingRunsPerKey }: RunsDeps['limits']): SvcError {
  const message = `This key has ${runsPerKey} runs of code in progress, or ${waitingRunsPerKey} that wait, which is its limit: wait until one has ended`;
  return new SvcError('RATE_LIMITED', message, { retryAfterMs: 2_000 });
}
