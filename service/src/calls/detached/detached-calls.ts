/**
 * Calls that go on without their callers, at this node: starts them, drives those that this node has, and answers callers that come back for the
 * result, at whichever node.
 *
 * Rule: a second driver of the same call does no harm, since the idempotency key makes it run once. So a call is taken over at once when its node
 *       lets it go or ends.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { UnfinishedInvocation } from '#sdk/protocol/http';
import type { Limits } from '#sdk/protocol/limits';
import type { FollowedRun } from '../../approvals/approved-runs';
import type { Cluster } from '../../cluster/cluster';
import type { CallingKey } from '../../keys/agent-tokens';
import { allowed } from '../../keys/allowed';
import { BackgroundWork } from '../../lib/background-work';
import type { KeptTexts } from '../../lib/kept-texts';
import { KeyedCounts } from '../../lib/keyed-counts';
import type { DetachedRecord, DetachedStore } from '../../store/detached-store';
import { mayBeStored, outcomeLater } from '../../store/store-unavailable';
import { DetachedDriver, type DetachedDriverDeps } from './detached-driver';
import { mayRunAgain, outcomeOf } from './detached-outcome';
import type { DetachedCall, DetachedRunner } from './detached-runner';
import { type KeptDetachedCall, ofRow, toRow } from './kept-detached-call';

/** Interval of looking for ends and cancels whose ring was lost, and of storing reports. */
const LOOK_MS = 1_000;
/** Few, so that the calls of a node that ends spread over the others. */
const TAKEN_AT_ONCE = 20;
/** The name of the ring for calls without a driver. */
const LET_GO = 'detached calls';
const RING_MS = 600_000;
const STORED_PERHAPS = 'It may have this call; then the call runs. Make it again with the same idempotency key: it runs once';

export interface DetachedCallsDeps extends Omit<DetachedDriverDeps, 'doorbell' | 'store'> {
  store: DetachedStore;
  cluster: Pick<Cluster, 'ring' | 'doorbell'>;
  texts: KeptTexts;
  limits: Pick<Limits, 'detachedPerKey'>;
}

export class DetachedCalls implements DetachedRunner {
  readonly #deps: DetachedCallsDeps;
  readonly #drivers = new Map<string, DetachedDriver>();
  /** Ids of calls that callers of this node follow. */
  readonly #followed = new KeyedCounts();
  readonly #stopping = new AbortController();
  readonly #work: BackgroundWork;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: DetachedCallsDeps) {
    this.#deps = deps;
    this.#work = new BackgroundWork(deps.logger);
    void this.#takeLetGo();
  }

  async start(call: DetachedCall): Promise<string> {
    const { store, invocations, texts, limits } = this.#deps;
    const row = toRow(call, texts);
    for (;;) {
      const added = await store.add(row, limits.detachedPerKey).catch((error: unknown) => {
        throw mayBeStored(error) ? outcomeLater(STORED_PERHAPS, error) : error;
      });
      if (!added) throw tooMany(limits.detachedPerKey);
      const { call: stored, isNew } = added;
      if (isNew && this.#stopping.signal.aborted) await this.#handOver();
      else if (isNew) this.#drive(stored);
      else if (stored.requestHash !== call.requestHash) throw mismatch(stored.id);
      // An approval is for one run, whatever its end.
      else if (stored.approvalId === null && mayRunAgain(stored, await invocations.find(stored.agentKeyId, stored.idempotencyKey))) {
        await store.forget(stored.id);
        continue;
      }
      return stored.id;
    }
  }

  async has(id: string): Promise<boolean> {
    return (await this.#deps.store.get(id)) !== undefined;
  }

  async follow(id: string, key: CallingKey, { waitMs, onDisconnect }: Parameters<DetachedRunner['follow']>[2]): Promise<FollowedRun> {
    let call = await this.#require(id, key);
    const gone = new AbortController();
    onDisconnect(() => gone.abort());
    const over = AbortSignal.any([gone.signal, this.#stopping.signal]);
    const until = performance.now() + waitMs;
    this.#followed.increment(id);
    this.#keepLooking();
    try {
      for (let left = waitMs; call.endedAt === null && left > 0 && !over.aborted; left = until - performance.now()) {
        await this.#deps.cluster.doorbell.wait(id, left, over);
        call = await this.#require(id, key);
      }
    } finally {
      this.#followed.decrement(id);
    }
    if (call.endedAt === null) return { status: 202, json: unfinishedJson(call) };
    const run = await this.#deps.invocations.find(call.agentKeyId, call.idempotencyKey);
    return { status: 200, json: outcomeOf(call, run) };
  }

  async cancel(id: string, key: CallingKey): Promise<void> {
    await this.#require(id, key);
    await this.cancelRunning(id);
  }

  async cancelRunning(id: string): Promise<boolean> {
    const call = await this.#deps.store.get(id);
    if (call?.endedAt !== null) return false;
    await this.#deps.store.cancel(id);
    this.#deps.cluster.ring(id);
    return true;
  }

  /** Goes on with the calls of nodes that have ended, or let them go. */
  async takeAbandoned(): Promise<void> {
    for (let taken = TAKEN_AT_ONCE; taken === TAKEN_AT_ONCE && !this.#stopping.signal.aborted; ) {
      const rows = await this.#deps.store.takeAbandoned(TAKEN_AT_ONCE);
      for (const row of rows) this.#drive(row);
      taken = rows.length;
    }
    await this.#driveForgotten();
    if (this.#stopping.signal.aborted) await this.#handOver();
  }

  /** The answer of the store may have been lost, to an added or a taken call: this node is its driver, and does not know it. */
  async #driveForgotten(): Promise<void> {
    const { store } = this.#deps;
    for (const id of await store.driven()) {
      const row = this.#drivers.has(id) ? undefined : await store.get(id);
      if (row?.endedAt === null) this.#drive(row);
    }
  }

  /** Leaves the calls of this node to other nodes, or to the next process. Handlers go on. */
  async letGo(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    clearInterval(this.#timer);
    for (const driver of this.#drivers.values()) driver.leave();
    void this.#lookAfter(this.#storeReports());
    await this.#work.settled();
    await this.#handOver();
  }

  /** A call that begins while this node drains, or that it has just taken, is handed over too. */
  async #handOver(): Promise<void> {
    try {
      await this.#deps.store.letGo();
      this.#deps.cluster.ring(LET_GO);
    } catch (error) {
      this.#deps.logger.error({ error }, 'cannot hand over the calls of this node; other nodes take them when it has ended');
    }
  }

  #drive(row: DetachedRecord): void {
    if (this.#drivers.has(row.id) || this.#stopping.signal.aborted) return;
    const { store, cluster, texts, logger } = this.#deps;
    let call: KeptDetachedCall;
    try {
      call = ofRow(row, texts);
    } catch (error) {
      store.end(row.id, JSON.stringify(error)).catch((failure: unknown) => logger.error({ error: failure }, 'cannot end a call'));
      return;
    }
    const driver = new DetachedDriver(call, { ...this.#deps, doorbell: cluster.doorbell });
    this.#drivers.set(row.id, driver);
    this.#keepLooking();
    if (row.cancelledAt !== null) driver.cancel();
    void driver.drive().finally(() => {
      this.#drivers.delete(row.id);
      cluster.ring(row.id);
    });
    void this.#listen(driver);
  }

  /** A cancel rings at every node. */
  async #listen(driver: DetachedDriver): Promise<void> {
    const { id } = driver.call;
    while (this.#drivers.get(id) === driver && !this.#stopping.signal.aborted) {
      await this.#deps.cluster.doorbell.wait(id, RING_MS, this.#stopping.signal);
      if (this.#drivers.get(id) === driver && !this.#stopping.signal.aborted) await this.#lookAfter(this.#look([id]));
    }
  }

  /** The job that looks for calls of ended nodes finds those whose ring was lost. */
  async #takeLetGo(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#deps.cluster.doorbell.wait(LET_GO, RING_MS, this.#stopping.signal);
      if (!this.#stopping.signal.aborted) await this.#lookAfter(this.takeAbandoned());
    }
  }

  /** Runs while this node drives or follows a call. */
  #keepLooking(): void {
    if (this.#timer || this.#stopping.signal.aborted) return;
    this.#timer = setInterval(() => {
      const ids = new Set([...this.#drivers.keys(), ...this.#followed.all.keys()]);
      if (ids.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
        return;
      }
      void this.#lookAfter(this.#look([...ids]).then(() => this.#storeReports()));
    }, LOOK_MS).unref();
  }

  async #look(ids: readonly string[]): Promise<void> {
    for (const { id, isEnded } of await this.#deps.store.changed(ids)) {
      if (isEnded) this.#deps.cluster.doorbell.ring(id);
      else this.#drivers.get(id)?.cancel();
    }
  }

  async #storeReports(): Promise<void> {
    const reports = new Map<string, string>();
    for (const [id, driver] of this.#drivers) {
      const progress = driver.takeProgress();
      if (progress !== undefined) reports.set(id, progress);
    }
    if (reports.size > 0) await this.#deps.store.report(reports);
  }

  #lookAfter(work: Promise<void>): Promise<void> {
    return this.#work.run(work, 'cannot look after calls without their callers');
  }

  /** Rejects with NOT_FOUND for a call of another key or user. */
  async #require(id: string, key: CallingKey): Promise<DetachedRecord> {
    const call = await this.#deps.store.get(id);
    if (call?.agentKeyId !== key.id || !isOwnUser(call, key)) throw noSuchCall(id);
    if (!allowed(key, call.action)) throw new SvcError('ACTION_NOT_ALLOWED', `This key may not use "${call.action}" any more`);
    return call;
  }
}

/** The holder of a token sees the calls of its user alone; the app that makes tokens sees all of its key. */
function isOwnUser({ userId }: DetachedRecord, { token }: CallingKey): boolean {
  return token === undefined || userId === (token.userId ?? null);
}

function unfinishedJson({ id, progress }: DetachedRecord): string {
  const unfinished: UnfinishedInvocation = { invocationId: id, status: 'running' };
  if (progress !== null) unfinished.progress = JSON.parse(progress);
  return JSON.stringify(unfinished);
}

function noSuchCall(id: string): SvcError {
  return new SvcError(
    'NOT_FOUND',
    `There is no call "${id.slice(0, 100)}" to follow: its result is not kept any more, or it belongs to another key or user`,
  );
}

function tooMany(max: number): SvcError {
  return new SvcError(
    'RATE_LIMITED',
    `${max} calls of this key go on without their callers, which is its limit: wait until one has ended`,
    {
      retryAfterMs: 5_000,
    },
  );
}

function mismatch(id: string): SvcError {
  const message = `This idempotency key belongs to ${id}, a call with another action, payload or user; use a fresh key`;
  return new SvcError('IDEMPOTENCY_MISMATCH', message, { invocationId: id });
}
