/**
 * Handles the requests of this node's callers: admits each one, joins equal ones, and answers.
 *
 * Shape:  concurrent equal requests (same idempotency key, same payload) share one call.
 * Errors: answers with SvcError; docs/errors.md lists them all.
 */
import { SvcError } from '#sdk/protocol/errors';
import type { ResolveResponse, UnfinishedInvocation } from '#sdk/protocol/http';
import type { Limits } from '#sdk/protocol/limits';
import { type TraceContext, traceIdOf } from '#sdk/protocol/trace-context';
import { APPROVAL_KEYS, type CallApprovals, type JoinedRun } from '../approvals/call-approvals';
import { actionInfo } from '../catalog/action-info';
import { versionOf } from '../catalog/action-version';
import type { Cluster } from '../cluster/cluster';
import type { ConnectionAsk } from '../connections/call-connections';
import type { CallUser } from '../hub/handler-users';
import { callerOf } from '../keys/caller-ids';
import { paymentRequired } from '../lib/payment-required';
import type { DecodedInvocation } from '../payload/decode-invocation';
import type { CallRules } from '../rules/call-rules';
import type { InvocationStart, InvocationStore, LedgerStore } from '../store/store';
import { isUnavailable, outcomeLater } from '../store/store-unavailable';
import type { Admission, AdmittedCall } from './admission';
import { attemptRequest } from './attempt-request';
import type { CallDirectory } from './call-directory';
import type { CallObservers, ObservedRequest } from './call-observer';
import type { AnswerCaller, AnsweredCall, Begin, CallRequest, Invoke } from './call-request';
import type { CallRunner } from './call-runner';
import type { CallShutdown } from './call-shutdown';
import { callUser } from './call-user';
import type { DetachedRunner } from './detached/detached-runner';
import { followRun } from './follow-run';
import type { Handles } from './handles';
import { newInvocationId } from './invocation-id';
import type { LocalExecutor } from './local-executor';
import type { CallOrigin, PendingCall } from './pending-call';
import { type Needs, Preparation, type PreparedCall } from './preparation';
import { readStoredResult } from './read-stored-result';
import { RefusedRequests } from './refused-requests';
import { requestHash } from './request-hash';
import type { RequiredConnections } from './required-connections';
import { asReplayed } from './response-json';
import { READ_RESULT, withFirstPart } from './result-part';
import { startOrJoin } from './start-or-join';
import { Timeline } from './timeline';

const STORED = 'It has this call. Make it again with the same idempotency key for its result';

export interface CallsDeps {
  node: string;
  store: Pick<InvocationStore, 'find' | 'get' | 'refused'>;
  ledger: Pick<LedgerStore, 'spent'>;
  admission: Admission;
  rules: CallRules;
  required: RequiredConnections;
  approvals: CallApprovals;
  detached: DetachedRunner;
  handles: Handles;
  directory: CallDirectory;
  cluster: Pick<Cluster, 'cancelCall'>;
  runner: Pick<CallRunner, 'start'>;
  local: Pick<LocalExecutor, 'stop'>;
  shutdown: CallShutdown;
  observers: CallObservers;
  limits: Pick<Limits, 'defaultTimeoutMs' | 'maxTimeoutMs' | 'longTimeoutMs'>;
}

/** A request that waits for the rest of its budget, its connection, or a person. */
interface PreparingRequest {
  readonly keyId: string;
  /** Why it must not become a call any more. */
  ended: SvcError | undefined;
}

export class Calls {
  readonly #deps: CallsDeps;
  readonly #admission: Admission;
  readonly #directory: CallDirectory;
  readonly #observers: CallObservers;
  readonly #refused: RefusedRequests;
  readonly #preparation: Preparation;
  readonly #preparing = new Set<PreparingRequest>();

  constructor(deps: CallsDeps) {
    this.#deps = deps;
    this.#admission = deps.admission;
    this.#directory = deps.directory;
    this.#observers = deps.observers;
    this.#refused = new RefusedRequests(deps);
    this.#preparation = new Preparation({ ...deps, refused: this.#refused, timeoutOf: (request, call) => this.#timeoutOf(request, call) });
  }

  readonly invoke: Invoke = (request) => {
    const { promise, resolve, reject } = Promise.withResolvers<AnsweredCall>();
    this.begin(request, (error, json, status = 200) => {
      if (error === undefined) resolve({ json, status });
      else reject(error);
    });
    return promise;
  };

  readonly begin: Begin = (request, answer) => {
    const { key, searchId } = request;
    const startedAt = performance.now();
    const observed: ObservedRequest = { key, startedAt, searchId, trace: request.trace, askedAction: undefined, accepted: undefined };
    const trace = this.#observers.requestReceived(observed);
    const end: AnswerCaller = (error, responseJson, status) => {
      const code = error === undefined ? 'OK' : SvcError.is(error) ? error.code : 'INTERNAL';
      this.#observers.requestEnded(observed, code, performance.now() - startedAt);
      answer(error, responseJson, status);
    };
    try {
      if (this.#deps.shutdown.isDraining) throw this.#deps.shutdown.error('try again');
      if (!request.detached) refuseApprovalKey(request);
      // A call that goes on without its caller was counted when its caller made it.
      if (!request.detached) this.#admission.enter(key.id);
    } catch (error) {
      return end(error, '');
    }
    const leave: AnswerCaller = (error, responseJson, status) => {
      if (!request.detached) this.#admission.leave(key.id);
      end(error, responseJson, status);
    };
    try {
      this.#admit(request, trace, observed, leave);
    } catch (error) {
      leave(error, '');
    }
  };

  /** Returns the action and payload that a call with this body would run. Runs nothing; makes the question that the caller's own rules ask for. */
  async resolve(request: CallRequest): Promise<ResolveResponse> {
    const admitted = this.#admission.admit(request.key, request.body);
    const { actionId, action, payload, repaired, payment } = admitted;
    if (payment?.refusal !== undefined)
      throw paymentRequired(payment.refusal, { price: payment.hold.amount, currency: payment.hold.currency });
    const needs = this.#preparation.needsOf(request, admitted);
    const decidedBy = needs.approval?.decidedBy;
    const approval = request.ask ? await this.#preparation.question(request, admitted, needs) : decidedBy && { decidedBy };
    return {
      action: actionInfo(actionId, action),
      payload,
      ...(repaired.length > 0 && { repaired }),
      version: versionOf(action),
      ...(approval && { approval }),
    };
  }

  /** Ends the requests of an agent key that was revoked or has expired. */
  refuseKey(keyId: string, code: 'KEY_REVOKED' | 'KEY_EXPIRED'): void {
    const error = new SvcError(code, 'The key was withdrawn while the call was in progress');
    for (const request of this.#preparing) if (request.keyId === keyId) request.ended = error;
    for (const call of this.#directory) call.dismiss(error, (caller) => caller.keyId === keyId);
  }

  /** A person cancels a running call, at whichever node it runs. One that goes on without its caller is cancelled by its driver. */
  async cancel(id: string): Promise<void> {
    if (await this.#deps.detached.cancelRunning(id)) return;
    this.#directory.claimed(id)?.cancel();
    this.#deps.cluster.cancelCall(id);
  }

  /** Refuses new calls from callers, not yet from other nodes. Resolves when no caller waits any more. */
  async drain(): Promise<void> {
    this.#deps.shutdown.drain();
    this.#preparation.stopWaiting();
    for (;;) {
      const waited = [...this.#directory].filter((call) => call.hasCallers);
      if (waited.length === 0) return;
      await Promise.all(waited.map((call) => call.ended));
    }
  }

  /** Answers every waiting caller. Dispatched calls stay open in the store, so that another node can take them over. */
  close(): void {
    const { shutdown, local } = this.#deps;
    shutdown.stop();
    this.#preparation.stopWaiting();
    local.stop();
    for (const request of this.#preparing) request.ended = shutdown.error('try again');
    for (const call of this.#directory) {
      const { id, idempotencyKey } = call.record;
      const error =
        call.mayHaveRun && idempotencyKey === null
          ? new SvcError('OUTCOME_UNKNOWN', `The service stopped while ${id} ran`, { invocationId: id })
          : shutdown.error('try again with the same idempotency key');
      call.dismiss(error);
    }
  }

  #admit(request: CallRequest, trace: TraceContext | undefined, observed: ObservedRequest, answer: AnswerCaller): void {
    const { admitted, needs } = this.#check(request, observed);
    if (admitted.action === READ_RESULT) {
      readStoredResult(this.#deps, request, admitted.payload).then(
        (json) => answer(undefined, json),
        (error: unknown) => answer(error, ''),
      );
      return;
    }
    const isDetached = goesOnAlone(request, admitted);
    if (!isDetached && !needs.connection && !needs.approval && !needs.mayHaveAsked && admitted.payment?.refusal === undefined)
      return this.#join(request, admitted, { trace, observed, answer });
    const preparing: PreparingRequest = { keyId: request.key.id, ended: undefined };
    this.#preparing.add(preparing);
    this.#preparation
      .prepare(request, admitted, needs, observed)
      .finally(() => this.#preparing.delete(preparing))
      .then((prepared) => {
        if (preparing.ended) throw preparing.ended;
        if (goesOnAlone(request, prepared)) return this.#detach(request, prepared, observed, answer);
        const run = runOf(prepared);
        if (run?.isAlone) return this.#followRun(request, { ...prepared, run }, observed, answer);
        this.#join(...ofApproval(request, prepared), { trace, observed, answer });
      })
      .catch((error: unknown) => answer(error, ''));
  }

  /** Answers with a handle when the call is stored, or when the caller has waited for its end. */
  async #detach(request: CallRequest, prepared: PreparedCall, observed: ObservedRequest, answer: AnswerCaller): Promise<void> {
    const { key, callerIds, idempotencyKey, connectionNames, maxPayment, searchId, madeBy, prefer, onDisconnect } = request;
    const { actionId, action, payloadJson, actionVersion, ask, used } = prepared;
    const run = runOf(prepared);
    if (idempotencyKey === undefined)
      throw new SvcError('INVALID_REQUEST', 'Prefer: respond-async needs an Idempotency-Key, under which the result is kept');
    if (used && used.id === undefined) throw withoutCaller(action.toolkitId);
    const newId = newInvocationId();
    const id =
      run?.id ??
      (await this.#deps.detached.start({
        id: newId,
        key,
        callerIds,
        actionId,
        payloadJson,
        idempotencyKey,
        requestHash: requestHash(request, prepared, ask?.name),
        deadlineAt: Date.now() + this.#timeoutOf(request, prepared),
        connectionNames,
        maxPayment,
        actionVersion,
        searchId,
        madeBy,
      }));
    observed.accepted = { invocationId: id, actionId, toolkitId: action.toolkitId };
    this.#observers.requestAccepted(observed);
    const wait = { waitMs: prefer?.waitMs ?? 0, onDisconnect };
    const { json, status } = await this.#deps.detached.follow(id, key, wait).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      // An earlier call may have ended.
      if (id !== newId) throw outcomeLater(STORED, error);
      const running: UnfinishedInvocation = { invocationId: id, status: 'running' };
      return { json: JSON.stringify(running), status: 202 as const };
    });
    if (status === 200) run?.delivered();
    answer(undefined, status === 200 ? responseTo(request, json) : json, status);
  }

  /** A caller that joined the run could start it once more, after a failure that its handler calls retryable. */
  async #followRun(
    request: CallRequest,
    { run, ...prepared }: PreparedCall & { run: JoinedRun },
    observed: ObservedRequest,
    answer: AnswerCaller,
  ): Promise<void> {
    const { key, maxResultChars, onDisconnect, onProgress } = request;
    observed.accepted = { invocationId: run.id, actionId: prepared.actionId, toolkitId: prepared.action.toolkitId };
    this.#observers.requestAccepted(observed);
    const timeoutMs = this.#timeoutOf(request, prepared);
    try {
      const json = await followRun(this.#deps, { id: run.id, key, timeoutMs, onDisconnect, onProgress });
      run.delivered();
      answer(undefined, responseTo({ maxResultChars, idempotencyKey: run.idempotencyKey }, json));
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      this.#answerError(error, prepared.ask, answer);
    }
  }

  #join(
    request: CallRequest,
    admitted: PreparedCall,
    { trace, observed, answer }: { trace: TraceContext | undefined; observed: ObservedRequest; answer: AnswerCaller },
  ): void {
    const { call, isNew } = this.#callOf(request, admitted, trace, observed.startedAt);
    observed.accepted = { invocationId: call.id, actionId: admitted.actionId, toolkitId: admitted.action.toolkitId };
    this.#observers.requestAccepted(observed);
    // Neither the request nor the admitted call: body and payload would stay in memory until the answer.
    const { ask } = admitted;
    const run = runOf(admitted);
    const { key, onDisconnect, onProgress, maxResultChars, idempotencyKey, detached } = request;
    call.join({
      keyId: key.id,
      timeoutMs: this.#timeoutOf(request, admitted),
      detached,
      onDisconnect,
      onProgress,
      answer: (ended) => {
        if ('error' in ended) return this.#answerError(ended.error, ask, answer);
        run?.delivered();
        answer(undefined, responseTo({ maxResultChars, idempotencyKey }, isNew ? ended.responseJson : asReplayed(ended.responseJson)));
      },
    });
  }

  /** The handler of a call that needs another account does not know how to connect it. */
  #answerError(error: SvcError, ask: ConnectionAsk | undefined, answer: AnswerCaller): void {
    if (error.code !== 'CONNECTION_REQUIRED' || !ask) return answer(error, '');
    this.#deps.required.refusedByHandler(ask, error).then(
      (explained) => answer(explained, ''),
      (failure: unknown) => answer(failure, ''),
    );
  }

  #check(request: CallRequest, observed: ObservedRequest): { admitted: AdmittedCall; needs: Needs } {
    const { key, body, maxPayment, actionVersion, detached } = request;
    const startedAt = Date.now();
    let payload = body;
    try {
      const onDecoded = (decoded: DecodedInvocation) => {
        observed.askedAction = decoded.action.slice(0, 100);
        payload = decoded.payload;
      };
      const admitted = this.#admission.admit(key, body, { maxPayment, actionVersion, isDecoded: detached, onDecoded });
      // The rules of the caller were held against this version: no other may run after a wait in a queue.
      if (request.ask) admitted.actionVersion ??= versionOf(admitted.action);
      return { admitted, needs: this.#preparation.needsOf(request, admitted) };
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      throw this.#refused.record(request, { payload, startedAt }, observed, error);
    }
  }

  #callOf(
    request: CallRequest,
    admitted: PreparedCall,
    trace: TraceContext | undefined,
    startedAt: number,
  ): { call: PendingCall; isNew: boolean } {
    const record = startOf(request, admitted);
    const user = callUser(request.key, request.callerIds);
    const attempt = attemptRequest(record, {
      toolkitId: admitted.action.toolkitId,
      actionName: admitted.action.name,
      actionVersion: admitted.actionVersion,
      ...user,
      idempotencyKey: request.idempotencyKey ?? record.id,
      attempt: 1,
      payloadJson: admitted.payloadJson,
      ...(admitted.used && { used: admitted.used }),
      deadline: record.startedAt + this.#timeoutOf(request, admitted),
      ...trace,
    });
    const observed = { startedAt, trace };
    return startOrJoin(this.#deps, { record, request: attempt, origin: () => this.#originOf(request, admitted, user, observed) });
  }

  #originOf(
    { key, callerIds, searchId }: CallRequest,
    { repaired }: AdmittedCall,
    { userId }: CallUser,
    { startedAt, trace }: { startedAt: number; trace: TraceContext | undefined },
  ): CallOrigin {
    const observer = this.#observers;
    const timeline = observer.needTimelines ? new Timeline(this.#deps.node, startedAt) : undefined;
    if (userId !== undefined) timeline?.add('user', userId);
    if (trace) timeline?.traced(traceIdOf(trace));
    return { from: 'caller', repaired, timeline, searchId, callerIds: callerOf(key, callerIds), observer };
  }

  /**
   * A call without a caller takes all the time that it may have; a caller waits for a minute unless it says otherwise. The timeout of a
   * request with a time to wait is that of its caller, not of a call that goes on alone.
   */
  #timeoutOf(request: CallRequest, call: PreparedCall): number {
    const { defaultTimeoutMs, maxTimeoutMs, longTimeoutMs } = this.#deps.limits;
    const most = call.action.long ? longTimeoutMs : maxTimeoutMs;
    const isAlone = goesOnAlone(request, call);
    const timeoutMs = isAlone && request.prefer?.waitMs !== undefined ? undefined : request.timeoutMs;
    return Math.min(timeoutMs ?? (isAlone ? most : defaultTimeoutMs), most);
  }
}

/** A caller that could name such a key would get the outcome of an approved call, or hold its place. */
function refuseApprovalKey({ idempotencyKey }: CallRequest): void {
  if (!idempotencyKey?.startsWith(APPROVAL_KEYS)) return;
  throw new SvcError('INVALID_REQUEST', `An idempotency key must not begin with "${APPROVAL_KEYS}": the service makes such keys`);
}

/**
 * A request with a time to wait goes on without its caller only for an action that may take long, and never with the credential of a caller, which is
 * not kept.
 */
function goesOnAlone({ prefer }: CallRequest, { action, used }: PreparedCall): boolean {
  if (!prefer?.respondAsync) return false;
  return prefer.waitMs === undefined || (action.long === true && !(used && used.id === undefined));
}

/** The run of the approval to which the call belongs. */
function runOf({ approved }: PreparedCall): JoinedRun | undefined {
  return approved && 'run' in approved ? approved.run : undefined;
}

/** Everyone who asked for the same approval gets the outcome of its one run. */
function ofApproval(request: CallRequest, prepared: PreparedCall): [CallRequest, PreparedCall] {
  const run = runOf(prepared);
  if (!run) return [request, prepared];
  const { idempotencyKey, actionVersion } = run;
  return [
    { ...request, idempotencyKey },
    { ...prepared, actionVersion },
  ];
}

function withoutCaller(toolkitId: string): SvcError {
  const message = `Toolkit "${toolkitId}" acts with a credential that its caller sends, and the service keeps none: wait for the result, without Prefer: respond-async`;
  return new SvcError('INVALID_REQUEST', message);
}

/** Cuts only a result that has an idempotency key: without one the result is not stored, so its rest could not be read. */
function responseTo({ maxResultChars, idempotencyKey }: Pick<CallRequest, 'maxResultChars' | 'idempotencyKey'>, json: string): string {
  return maxResultChars === undefined || idempotencyKey === undefined ? json : withFirstPart(json, maxResultChars);
}

function startOf(request: CallRequest, admitted: PreparedCall): InvocationStart {
  const { key, idempotencyKey, madeBy } = request;
  const { actionId, payment } = admitted;
  const id = request.invocationId ?? newInvocationId();
  const start: InvocationStart = {
    id,
    agentKeyId: key.id,
    idempotencyKey: idempotencyKey ?? null,
    requestHash: idempotencyKey === undefined ? '' : requestHash(request, admitted, admitted.ask?.name),
    action: actionId,
    startedAt: Date.now(),
  };
  if (madeBy !== undefined) start.madeBy = madeBy;
  if (key.origin !== undefined) start.origin = key.origin;
  if (!payment) return start;
  // A hold without an idempotency key would not be durable before the handler runs.
  start.idempotencyKey ??= id;
  // A refused payment belongs to a retry, which must not become a new call.
  start.hold = payment.refusal === undefined ? payment.hold : { ...payment.hold, perDay: 0n };
  return start;
}
