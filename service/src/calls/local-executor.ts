/**
 * Runs calls on the replicas of this node: reserves a slot, claims the call in the store, dispatches it, and records its outcome before any
 * caller is answered.
 *
 * `run` takes a callback, so that a call with a free replica needs no promise between arrival and answer.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { Limits } from '#sdk/protocol/limits';
import type { AttemptOutcome, ResultText } from '../hub/attempt';
import type { Hub } from '../hub/hub';
import type { Slot } from '../hub/toolkit-replicas';
import type { Logger } from '../lib/logger';
import type { InvocationOutcome, InvocationStore } from '../store/store';
import { isUnavailable } from '../store/store-unavailable';
import type { CallObservers } from './call-observer';
import type { DispatchedCall, Ended, StopHandler } from './call-state';
import { KeptResults } from './kept-results';
import { callPayment, chargeOf } from './payment';
import type { PendingCall } from './pending-call';
import { replay } from './replay';
import { responseJson } from './response-json';

/** The process that ran the call has ended and reported no outcome. */
export type Gone = Extract<AttemptOutcome, { gone: unknown }>;

/** `key taken`: another call holds the key, or the id is already in the store. `not sent`: the replica disconnected before the dispatch. */
export type LocalEnd = Ended | Gone | 'key taken' | 'not sent';

/** Called once; with an error when the call did not run or its outcome could not be recorded. */
export type LocalDone = (error: unknown, end?: LocalEnd) => void;

export interface LocalExecutorDeps {
  node: string;
  hub: Pick<Hub, 'isFree' | 'offers' | 'reserve' | 'reserveNow' | 'cancel' | 'adopt'>;
  store: Pick<InvocationStore, 'start' | 'end' | 'refused' | 'keptResults' | 'forgetResults'>;
  observers: Pick<CallObservers, 'outcomeRecorded' | 'resultReceived'>;
  limits: Pick<Limits, 'resultBytes' | 'reconnectGraceMs' | 'keptResultBytesPerKey'>;
  logger: Logger;
}

export class LocalExecutor {
  readonly #node: string;
  readonly #hub: LocalExecutorDeps['hub'];
  readonly #store: LocalExecutorDeps['store'];
  readonly #observers: LocalExecutorDeps['observers'];
  readonly #limits: LocalExecutorDeps['limits'];
  readonly #logger: Logger;
  readonly #keptResults: KeptResults;
  readonly #stopHandler: StopHandler = (call, error) => this.#cancel(call, error);
  #stopped = false;

  constructor({ node, hub, store, observers, limits, logger }: LocalExecutorDeps) {
    this.#node = node;
    this.#hub = hub;
    this.#store = store;
    this.#observers = observers;
    this.#limits = limits;
    this.#logger = logger;
    this.#keptResults = new KeptResults({ store, limits, logger });
  }

  /** Whether a replica has a free slot for the call. */
  isFree({ attempt: { request } }: PendingCall): boolean {
    return this.#hub.isFree(request.toolkitId, request.actionName, request.actionVersion);
  }

  /** Whether a replica offers the action in the version of the call, busy or not. */
  offers({ attempt: { request } }: PendingCall): boolean {
    return this.#hub.offers(request.toolkitId, request.actionName, request.actionVersion);
  }

  /** Returns undefined when no replica has a free slot. */
  reserveNow(call: PendingCall): Slot | undefined {
    const { toolkitId, actionName, actionVersion } = call.attempt.request;
    return this.#hub.reserveNow(toolkitId, actionName, actionVersion);
  }

  /** Waits for a free slot. Rejects with TOOLKIT_OFFLINE, ACTION_CHANGED, QUEUE_FULL, or the last caller's error. */
  async reserve(call: PendingCall): Promise<Slot> {
    const { request } = call.attempt;
    const slot = this.#hub.reserve(request.toolkitId, request, call);
    if (!(slot instanceof Promise)) return slot;
    call.queue();
    try {
      return await slot;
    } finally {
      call.leaveQueue();
    }
  }

  /** Resolves with whether this node won the claim. */
  claim(call: PendingCall): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#claim(call, (error, isClaimed) => (error === undefined ? resolve(isClaimed) : reject(error)));
    });
  }

  run(call: PendingCall, slot: Slot, done: LocalDone): void {
    if (call.isClaimed) return this.#dispatch(call, slot, done);
    this.#claim(call, (error, isClaimed) => {
      if (isClaimed) return this.#dispatch(call, slot, done);
      slot.release();
      if (error === undefined) done(undefined, 'key taken');
      else done(error);
    });
  }

  /** Attaches to a call that was dispatched before this node had it. */
  adopt(call: PendingCall, done: LocalDone): void {
    call.adopt(this.#stopHandler);
    call.attempt.onEnd((outcome) => this.#settled(call, outcome, done));
  }

  awaitInstance(call: PendingCall, graceMs: number): void {
    this.#hub.adopt(call.attempt, graceMs);
  }

  /**
   * Resolves with the outcome in the store: a handler's outcome recorded earlier is kept.
   *
   * @param charged 0n releases the hold of a paid call. Absent: the hold stays
   */
  record(call: PendingCall, ended: Ended, charged?: bigint): Promise<Ended> {
    return new Promise((resolve, reject) => {
      this.#record(call, ended, charged, (error, recorded) => (error === undefined ? resolve(recorded as Ended) : reject(error)));
    });
  }

  /** Ignores every later cancel, so that dispatched calls stay open in the store and another node can adopt them. */
  stop(): void {
    this.#stopped = true;
  }

  #claim(call: PendingCall, done: (error: unknown, isClaimed: boolean) => void): void {
    call.askForClaim();
    this.#store.start(call.record, (error, isClaimed = false) => {
      if (isClaimed) call.winClaim(this.#node);
      else call.loseClaim();
      done(error, isClaimed);
    });
  }

  #dispatch(call: PendingCall, slot: Slot, done: LocalDone): void {
    if (call.abandoned) {
      slot.release();
      return done(call.abandoned);
    }
    if (!slot.send(call.attempt)) return done(undefined, 'not sent');
    call.dispatch(this.#stopHandler);
    call.timeline?.add('sent', `process ${slot.instance} at ${this.#node}`);
    call.attempt.onEnd((outcome) => this.#settled(call, outcome, done));
  }

  #settled(call: PendingCall, outcome: AttemptOutcome, done: LocalDone): void {
    // The hub is still updating its replicas, and the next step may reserve one.
    if ('gone' in outcome) return queueMicrotask(() => done(undefined, outcome));
    if ('error' in outcome && outcome.error.code === 'CONNECTION_REQUIRED') return this.#refuse(call, outcome, done);
    const charged = chargeOf(call.record.hold, outcome);
    this.#record(call, this.#endedOf(call, outcome, charged), charged, (error, recorded) => {
      done(error, recorded);
      if (!('error' in outcome)) this.#observers.resultReceived(call.record.action, outcome.resultJson);
    });
  }

  /** The handler did nothing: the same call runs when the account is connected. */
  #refuse(call: PendingCall, outcome: { error: SvcError }, done: LocalDone): void {
    this.#store.refused(call.record, { code: outcome.error.code, body: null, endedAt: Date.now() });
    if (call.timeline) call.timeline.recordId = call.id;
    done(undefined, outcome);
  }

  #endedOf(call: PendingCall, outcome: ResultText | { error: SvcError }, charged: bigint | undefined): Ended {
    if (!('error' in outcome)) return { responseJson: this.#responseJson(call, outcome, charged) };
    const { state } = call;
    // A handler's error after a cancel is usually the cancel itself, so record the error that the caller received. A stopping node cancels nothing.
    return { error: state.name === 'cancelled' && !this.#stopped && !outcome.error.retryable ? state.error : outcome.error };
  }

  #record(call: PendingCall, ended: Ended, charged: bigint | undefined, done: (error: unknown, recorded?: Ended) => void): void {
    // The call stays open: the node to which its process connects has the outcome.
    if (this.#stopped && 'error' in ended && ended.error.code === 'SERVICE_STOPPING') return done(undefined, ended);
    const { id, agentKeyId, action, idempotencyKey, hold, origin } = call.record;
    const { code, body } = storedTexts(ended);
    const outcome: InvocationOutcome = { code, body: idempotencyKey === null ? null : body, endedAt: Date.now(), ...factsOf(call, ended) };
    if (hold && charged !== undefined) outcome.charged = charged;
    if (call.abandoned && idempotencyKey !== null) call.attempt.onLate = (late) => this.#recordLate(call, late);
    this.#store.end(id, outcome, (error, recorded = outcome) => {
      if (error !== undefined) return done(asUnknown(id, error));
      const { searchId } = call.origin;
      // A call of a person in the console does not show what agents use.
      if (searchId !== undefined && origin === undefined) this.#observers.outcomeRecorded({ searchId, agentKeyId, action, code });
      this.#keptResults.add(agentKeyId, recorded);
      const { body: kept } = recorded;
      done(undefined, recorded.code === code || kept === null ? ended : replay({ ...recorded, body: kept }));
    });
  }

  /** The handler finished after the last caller had left: store the result for a retry, or that a retry may run, and what the call costs. */
  #recordLate(call: PendingCall, late: AttemptOutcome): void {
    const { hold, agentKeyId } = call.record;
    if ('gone' in late || ('error' in late && !hold && !late.error.retryable)) return;
    const charged = chargeOf(hold, late);
    const ended: Ended = 'error' in late ? late : { responseJson: this.#responseJson(call, late, charged) };
    const { code, body } = storedTexts(ended);
    const outcome = { code, body, endedAt: Date.now(), ...factsOf(call, ended), ...(charged !== undefined && { charged }) };
    this.#store.end(call.id, outcome).then(
      (recorded) => {
        if (recorded.body !== body) return;
        this.#keptResults.add(agentKeyId, recorded);
        call.endLate(ended);
      },
      (error: unknown) => this.#logger.error({ error, invocation: call.id }, 'a late result is lost'),
    );
  }

  #responseJson({ id, repaired, record }: PendingCall, texts: ResultText, charged: bigint | undefined): string {
    const payment = callPayment(record.hold, charged);
    const { resultJson, contentJson, metaJson } = texts;
    return responseJson({
      invocationId: id,
      resultJson,
      contentJson,
      metaJson,
      repaired,
      payment,
      maxResultBytes: this.#limits.resultBytes,
    });
  }

  /** Gives up a handler that does not answer a cancel within `reconnectGraceMs`. A result before that is kept. */
  #cancel(call: DispatchedCall, error: SvcError): void {
    if (this.#stopped) return;
    const { attempt } = call;
    this.#hub.cancel(attempt, error.code === 'INVOCATION_TIMEOUT' ? 'timeout' : 'cancelled');
    const giveUp = () => {
      if (!this.#stopped && call.abandoned) attempt.settle({ error });
    };
    const timer = setTimeout(giveUp, this.#limits.reconnectGraceMs).unref();
    attempt.onEnd(() => clearTimeout(timer));
  }
}

/** A call that is SERVICE_UNAVAILABLE did not run. This one was sent, and its outcome is not stored yet. */
function asUnknown(invocationId: string, error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  return new SvcError('OUTCOME_UNKNOWN', `${invocationId} was sent, and its result cannot be stored now: ${error.message}`, {
    invocationId,
  });
}

/** Facts of the outcome for the list of calls. */
function factsOf({ timeline }: PendingCall, ended: Ended): Pick<InvocationOutcome, 'toolkitCode' | 'took'> {
  const toolkitCode = 'error' in ended && ended.error.code === 'ACTION_FAILED' ? ended.error.details.cause?.code : undefined;
  return {
    // U+0000 is the only character that PostgreSQL rejects.
    ...(toolkitCode !== undefined && { toolkitCode: toolkitCode.replaceAll('\0', '\ufffd') }),
    ...(timeline && { took: timeline.ageTenths }),
  };
}

function storedTexts(ended: Ended): { code: string; body: string } {
  return 'error' in ended ? { code: ended.error.code, body: JSON.stringify(ended.error) } : { code: 'OK', body: ended.responseJson };
}
