/**
 * Background jobs: follow changes, take over calls of dead nodes, go on with approvals, delete old data, revoke the tokens of removed connections,
 * release expired holds of prices, watch the event loop, report readiness.
 */
import type { Limits } from '#sdk/protocol/limits';
import type { ApprovalJobs } from '../approvals/approval-jobs';
import type { Bus } from '../bus/bus';
import type { DetachedCalls } from '../calls/detached/detached-calls';
import type { OrphanedCalls } from '../calls/orphaned-calls';
import type { Catalog } from '../catalog/catalog';
import type { ResultMisfits } from '../catalog/results/result-misfits';
import type { Readiness } from '../http/readiness';
import type { KeyRing } from '../keys/key-ring';
import { BackgroundWork } from '../lib/background-work';
import type { Logger } from '../lib/logger';
import type { Metrics } from '../metrics/index';
import { HOLD_MS } from '../payments/hold-time';
import type { ListingJobs } from '../records/listing-jobs';
import type { Records } from '../records/records';
import type { Runs } from '../runs/runs';
import type { Searches } from '../searches/searches';
import type { ForeignChange, Store } from '../store/store';
import { faultOf } from '../store/store-unavailable';
import { EventLoopWatchdog } from './event-loop-watchdog';
import { removeExpiredFlows } from './expired-flows';
import type { OpenConnections } from './open-connections';
import { revokeRemoved } from './removed-connections';

/** Interval of deleting old idempotency keys and records, and of releasing expired holds. */
const PRUNE_MS = 10 * 60 * 1000;
/** Later than the start, which has other work. */
const FIRST_PRUNE_MS = 60 * 1000;
/** Interval of looking for calls of dead nodes, and of checking the database. */
const ADOPT_MS = 3_000;
/** Time between two looks for own calls that this node does not know. */
const UNKNOWN_MS = 10_000;
/** Interval of revoking the tokens of connections whose toolkit, key or person was removed. */
const REVOKE_MS = 1_000;
/** Interval of reading the defaults of rules, which other nodes change. */
const DEFAULTS_MS = 1_000;
/** Interval of deleting links and flows of the connect page that expired. */
const EXPIRE_MS = 30_000;
/** Interval of starting approved calls, and of withdrawing questions whose call has changed. */
const APPROVE_MS = 1_000;
/** Interval of counting the minutes of toolkits, and of storing new texts of actions. */
const LIST_MS = 5_000;
/** Interval of deleting searches that are too old for a call to name. */
const SWEEP_MS = 5_000;
/** Interval of writing and reading the counts of results that did not fit. */
const MISFITS_MS = 2_000;

export interface BackgroundJobsDeps {
  store: Pick<Store, 'onForeignChange' | 'invocations' | 'detached' | 'runs' | 'ledger' | 'connections' | 'connect'>;
  openConnections: OpenConnections;
  refreshDefaults: () => Promise<void>;
  bus: Bus;
  keys: KeyRing;
  catalog: Catalog;
  orphanedCalls: Pick<OrphanedCalls, 'takeAbandoned' | 'awaitUnknown'>;
  approvalJobs: ApprovalJobs;
  detached: Pick<DetachedCalls, 'takeAbandoned'>;
  /** Undefined where the service runs no code. */
  runs: Pick<Runs, 'takeAbandoned'> | undefined;
  searches: Pick<Searches, 'sweep'>;
  misfits: Pick<ResultMisfits, 'synchronise' | 'prune'>;
  /** Undefined without console. */
  records: Records | undefined;
  /** Undefined without console. */
  listingJobs: Pick<ListingJobs, 'run'> | undefined;
  readiness: Readiness;
  metrics: Pick<Metrics, 'watchEventLoop'> | undefined;
  limits: Pick<Limits, 'idempotencyMs'>;
  logger: Logger;
}

export interface BackgroundJobs {
  /** Starts no job any more. Those that have begun go on. */
  stop(): void;
  /** Resolves when no job is in progress. Call this before the store closes. */
  settled(): Promise<void>;
}

export function startBackgroundJobs(deps: BackgroundJobsDeps): BackgroundJobs {
  const {
    store,
    openConnections,
    bus,
    keys,
    catalog,
    orphanedCalls,
    detached,
    runs,
    approvalJobs,
    searches,
    misfits,
    records,
    listingJobs,
    readiness,
    metrics,
    limits,
    logger,
  } = deps;
  const work = new BackgroundWork(logger);
  const run = (job: Promise<unknown>, failure: string) => void work.run(job, failure);
  const database = new NotReadyReason(readiness);
  const nats = new NotReadyReason(readiness);
  readiness.watch(() => faultOf(store.invocations.fault()));

  const follow = ({ keys: keysChanged, toolkits }: ForeignChange) => {
    if (keysChanged) records?.changedHere('keys');
    if (toolkits.length > 0) records?.changedHere('toolkits');
    run(Promise.all([keysChanged && keys.refresh(), catalog.refresh(toolkits)]), 'cannot read the changes of another process');
  };
  const adopt = () => {
    const taken = orphanedCalls
      .takeAbandoned()
      .then(() => detached.takeAbandoned())
      .then(() => runs?.takeAbandoned());
    const noted = taken.then(
      () => database.set(undefined),
      (error: unknown) => {
        database.set(faultOf(error));
        throw error;
      },
    );
    run(noted, 'cannot take over calls of dead nodes');
  };
  const look = () => run(orphanedCalls.awaitUnknown(), 'cannot look for calls that this node does not know');
  const prune = () => {
    run(store.invocations.forgetKeys(Date.now() - limits.idempotencyMs), 'cannot forget old idempotency keys');
    run(store.detached.removeEnded(limits.idempotencyMs), 'cannot remove the ends of old calls');
    run(store.runs.removeEnded(limits.idempotencyMs), 'cannot remove the ends of old runs');
    run(misfits.prune(), 'cannot remove old misfits of results');
  };
  const countMisfits = () => run(misfits.synchronise(), 'cannot write or read misfits of results; the next write includes them');
  const applyRetention = () => {
    if (records) run(records.applyRetention(), 'cannot remove old records');
  };
  const releaseHeld = () => {
    const now = Date.now();
    run(store.ledger.releaseHeld(now - HOLD_MS, now), 'cannot release the holds of old calls');
  };
  const readDefaults = () => run(deps.refreshDefaults(), 'cannot read the defaults of rules');
  const revoke = () => run(revokeRemoved({ store: store.connections, openConnections, logger }), 'cannot remove connections');
  const expire = () => run(removeExpiredFlows({ store: store.connect, openConnections }), 'cannot remove expired links');
  const approve = () => run(approvalJobs.run(), 'cannot go on with approvals');
  const removeApprovals = () => run(approvalJobs.remove(), 'cannot remove old approvals');
  const list = () => {
    if (listingJobs) run(listingJobs.run(), 'cannot count the minutes of toolkits, or store new texts of actions; the next run does');
  };
  const timers = [
    setInterval(adopt, ADOPT_MS).unref(),
    setInterval(look, UNKNOWN_MS).unref(),
    setInterval(revoke, REVOKE_MS).unref(),
    setInterval(readDefaults, DEFAULTS_MS).unref(),
    setInterval(expire, EXPIRE_MS).unref(),
    setInterval(approve, APPROVE_MS).unref(),
    setInterval(removeApprovals, EXPIRE_MS).unref(),
    setInterval(() => searches.sweep(), SWEEP_MS).unref(),
    setInterval(list, LIST_MS).unref(),
    setInterval(countMisfits, MISFITS_MS).unref(),
    setInterval(prune, PRUNE_MS).unref(),
    setTimeout(applyRetention, FIRST_PRUNE_MS).unref(),
    setInterval(applyRetention, PRUNE_MS).unref(),
    setTimeout(releaseHeld, FIRST_PRUNE_MS).unref(),
    setInterval(releaseHeld, PRUNE_MS).unref(),
  ];
  const watchdog = new EventLoopWatchdog({ readiness, logger });
  metrics?.watchEventLoop(watchdog);
  const stops = [
    store.onForeignChange(follow),
    bus.onConnection((connected) => nats.set(connected ? undefined : 'NATS cannot be reached')),
    () => watchdog.stop(),
  ];
  return {
    stop() {
      for (const timer of timers) clearInterval(timer);
      for (const stop of stops) stop();
    },
    settled: () => work.settled(),
  };
}

/** A reason of not being ready that can be set and cleared. */
class NotReadyReason {
  readonly #readiness: Readiness;
  #reason: string | undefined;
  #unblock: (() => void) | undefined;

  constructor(readiness: Readiness) {
    this.#readiness = readiness;
  }

  set(reason: string | undefined): void {
    if (reason === this.#reason) return;
    this.#unblock?.();
    this.#reason = reason;
    this.#unblock = reason === undefined ? undefined : this.#readiness.block(reason);
  }
}
