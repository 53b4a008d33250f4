/**
 * Handles the requests of this node's callers: admits each one, joins equal ones, and answers.
 *
 * Shape:  concurrent equal requests (same idempotency key, same payload) share one call.
 * Errors: answers with SvcError; docs/errors.md lists them all.
 */
import { hash } from 'node:crypto';
import { SvcError } from '#sdk/protocol/errors';
import type { Progress, ResolveResponse } from '#sdk/protocol/http';
import type { Limits } from '#sdk/protocol/limits';
import type { TraceContext } from '#sdk/protocol/trace-context';
import { actionInfo } from '../catalog/action-info';
import { versionOf } from '../catalog/action-version';
import type { ConnectionAsk } from '../connections/call-connections';
import type { UsedConnection } from '../hub/attempt';
import type { CallUser } from '../hub/handler-users';
import type { CallingKey } from '../keys/agent-tokens';
import { type CallerIds, callerOf } from '../keys/caller-ids';
import type { CallerCredentials } from '../lib/caller-credentials';
import { paymentRequired } from '../lib/payment-required';
import type { DecodedInvocation } from '../payload/decode-invocation';
import { isRetryable } from '../store/call-engine';
import { leftOf, NOTHING_SPENT } from '../store/over-budget';
import type { InvocationStart, InvocationStore, KeyRecord, LedgerStore } from '../store/store';
import type { Admission, AdmittedCall } from './admission';
import { attemptRequest } from './attempt-request';
import type { CallDirectory } from './call-directory';
import type { CallObservers, ObservedRequest } from './call-observer';
import type { CallRunner } from './call-runner';
import type { CallShutdown } from './call-shutdown';
import { callUser } from './call-user';
import { newInvocationId } from './invocation-id';
import type { LocalExecutor } from './local-executor';
import type { CallOrigin, PendingCall } from './pending-call';
import { readStoredResult } from './read-stored-result';
import type { RequiredConnections } from './required-connections';
import { asReplayed } from './response-json';
import { READ_RESULT, withFirstPart } from './result-part';
import { startOrJoin } from './start-or-join';
import { Timeline } from './timeline';

export interface CallRequest {
  key: CallingKey;
  /** The parsed request body, or only the model's arguments. */
  body: unknown;
  idempotencyKey: string | undefined;
  timeoutMs: number | undefined;
  /** Calls `listener` when the caller disconnects; immediately when it already has. */
  onDisconnect(listener: () => void): void;
  onProgress: ((progress: Progress) => void) | undefined;
  /** Maximum length of the result. The answer to a longer one contains its first part. */
  maxResultChars?: number | undefined;
  /** Passed on to the handler. */
  trace?: TraceContext | undefined;
  /** The search that led to the request, according to the caller. */
  searchId?: string | undefined;
  /** The caller's ids of session and user. */
  callerIds?: CallerIds | undefined;
  /** The caller's credentials for toolkits that ask for them. */
  credentials?: CallerCredentials | undefined;
  /** Toolkit id -> the kept connection that the caller chose. */
  connectionNames?: ReadonlyMap<string, string> | undefined;
  /** The most that the call may cost, in millionths. */
  maxPayment?: bigint | undefined;
  /** The version of the action that the caller decided about, or `NO_ACTION_VERSION`. */
  actionVersion?: string | undefined;
}

/** Called once, with an error or the JSON text of an `InvokeResponse`. */
export type AnswerCaller = (error: unknown, responseJson: string) => void;

/** Calls back, possibly before it returns. Never throws. */
export type Begin = (request: CallRequest, answer: AnswerCaller) => void;

/** Resolves with the JSON text of an `InvokeResponse`. Rejects with SvcError. */
export type Invoke = (request: CallRequest) => Promise<string>;

export interface CallsDeps {
  node: string;
  store: Pick<InvocationStore, 'find' | 'get' | 'refused'>;
  ledger: Pick<LedgerStore, 'spent'>;
  admission: Admission;
  required: RequiredConnections;
  directory: CallDirectory;
  runner: Pick<CallRunner, 'start'>;
  local: Pick<LocalExecutor, 'stop'>;
  shutdown: CallShutdown;
  observers: CallObservers;
  limits: Pick<Limits, 'defaultTimeoutMs' | 'maxTimeoutMs'>;
}

/** A request that waits for its connection, or for the rest of its budget. */
interface PreparingRequest {
  readonly keyId: string;
  /** Why it must not become a call any more. */
  ended: SvcError | undefined;
}

type PreparedCall = AdmittedCall & { ask?: ConnectionAsk | undefined; used?: UsedConnection | undefined };

export class Calls {
  readonly #deps: CallsDeps;
  readonly #admission: Admission;
  readonly #directory: CallDirectory;
  readonly #observers: CallObservers;
  readonly #preparing = new Set<PreparingRequest>();

  constructor(deps: CallsDeps) {
    this.#deps = deps;
    this.#admission = deps.admission;
    this.#directory = deps.directory;
    this.#observers = deps.observers;
  }

  readonly invoke: Invoke = (request) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.begin(request, (error, responseJson) => {
      if (error === undefined) resolve(responseJson);
      else reject(error);
    });
    return promise;
  };

  readonly begin: Begin = (request, answer) => {
    const { key, searchId } = request;
    const observed: ObservedRequest = { key, searchId, trace: request.trace, askedAction: undefined, accepted: undefined };
    const startedAt = performance.now();
    const trace = this.#observers.requestReceived(observed);
    const end: AnswerCaller = (error, responseJson) => {
      const code = error === undefined ? 'OK' : SvcError.is(error) ? error.code : 'INTERNAL';
      this.#observers.requestEnded(observed, code, performance.now() - startedAt);
      answer(error, responseJson);
    };
    try {
      if (this.#deps.shutdown.isDraining) throw this.#deps.shutdown.error('try again');
      this.#admission.enter(key.id);
    } catch (error) {
      return end(error, '');
    }
    const leave: AnswerCaller = (error, responseJson) => {
      this.#admission.leave(key.id);
      end(error, responseJson);
    };
    try {
      this.#admit(request, trace, observed, leave);
    } catch (error) {
      leave(error, '');
    }
  };

  /** Returns the action and payload that a call with this body would run. Runs and records nothing. */
  resolve(key: KeyRecord, body: unknown): ResolveResponse {
    const { actionId, action, payload, repaired, payment } = this.#admission.admit(key, body);
    if (payment?.refusal !== undefined)
      throw paymentRequired(payment.refusal, { price: payment.hold.amount, currency: payment.hold.currency });
    return { action: actionInfo(actionId, action), payload, ...(repaired.length > 0 && { repaired }), version: versionOf(action) };
  }

  /** Ends the requests of an agent key that was revoked or has expired. */
  refuseKey(keyId: string, code: 'KEY_REVOKED' | 'KEY_EXPIRED'): void {
    const error = new SvcError(code, 'The key was withdrawn while the call was in progress');
    for (const request of this.#preparing) if (request.keyId === keyId) request.ended = error;
    for (const call of this.#directory) call.dismiss(error, (caller) => caller.keyId === keyId);
  }

  /** Refuses new calls from callers, not yet from other nodes. Resolves when no caller waits any more. */
  async drain(): Promise<void> {
    this.#deps.shutdown.drain();
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
    const admitted = this.#check(request, observed);
    if (admitted.action === READ_RESULT) {
      readStoredResult(this.#deps.store, request, admitted.payload).then(
        (json) => answer(undefined, json),
        (error: unknown) => answer(error, ''),
      );
      return;
    }
    const ask = this.#deps.required.askOf(request, admitted.action);
    if (admitted.payment?.refusal === undefined && !ask) return this.#join(request, admitted, { trace, observed, answer });
    const preparing: PreparingRequest = { keyId: request.key.id, ended: undefined };
    this.#preparing.add(preparing);
    this.#prepare(request, admitted, observed, ask)
      .finally(() => this.#preparing.delete(preparing))
      .then((used) => {
        if (preparing.ended) throw preparing.ended;
        this.#join(request, { ...admitted, ask, used }, { trace, observed, answer });
      })
      .catch((error: unknown) => answer(error, ''));
  }

  async #prepare(
    request: CallRequest,
    admitted: AdmittedCall,
    observed: ObservedRequest,
    ask: ConnectionAsk | undefined,
  ): Promise<UsedConnection | undefined> {
    if (admitted.payment?.refusal !== undefined) await this.#refusePayment(request, admitted, observed);
    if (!ask) return undefined;
    const startedAt = Date.now();
    try {
      return await this.#deps.required.open(ask, request);
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      // A retry gets the answer of its first call, even if the account is not connected any more.
      if (await this.#hasEarlier(request)) return undefined;
      throw this.#refused(request, { payload: admitted.payload, startedAt }, observed, error);
    }
  }

  /** Whether an earlier call with the same idempotency key runs, or has an outcome that is returned again. */
  async #hasEarlier({ key, idempotencyKey }: CallRequest): Promise<boolean> {
    const earlier = idempotencyKey === undefined ? undefined : await this.#deps.store.find(key.id, idempotencyKey);
    return earlier !== undefined && !(earlier.outcome && isRetryable(earlier.outcome));
  }

  /** Resolves when the request is a retry that gets the answer of its first call, whatever the action costs now. */
  async #refusePayment(request: CallRequest, { payment }: AdmittedCall, observed: ObservedRequest): Promise<void> {
    const { ledger } = this.#deps;
    const { key, body } = request;
    const startedAt = Date.now();
    if (!payment || (await this.#hasEarlier(request))) return;
    const { amount: price, currency, perDay = 0n } = payment.hold;
    const spent = key.budget ? ((await ledger.spent([key.id], startedAt)).get(key.id) ?? NOTHING_SPENT) : undefined;
    const error = paymentRequired(payment.refusal ?? '', { price, currency, left: spent && leftOf(perDay, spent) });
    throw this.#refused(request, { payload: body, startedAt }, observed, error);
  }

  #join(
    request: CallRequest,
    admitted: PreparedCall,
    { trace, observed, answer }: { trace: TraceContext | undefined; observed: ObservedRequest; answer: AnswerCaller },
  ): void {
    const { call, isNew } = this.#callOf(request, admitted, trace);
    observed.accepted = { invocationId: call.id, actionId: admitted.actionId, toolkitId: admitted.action.toolkitId };
    this.#observers.requestAccepted(observed);
    // Not the request itself: its body would stay in memory until the answer.
    const { key, onDisconnect, onProgress, maxResultChars, idempotencyKey } = request;
    call.join({
      keyId: key.id,
      timeoutMs: this.#timeoutOf(request),
      onDisconnect,
      onProgress,
      answer: (ended) => {
        if ('error' in ended) this.#answerError(ended.error, admitted.ask, answer);
        else answer(undefined, responseTo({ maxResultChars, idempotencyKey }, isNew ? ended.responseJson : asReplayed(ended.responseJson)));
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

  #check(request: CallRequest, observed: ObservedRequest): AdmittedCall {
    const { key, body, maxPayment, actionVersion } = request;
    const startedAt = Date.now();
    let payload = body;
    try {
      const onDecoded = (decoded: DecodedInvocation) => {
        observed.askedAction = decoded.action.slice(0, 100);
        payload = decoded.payload;
      };
      return this.#admission.admit(key, body, { maxPayment, actionVersion, onDecoded });
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      throw this.#refused(request, { payload, startedAt }, observed, error);
    }
  }

  /** Records a request that was refused before it became a call. */
  #refused(
    { key, callerIds, searchId }: CallRequest,
    { payload, startedAt }: { payload: unknown; startedAt: number },
    { askedAction: action = '' }: ObservedRequest,
    error: SvcError,
  ): SvcError {
    const id = newInvocationId();
    const record = { id, agentKeyId: key.id, idempotencyKey: null, requestHash: '', action, startedAt };
    this.#deps.store.refused(record, { code: error.code, body: null, endedAt: Date.now() });
    this.#observers.callRefused({ record, payload, error, callerIds: callerOf(key, callerIds), searchId });
    return error;
  }

  #callOf(request: CallRequest, admitted: PreparedCall, trace: TraceContext | undefined): { call: PendingCall; isNew: boolean } {
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
      deadline: record.startedAt + this.#timeoutOf(request),
      ...trace,
    });
    return startOrJoin(this.#deps, { record, request: attempt, origin: () => this.#originOf(request, admitted, user) });
  }

  #originOf({ key, callerIds, searchId }: CallRequest, { repaired }: AdmittedCall, { userId }: CallUser): CallOrigin {
    const observer = this.#observers;
    const timeline = observer.needTimelines ? new Timeline(this.#deps.node) : undefined;
    if (userId !== undefined) timeline?.add('user', userId);
    return { from: 'caller', repaired, timeline, searchId, callerIds: callerOf(key, callerIds), observer };
  }

  #timeoutOf({ timeoutMs = this.#deps.limits.defaultTimeoutMs }: CallRequest): number {
    return Math.min(timeoutMs, this.#deps.limits.maxTimeoutMs);
  }
}

/** Cuts only a result that has an idempotency key: without one the result is not stored, so its rest could not be read. */
function responseTo({ maxResultChars, idempotencyKey }: Pick<CallRequest, 'maxResultChars' | 'idempotencyKey'>, json: string): string {
  return maxResultChars === undefined || idempotencyKey === undefined ? json : withFirstPart(json, maxResultChars);
}

function startOf({ key, idempotencyKey, callerIds }: CallRequest, { actionId, payloadJson, payment, ask }: PreparedCall): InvocationStart {
  const id = newInvocationId();
  const { userId, namedUser } = callUser(key, callerIds);
  const start: InvocationStart = {
    id,
    agentKeyId: key.id,
    idempotencyKey: idempotencyKey ?? null,
    requestHash:
      idempotencyKey === undefined ? '' : hash('sha256', requestText(actionId, payloadJson, namedUser?.id ?? userId, ask?.name), 'hex'),
    action: actionId,
    startedAt: Date.now(),
  };
  if (!payment) return start;
  // A hold without an idempotency key would not be durable before the handler runs.
  start.idempotencyKey ??= id;
  // A refused payment belongs to a retry, which must not become a new call.
  start.hold = payment.refusal === undefined ? payment.hold : { ...payment.hold, perDay: 0n };
  return start;
}

/**
 * The text that decides whether two requests are equal. It includes the user, so two users of one key never share an answer, and the chosen
 * connection. A credential is not part of it: it changes between retries.
 */
function requestText(actionId: string, payloadJson: string, userId: string | undefined, connection: string | undefined): string {
  const text = userId === undefined ? `${actionId}\n${payloadJson}` : `${actionId}\n${payloadJson}\n${userId}`;
  return connection === undefined ? text : `${text}\n${userId ?? ''}\n${connection}`;
}
