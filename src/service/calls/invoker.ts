/**
 * The way of one call: decode, authorise, check, then run it here or let another node run it, and tell everyone who waits for it.
 *
 * Shape:  a `Run` for each call that somebody waits for; of equal calls at once (same key, same payload) only one runs.
 * Errors: rejects with SvcError; docs/errors.md has them all.
 */
import { hash } from 'node:crypto';
import { SvcError, type SvcErrorCode } from '../../protocol/errors';
import type { Progress, ResolveResponse } from '../../protocol/http';
import { parseActionId } from '../../protocol/ids';
import type { Limits } from '../../protocol/limits';
import { readTraceContext, type TraceContext } from '../../protocol/trace-context';
import { actionInfo } from '../catalog/action-info';
import type { Catalog } from '../catalog/catalog';
import type { AnswerCall, Cluster, NodeServer } from '../cluster/cluster';
import type { CallMessage, JoinMessage } from '../cluster/messages';
import { sharedCount } from '../cluster/shared-counts';
import { Attempt } from '../hub/attempt';
import type { Hub } from '../hub/hub';
import type { RegisteredInstance } from '../hub/instance-lifecycle';
import type { CallingKey } from '../keys/agent-tokens';
import { allowed } from '../keys/allowed';
import type { Logger } from '../lib/logger';
import type { InvocationRecord, InvocationStart, InvocationStore, KeyRecord } from '../store/store';
import { Admission, type AdmittedCall } from './admission';
import { CallDirectory } from './call-directory';
import type { CallObservers, ObservedRequest } from './call-observer';
import { newInvocationId } from './invocation-id';
import { LocalExecutor } from './local-executor';
import { mayRunAgain } from './may-run-again';
import { type Caller, type Ended, PendingCall } from './pending-call';
import { RemoteExecutor } from './remote-executor';
import { requireSameCall } from './replay';
import { asReplayed } from './response-json';
import { DEFAULT_PART_CHARS, READ_RESULT, readPart, withFirstPart } from './result-part';
import { Timeline } from './timeline';

export interface CallRequest {
  key: CallingKey;
  /** The parsed body of the request, or the model's arguments in it. */
  body: unknown;
  idempotencyKey: string | undefined;
  timeoutMs: number | undefined;
  /** Calls back when the caller has gone; at once when it has already. */
  whenGone(listener: () => void): void;
  onProgress: ((progress: Progress) => void) | undefined;
  /** Of a longer result the caller gets the first part. */
  maxResultChars?: number | undefined;
  /** Passed on to the handler. */
  trace?: TraceContext | undefined;
  /** Of the search that led to it, as the caller says. */
  searchId?: string | undefined;
}

/** Resolves with the JSON text of an `InvokeResponse`. Rejects with SvcError. */
export type Invoke = (request: CallRequest) => Promise<string>;

interface InvokerDeps {
  catalog: Catalog;
  hub: Hub;
  cluster: Cluster;
  node: string;
  store: InvocationStore;
  observers: CallObservers;
  limits: Limits;
  logger: Logger;
}

/** How often other nodes are asked that say they offer an action, and do not take the call. */
const MAX_ROUNDS = 3;

/** Outcomes that say nothing of what the handler does: a result that comes after them replaces them. */
const GIVEN_UP: ReadonlySet<string> = new Set<SvcErrorCode>(['OUTCOME_UNKNOWN', 'INVOCATION_TIMEOUT', 'INVOCATION_CANCELLED']);

export class Invoker implements NodeServer {
  readonly #catalog: Catalog;
  readonly #hub: Hub;
  readonly #cluster: Cluster;
  readonly #node: string;
  readonly #store: InvocationStore;
  readonly #observers: CallObservers;
  readonly #limits: Limits;
  readonly #logger: Logger;
  readonly #reader: Admission;
  readonly #runs = new CallDirectory();
  readonly #here: LocalExecutor;
  readonly #others: RemoteExecutor;
  readonly #callsByKey = new Map<string, number>();
  /** Calls of other nodes, by the ids that those gave them -> what their callers' leaving does. */
  readonly #callersElsewhere = new Map<string, () => void>();
  #draining = false;
  #stopping = false;

  constructor(deps: InvokerDeps) {
    const { catalog, hub, cluster, node, store, limits, observers } = deps;
    this.#catalog = catalog;
    this.#hub = hub;
    this.#cluster = cluster;
    this.#node = node;
    this.#store = store;
    this.#observers = observers;
    this.#limits = limits;
    this.#logger = deps.logger;
    this.#reader = new Admission(catalog, limits);
    const adopt = (record: InvocationRecord) => this.#waitForInstance(record);
    this.#others = new RemoteExecutor({ cluster, node, store, runs: this.#runs, adopt, limits });
    this.#here = new LocalExecutor({ node, catalog, hub, store, others: this.#others, observers, limits, logger: deps.logger });
  }

  readonly invoke: Invoke = async (call) => {
    const request: ObservedRequest = {
      key: call.key,
      searchId: call.searchId,
      trace: call.trace,
      askedAction: undefined,
      accepted: undefined,
    };
    const startedAt = performance.now();
    const trace = this.#observers.requestReceived(request);
    let code: string = 'OK';
    try {
      return await this.#invoke({ ...call, trace }, request);
    } catch (error) {
      code = SvcError.is(error) ? error.code : 'INTERNAL';
      throw error;
    } finally {
      this.#observers.requestEnded(request, code, performance.now() - startedAt);
    }
  };

  async #invoke(call: CallRequest, request: ObservedRequest): Promise<string> {
    if (this.#draining) throw this.#stoppingError('try again');
    this.#enter(call.key.id);
    try {
      const read = this.#read(call, request);
      if (read.action === READ_RESULT) return await this.#readResult(call, read);
      const { run, replayed } = this.#runOf(call, read);
      request.accepted = { invocationId: run.record.id, actionId: read.actionId, toolkitId: read.action.toolkitId };
      this.#observers.requestAccepted(request);
      const response = await run.wait(this.#caller(call));
      const whole = replayed ? asReplayed(response) : response;
      // What is not kept cannot be read on in.
      return call.maxResultChars === undefined || call.idempotencyKey === undefined ? whole : withFirstPart(whole, call.maxResultChars);
    } finally {
      this.#leave(call.key.id);
    }
  }

  /** A part of a result that is kept for retries: no handler runs, nothing is recorded. */
  async #readResult({ key, maxResultChars = DEFAULT_PART_CHARS }: CallRequest, { payload }: AdmittedCall): Promise<string> {
    const { handle, offset } = payload as { handle: string; offset: number };
    const record = await this.#store.get(handle);
    if (record?.agentKeyId !== key.id || record.outcome?.code !== 'OK' || record.outcome.body === null)
      throw new SvcError(
        'NOT_FOUND',
        `No result is kept under "${handle.slice(0, 100)}": it is too old, or is not yours. Run its action again`,
      );
    if (!allowed(key, record.action)) throw new SvcError('ACTION_NOT_ALLOWED', `This key may not use "${record.action}" any more`);
    return readPart(record.outcome.body, { offset, maxChars: maxResultChars });
  }

  /** What a call with this body would run now: nothing is run, nothing is recorded. */
  resolve(key: KeyRecord, body: unknown): ResolveResponse {
    const { actionId, action, payload, repaired } = this.#reader.read(key, body);
    return { action: actionInfo(actionId, action), payload, ...(repaired.length > 0 && { repaired }) };
  }

  /** Calls that nodes which are gone left without an outcome: their handlers may still run. */
  async adoptAbandoned(): Promise<void> {
    // Of its own, another node may have taken some while this one was frozen.
    for (const record of await this.#store.takeAbandoned()) if (!this.#runs.claimed(record.id)) this.#waitForInstance(record);
  }

  /** Of the invocations that an instance brings along, those whose outcome is still waited for, or was given up. */
  async adoptReturned(toolkitId: string, ids: readonly string[]): Promise<Attempt[]> {
    const records = await Promise.all(ids.map((id) => this.#store.get(id)));
    const wanted = records.filter((record) => record !== undefined && parseActionId(record.action)?.toolkitId === toolkitId);
    const open = wanted.flatMap((record) => (record && record.outcome === null ? [record.id] : []));
    const given = wanted.flatMap((record) => (record?.outcome && GIVEN_UP.has(record.outcome.code) ? [record] : []));
    const taken = open.length === 0 ? [] : await this.#store.take(open);
    return [...taken, ...given].map((record) => {
      const run = this.#runs.claimed(record.id);
      return run?.invocation.isSettled === false ? run.invocation : this.#adopt(record).invocation;
    });
  }

  call(message: CallMessage, payloadJson: string, answer: AnswerCall): void {
    const { id, agentKeyId, claimKey, idempotencyKey, requestHash, action, attempt, timeoutMs, repaired, userId, searchId } = message;
    const parsed = parseActionId(action);
    const fail = (error: SvcError) => answer({ kind: 'error', from: this.#node, error: error.toJSON(), attempts: attempt, refused: true });
    if (!parsed) return fail(new SvcError('INVALID_REQUEST', 'There is no such action'));
    if (this.#stopping) return fail(this.#stoppingError('try again'));
    if (message.ifFree && !this.#hub.isFree(parsed.toolkitId, parsed.actionName)) return answer({ kind: 'busy' });
    const record = { id, agentKeyId, idempotencyKey: claimKey, requestHash, action, startedAt: Date.now() };
    const invocation = new Attempt({
      id,
      ...parsed,
      agentId: agentKeyId,
      userId,
      idempotencyKey,
      attempt,
      payloadJson,
      deadline: record.startedAt + timeoutMs,
      ...readTraceContext(message.traceparent, message.tracestate),
    });
    const timeline = message.watched ? new Timeline(this.#node) : undefined;
    try {
      const run =
        this.#joinHere(record, invocation) ??
        this.#start(new PendingCall(record, invocation, { repaired, fromNode: true, timeline, searchId }));
      this.#answerNode(run, { callId: id, agentKeyId, timeoutMs }, answer);
    } catch (error) {
      fail(error as SvcError);
    }
  }

  join({ id, callId, agentKeyId, timeoutMs }: JoinMessage, answer: AnswerCall): void {
    const run = this.#runs.claimed(id);
    if (!run || run.record.agentKeyId !== agentKeyId || this.#stopping) return answer({ kind: 'unknown' });
    this.#answerNode(run, { callId, agentKeyId, timeoutMs }, answer);
  }

  cancel(callId: string): void {
    this.#callersElsewhere.get(callId)?.();
  }

  othersCounted(): void {
    this.#hub.pump();
  }

  instanceMoved(registered: RegisteredInstance): void {
    this.#hub.instanceMoved(registered);
  }

  /** The calls of an agent key that was revoked fail now. */
  refuseKey(keyId: string, code: 'KEY_REVOKED' | 'KEY_EXPIRED'): void {
    const error = new SvcError(code, 'The key was withdrawn while the call was under way');
    for (const run of this.#runs) run.dismiss(error, (caller) => caller.keyId === keyId);
  }

  /** Calls of one agent key that are under way here. */
  get callsByKey(): ReadonlyMap<string, number> {
    return this.#callsByKey;
  }

  /** No new calls, but those that other nodes send to the replicas that are still here. Resolves when nobody waits for one any more. */
  async drain(): Promise<void> {
    this.#draining = true;
    for (;;) {
      const waited = [...this.#runs].filter((run) => run.hasCallers);
      if (waited.length === 0) return;
      await Promise.all(waited.map((run) => run.ended));
    }
  }

  /** Callers are told at once; what was sent stays open in the store, for whoever takes it. */
  close(): void {
    this.#draining = true;
    this.#stopping = true;
    for (const run of this.#runs) {
      const { id, idempotencyKey } = run.record;
      const error =
        run.sent && idempotencyKey === null
          ? new SvcError('OUTCOME_UNKNOWN', `The service stopped while ${id} ran`, { invocationId: id })
          : this.#stoppingError('try again with the same idempotency key');
      run.dismiss(error);
    }
  }

  /** Another node can be asked at once, the next process of the only one when it has started. */
  #stoppingError(advice: string): SvcError {
    return new SvcError('SERVICE_STOPPING', `The service is stopping; ${advice}`, { retryAfterMs: this.#cluster.size > 0 ? 50 : 1_000 });
  }

  #enter(keyId: string): void {
    const calls = this.#callsByKey.get(keyId) ?? 0;
    const all = calls + this.#cluster.count(sharedCount.calls, keyId);
    if (all >= this.#limits.invocationsPerKey) {
      throw new SvcError('RATE_LIMITED', `${all} calls of this key are under way, which is its limit`, { retryAfterMs: 1_000 });
    }
    this.#callsByKey.set(keyId, calls + 1);
  }

  #leave(keyId: string): void {
    const calls = (this.#callsByKey.get(keyId) ?? 1) - 1;
    if (calls === 0) this.#callsByKey.delete(keyId);
    else this.#callsByKey.set(keyId, calls);
  }

  #read({ key, body }: CallRequest, request: ObservedRequest): AdmittedCall {
    const startedAt = Date.now();
    let action = '';
    let payload = body;
    try {
      return this.#reader.read(key, body, (decoded) => {
        action = decoded.action.slice(0, 100);
        payload = decoded.payload;
        request.askedAction = action;
      });
    } catch (error) {
      if (SvcError.is(error)) {
        const record = { id: newInvocationId(), agentKeyId: key.id, idempotencyKey: null, requestHash: '', action, startedAt };
        this.#store.refused(record, { code: error.code, body: null, endedAt: Date.now() });
        this.#observers.callRefused({ id: record.id, payload, error });
      }
      throw error;
    }
  }

  #caller({ key, timeoutMs, whenGone, onProgress }: CallRequest): Caller {
    return { keyId: key.id, timeoutMs: this.#clampTimeout(timeoutMs), whenGone, onProgress };
  }

  #clampTimeout(timeoutMs = this.#limits.defaultTimeoutMs): number {
    return Math.min(timeoutMs, this.#limits.maxTimeoutMs);
  }

  /** Synchronous up to its place among the runs: of two equal calls at once only one runs. */
  #runOf(call: CallRequest, { actionId, action, payloadJson, repaired }: AdmittedCall): { run: PendingCall; replayed: boolean } {
    const { key, idempotencyKey } = call;
    const userId = key.token?.userId;
    const record: InvocationStart = {
      id: newInvocationId(),
      agentKeyId: key.id,
      idempotencyKey: idempotencyKey ?? null,
      requestHash: idempotencyKey === undefined ? '' : hash('sha256', requestText(actionId, payloadJson, userId), 'hex'),
      action: actionId,
      startedAt: Date.now(),
    };
    const invocation = new Attempt({
      id: record.id,
      toolkitId: action.toolkitId,
      actionName: action.name,
      agentId: key.id,
      userId,
      idempotencyKey: idempotencyKey ?? record.id,
      attempt: 1,
      payloadJson,
      deadline: record.startedAt + this.#clampTimeout(call.timeoutMs),
      ...call.trace,
    });
    const running = this.#join(record, invocation);
    if (running) return { run: running, replayed: true };
    const observers = this.#observers;
    const timeline = observers.needTimelines ? new Timeline(this.#node) : undefined;
    if (userId !== undefined) timeline?.add('user', userId);
    const run = new PendingCall(record, invocation, { repaired, timeline, searchId: call.searchId, observer: observers });
    observers.callStarted(run);
    return { run: this.#start(run), replayed: false };
  }

  /** The run of an equal call. Throws IDEMPOTENCY_MISMATCH when the key belongs to another one. */
  #join(record: InvocationStart, { request }: Attempt): PendingCall | undefined {
    const running = this.#runs.underKey(record);
    if (!running) return undefined;
    requireSameCall(running.record, record.requestHash);
    running.lend(request);
    return running;
  }

  /** For another node: not one that may wait for that node itself. Of two runs under one key the store lets one begin. */
  #joinHere(record: InvocationStart, invocation: Attempt): PendingCall | undefined {
    const running = this.#runs.underKey(record);
    return running?.claimed || running?.fromNode ? this.#join(record, invocation) : undefined;
  }

  #start(run: PendingCall): PendingCall {
    this.#track(run);
    void this.#finish(run, this.#execute(run));
    return run;
  }

  #track(run: PendingCall): void {
    this.#runs.add(run);
    run.whenAbandoned((error) => this.#abandon(run, error));
  }

  /** Nobody here runs it: an instance may still have it. */
  #waitForInstance(record: InvocationRecord): void {
    const { reconnectGraceMs, takeoverGraceMs } = this.#limits;
    this.#hub.adopt(this.#adopt(record).invocation, mayRunAgain(this.#catalog, record.action) ? reconnectGraceMs : takeoverGraceMs);
  }

  #adopt(record: InvocationRecord): PendingCall {
    const { id, agentKeyId, idempotencyKey, action } = record;
    const { toolkitId, actionName } = parseActionId(action) ?? { toolkitId: '', actionName: '' };
    const call = { id, toolkitId, actionName, agentId: agentKeyId, idempotencyKey: idempotencyKey ?? id, attempt: 1 };
    // It is not sent, and whoever waits for it leaves in time.
    const deadline = Date.now() + this.#limits.maxTimeoutMs;
    const run = new PendingCall(record, new Attempt({ ...call, payloadJson: null, deadline }));
    run.claimed = true;
    run.sent = true;
    this.#track(run);
    void this.#finish(
      run,
      this.#here.outcome(run).then((ended) => ended ?? this.#execute(run)),
    );
    return run;
  }

  /** Ends the run with whatever came of it; never rejects. */
  async #finish(run: PendingCall, outcome: Promise<Ended>): Promise<void> {
    const ended = await outcome.catch((error: unknown): Ended => {
      if (SvcError.is(error)) return { error };
      const { id } = run.record;
      this.#logger.error({ error, invocation: id }, 'invocation failed inside the service');
      const unknown = run.sent && new SvcError('OUTCOME_UNKNOWN', `The service failed after it had sent ${id}`, { invocationId: id });
      return { error: unknown || new SvcError('INTERNAL', 'The service failed; its log has the reason', { invocationId: id }) };
    });
    this.#runs.delete(run);
    run.end(ended);
  }

  /** Here where a replica is free, else where one may be, else here in the queue. */
  async #execute(run: PendingCall): Promise<Ended> {
    try {
      for (let rounds = 0; ; rounds++) {
        if (run.claimed || this.#here.isFree(run) || !this.#others.offer(run)) {
          const ended = await this.#runHere(run);
          if (ended) return ended;
        } else if (!this.#here.offers(run) && rounds < MAX_ROUNDS) {
          const ended = await this.#others.send(run);
          if (ended) return ended;
        } else {
          return (await this.#others.sendToFree(run)) ?? (await this.#here.run(run));
        }
      }
    } catch (error) {
      // The action did not run: its idempotency key may be used again.
      if (SvcError.is(error) && !run.sent) {
        this.#store.refused(run.record, { code: error.code, body: null, endedAt: Date.now() });
        if (run.timeline) run.timeline.bookedAs = run.record.id;
      }
      throw error;
    }
  }

  /** Undefined when the last replica has gone, and another node has one. */
  async #runHere(run: PendingCall): Promise<Ended | undefined> {
    try {
      return await this.#here.run(run);
    } catch (error) {
      if (!SvcError.is(error) || error.code !== 'TOOLKIT_OFFLINE' || !this.#others.offer(run)) throw error;
      if (run.claimed) {
        this.#store.refused(run.record, { code: error.code, body: null, endedAt: Date.now() });
        await this.#store.settled();
      }
      run.startOver(run.attempt);
      return undefined;
    }
  }

  #answerNode(run: PendingCall, caller: { callId: string; agentKeyId: string; timeoutMs: number }, answer: AnswerCall): void {
    const { callId, agentKeyId, timeoutMs } = caller;
    const waiting: Caller = {
      keyId: agentKeyId,
      timeoutMs,
      whenGone: (leave) => this.#callersElsewhere.set(callId, leave),
      onProgress: (progress) => answer({ kind: 'progress', progress }),
    };
    const told = () => (run.timeline && run.record.id === callId ? { timeline: run.timeline.entries } : {});
    run
      .wait(waiting)
      .then(
        (response) => answer({ kind: 'result', ...told() }, run.record.id === callId ? response : asReplayed(response)),
        (error: SvcError) =>
          answer({ kind: 'error', from: this.#node, error: error.toJSON(), attempts: run.attempt, refused: !run.sent, ...told() }),
      )
      .finally(() => this.#callersElsewhere.delete(callId));
  }

  /** A handler that does not answer a cancel is given up; its late result would still count before that. */
  #abandon(run: PendingCall, error: SvcError): void {
    if (!run.sent || this.#stopping) return;
    this.#hub.cancel(run.invocation, error.code === 'INVOCATION_TIMEOUT' ? 'timeout' : 'cancelled');
    const giveUp = () => {
      // After `close` the store takes nothing more; whoever takes the call asks the handler's process.
      if (!this.#stopping && run.abandoned) run.invocation.settle({ error });
    };
    const timer = setTimeout(giveUp, this.#limits.reconnectGraceMs).unref();
    void run.invocation.outcome.then(() => clearTimeout(timer));
  }
}

/** What two equal calls have in common. Of two users of one key, neither gets the other's answer. */
function requestText(actionId: string, payloadJson: string, userId: string | undefined): string {
  return userId === undefined ? `${actionId}\n${payloadJson}` : `${actionId}\n${payloadJson}\n${userId}`;
}
