/**
 * The way of one call: decode, authorise, check, claim its idempotency key, find a replica, record, send, record, answer.
 *
 * Shape:  decoded once; what is authorised is exactly what is dispatched.
 * Errors: rejects with SvcError; docs/errors.md has them all.
 */
import { hash } from 'node:crypto';
import { type ModelError, SvcError } from '../../protocol/errors';
import type { Progress, ResolveResponse } from '../../protocol/http';
import { parseActionId } from '../../protocol/ids';
import type { Limits } from '../../protocol/limits';
import type { TraceContext } from '../../protocol/trace-context';
import { actionInfo } from '../catalog/action-info';
import type { Catalog } from '../catalog/catalog';
import type { Hub } from '../hub/hub';
import { Invocation } from '../hub/invocation';
import { allowed } from '../keys/allowed';
import type { Logger } from '../logger';
import { type DecodedInvocation, decodeInvocation } from '../payload/decode-invocation';
import type { JsonObject } from '../payload/json-object';
import { PayloadChecker } from '../payload/payload-checker';
import type { ActionRecord, InvocationRecord, InvocationStart, InvocationStore, KeyRecord } from '../store/store';
import { newInvocationId } from './invocation-id';
import { asReplayed, responseJson } from './response-json';
import { type Caller, type Ended, Run } from './run';

export interface InvokeCall {
  key: KeyRecord;
  /** The parsed body of the request, or the model's arguments in it. */
  body: unknown;
  idempotencyKey: string | undefined;
  timeoutMs: number | undefined;
  /** Calls back when the caller has gone; at once when it has already. */
  whenGone(listener: () => void): void;
  onProgress: ((progress: Progress) => void) | undefined;
  /** Passed on to the handler. */
  trace?: TraceContext | undefined;
  /** Told when the action is found and the payload checked. */
  onAccepted?: ((accepted: AcceptedInvocation) => void) | undefined;
}

export interface AcceptedInvocation {
  invocationId: string;
  actionId: string;
  toolkitId: string;
}

interface AcceptedCall {
  actionId: string;
  action: ActionRecord;
  payload: JsonObject;
  payloadJson: string;
  repaired: string[];
}

interface InvokerParts {
  catalog: Catalog;
  hub: Hub;
  store: InvocationStore;
  /** Hears how each call ended that a handler got, once, with `OK` or an error code. Must return soon, and not throw. */
  onOutcome: (agentKeyId: string, actionId: string, code: string) => void;
  limits: Limits;
  logger: Logger;
}

export class Invoker {
  readonly #catalog: Catalog;
  readonly #hub: Hub;
  readonly #store: InvocationStore;
  readonly #onOutcome: InvokerParts['onOutcome'];
  readonly #limits: Limits;
  readonly #logger: Logger;
  readonly #checker = new PayloadChecker();
  readonly #runs = new Set<Run>();
  /** `<agent key id> <idempotency key>` -> the call that runs under it. */
  readonly #byIdempotencyKey = new Map<string, Run>();
  readonly #callsByKey = new Map<string, number>();
  #stopping = false;

  constructor(parts: InvokerParts) {
    this.#catalog = parts.catalog;
    this.#hub = parts.hub;
    this.#store = parts.store;
    this.#onOutcome = parts.onOutcome;
    this.#limits = parts.limits;
    this.#logger = parts.logger;
  }

  /** JSON text of an `InvokeResponse`. */
  async invoke(call: InvokeCall): Promise<string> {
    if (this.#stopping) throw new SvcError('SERVICE_STOPPING', 'The service is stopping; try again', { retryAfterMs: 1_000 });
    this.#enter(call.key.id);
    try {
      const accepted = this.#accept(call);
      const { run, replayed } = this.#runOf(call, accepted);
      call.onAccepted?.({ invocationId: run.record.id, actionId: accepted.actionId, toolkitId: accepted.action.toolkitId });
      const response = await run.wait(this.#caller(call));
      return replayed ? asReplayed(response) : response;
    } finally {
      this.#leave(call.key.id);
    }
  }

  /** Calls that a former process of the service left without an outcome: their handlers may still run. */
  async adoptUnfinished(): Promise<void> {
    const invocations: Invocation[] = [];
    for (const record of await this.#store.takeAbandoned()) {
      const { toolkitId, actionName } = parseActionId(record.action) ?? { toolkitId: '', actionName: '' };
      const { id, agentKeyId: agentId, idempotencyKey } = record;
      const call = { id, toolkitId, actionName, agentId, idempotencyKey: idempotencyKey ?? id, attempt: 1 };
      const run = new Run(record, new Invocation({ ...call, payloadJson: null, deadline: 0 }), []);
      run.sent = true;
      this.#track(run);
      invocations.push(run.invocation);
      void this.#finish(run, this.#outcome(run));
    }
    this.#hub.adopt(invocations);
  }

  /** The calls of an agent key that was revoked fail now. */
  refuseKey(keyId: string, code: 'KEY_REVOKED' | 'KEY_EXPIRED'): void {
    const error = new SvcError(code, 'The key was withdrawn while the call was under way');
    for (const run of this.#runs) run.dismiss(error, (caller) => caller.keyId === keyId);
  }

  /** Callers are told at once; what was sent stays open in the store, for the next process of the service. */
  close(): void {
    this.#stopping = true;
    for (const run of this.#runs) {
      const { id, idempotencyKey } = run.record;
      const error =
        run.sent && idempotencyKey === null
          ? new SvcError('OUTCOME_UNKNOWN', `The service stopped while ${id} ran`, { invocationId: id })
          : new SvcError('SERVICE_STOPPING', 'The service is stopping; try again with the same idempotency key', { retryAfterMs: 1_000 });
      run.dismiss(error);
    }
  }

  #enter(keyId: string): void {
    const calls = this.#callsByKey.get(keyId) ?? 0;
    if (calls >= this.#limits.invocationsPerKey) {
      throw new SvcError('RATE_LIMITED', `${calls} calls of this key are under way, which is its limit`, { retryAfterMs: 1_000 });
    }
    this.#callsByKey.set(keyId, calls + 1);
  }

  #leave(keyId: string): void {
    const calls = (this.#callsByKey.get(keyId) ?? 1) - 1;
    if (calls === 0) this.#callsByKey.delete(keyId);
    else this.#callsByKey.set(keyId, calls);
  }

  /** What a call with this body would run now: nothing is run, nothing is recorded. */
  resolve(key: KeyRecord, body: unknown): ResolveResponse {
    const { actionId, action, payload, repaired } = this.#read(key, decodeInvocation(body));
    return { action: actionInfo(actionId, action), payload, ...(repaired.length > 0 && { repaired }) };
  }

  #accept({ key, body }: InvokeCall): AcceptedCall {
    const startedAt = Date.now();
    let actionId = '';
    try {
      const decoded = decodeInvocation(body);
      actionId = decoded.action;
      return this.#read(key, decoded);
    } catch (error) {
      if (SvcError.is(error)) {
        const record = {
          id: newInvocationId(),
          agentKeyId: key.id,
          idempotencyKey: null,
          requestHash: '',
          action: actionId.slice(0, 100),
          startedAt,
        };
        this.#store.refused(record, { code: error.code, body: null, endedAt: Date.now() });
      }
      throw error;
    }
  }

  #read(key: KeyRecord, decoded: DecodedInvocation): AcceptedCall {
    const action = this.#authorise(key, decoded.action);
    const { payload, repaired } = this.#checker.check(action.payloadSchema, decoded.payload, decoded.repaired);
    const payloadJson = JSON.stringify(payload);
    const { payloadBytes } = this.#limits;
    if (payloadJson.length * 3 > payloadBytes && Buffer.byteLength(payloadJson) > payloadBytes) {
      throw new SvcError('REQUEST_TOO_LARGE', `A payload may have ${payloadBytes} bytes, this one has ${Buffer.byteLength(payloadJson)}`);
    }
    return { actionId: decoded.action, action, payload, payloadJson, repaired };
  }

  #authorise(key: KeyRecord, actionId: string): ActionRecord {
    const action = this.#catalog.requireAction(actionId, (id) => allowed(key, id));
    if (!allowed(key, actionId))
      throw new SvcError(
        'ACTION_NOT_ALLOWED',
        `This key may not use "${actionId}"; ask whoever gave the key, or search for another action`,
      );
    return action;
  }

  #caller({ key, timeoutMs, whenGone, onProgress }: InvokeCall): Caller {
    return { keyId: key.id, timeoutMs: this.#clampTimeout(timeoutMs), whenGone, onProgress };
  }

  #clampTimeout(timeoutMs = this.#limits.defaultTimeoutMs): number {
    return Math.min(timeoutMs, this.#limits.maxTimeoutMs);
  }

  /** Synchronous up to its place in `#byIdempotencyKey`: of two equal calls at once only one runs. */
  #runOf(call: InvokeCall, accepted: AcceptedCall): { run: Run; replayed: boolean } {
    const { key, idempotencyKey } = call;
    const requestHash = idempotencyKey === undefined ? '' : hash('sha256', `${accepted.actionId}\n${accepted.payloadJson}`, 'hex');
    const running = idempotencyKey === undefined ? undefined : this.#byIdempotencyKey.get(`${key.id} ${idempotencyKey}`);
    if (running) {
      requireSameCall(running.record, requestHash);
      return { run: running, replayed: true };
    }
    const record: InvocationStart = {
      id: newInvocationId(),
      agentKeyId: key.id,
      idempotencyKey: idempotencyKey ?? null,
      requestHash,
      action: accepted.actionId,
      startedAt: Date.now(),
    };
    const invocation = new Invocation({
      id: record.id,
      toolkitId: accepted.action.toolkitId,
      actionName: accepted.action.name,
      agentId: key.id,
      idempotencyKey: idempotencyKey ?? record.id,
      attempt: 1,
      payloadJson: accepted.payloadJson,
      deadline: record.startedAt + this.#clampTimeout(call.timeoutMs),
      ...call.trace,
    });
    const run = new Run(record, invocation, accepted.repaired);
    this.#track(run);
    void this.#finish(run, this.#execute(run));
    return { run, replayed: false };
  }

  #track(run: Run): void {
    this.#runs.add(run);
    const { agentKeyId, idempotencyKey } = run.record;
    if (idempotencyKey !== null) this.#byIdempotencyKey.set(`${agentKeyId} ${idempotencyKey}`, run);
    run.whenAbandoned((error) => this.#abandon(run, error));
  }

  /** Ends the run with whatever came of it; never rejects. */
  async #finish(run: Run, outcome: Promise<Ended>): Promise<void> {
    const { id, agentKeyId, idempotencyKey } = run.record;
    const ended = await outcome.catch((error: unknown): Ended => {
      if (SvcError.is(error)) return { error };
      this.#logger.error({ error, invocation: id }, 'invocation failed inside the service');
      const unknown = run.sent && new SvcError('OUTCOME_UNKNOWN', `The service failed after it had sent ${id}`, { invocationId: id });
      return { error: unknown || new SvcError('INTERNAL', 'The service failed; its log tells why', { invocationId: id }) };
    });
    this.#runs.delete(run);
    if (idempotencyKey !== null) this.#byIdempotencyKey.delete(`${agentKeyId} ${idempotencyKey}`);
    run.end(ended);
  }

  async #execute(run: Run): Promise<Ended> {
    const { record, invocation } = run;
    const { toolkitId, actionName } = invocation.request;
    let started = false;
    try {
      for (;;) {
        // Where nothing is free now, a kept answer needs no place; where something is, `start` tells whether there is one.
        if (!started && !this.#hub.isFree(toolkitId, actionName)) {
          const earlier = await this.#earlier(record);
          if (earlier) return earlier;
        }
        const place = this.#hub.reserve(toolkitId, actionName, run);
        const slot = place instanceof Promise ? await place : place;
        if (!started && !(await this.#store.start(record))) {
          slot.release();
          const earlier = await this.#earlier(record);
          if (earlier) return earlier;
          throw new Error(`The idempotency key of ${record.id} is taken and gone`);
        }
        started = true;
        if (run.abandoned) {
          slot.release();
          throw run.abandoned;
        }
        run.sent = slot.send(invocation);
        if (run.sent) return this.#outcome(run);
      }
    } catch (error) {
      // The action did not run: its idempotency key may be used again.
      if (SvcError.is(error)) this.#store.refused(record, { code: error.code, body: null, endedAt: Date.now() });
      throw error;
    }
  }

  async #outcome(run: Run): Promise<Ended> {
    const { id, agentKeyId, action, idempotencyKey } = run.record;
    const outcome = await run.invocation.outcome;
    const ended = this.#ended(run, outcome);
    const keep = idempotencyKey !== null;
    const code = 'error' in ended ? ended.error.code : 'OK';
    const body = 'error' in ended ? JSON.stringify(ended.error) : ended.responseJson;
    await this.#store.end(id, { code, body: keep ? body : null, endedAt: Date.now() });
    this.#onOutcome(agentKeyId, action, code);
    return ended;
  }

  #ended(run: Run, outcome: { resultJson: string } | { error: SvcError }): Ended {
    // An error after a cancel is most often the cancel itself: the record says what the caller was told.
    if ('error' in outcome) return { error: run.abandoned ?? outcome.error };
    const { resultJson } = outcome;
    return {
      responseJson: responseJson({
        invocationId: run.record.id,
        resultJson,
        repaired: run.repaired,
        maxResultBytes: this.#limits.resultBytes,
      }),
    };
  }

  async #earlier({ agentKeyId, idempotencyKey, requestHash }: InvocationStart): Promise<Ended | undefined> {
    if (idempotencyKey === null) return undefined;
    const earlier = await this.#store.find(agentKeyId, idempotencyKey);
    return earlier && replay(earlier, requestHash);
  }

  /** A handler that does not answer a cancel is given up; its late result would still count before that. */
  #abandon(run: Run, error: SvcError): void {
    if (!run.sent || this.#stopping) return;
    this.#hub.cancel(run.invocation, error.code === 'INVOCATION_TIMEOUT' ? 'timeout' : 'cancelled');
    const giveUp = () => {
      // After `close` the store takes nothing more; the next process of the service asks the handler's process.
      if (!this.#stopping) run.invocation.settle({ error });
    };
    const timer = setTimeout(giveUp, this.#limits.reconnectGraceMs).unref();
    void run.invocation.outcome.then(() => clearTimeout(timer));
  }
}

function replay(earlier: InvocationRecord, requestHash: string): Ended {
  requireSameCall(earlier, requestHash);
  const { outcome, id } = earlier;
  if (!outcome) return { error: new SvcError('OUTCOME_UNKNOWN', `Nobody knows what became of ${id}`, { invocationId: id }) };
  if (outcome.code === 'OK') return { responseJson: asReplayed(outcome.body ?? '') };
  const { code, message, ...details } = JSON.parse(outcome.body ?? '') as ModelError;
  return { error: new SvcError(code, message, details) };
}

function requireSameCall(earlier: InvocationStart, requestHash: string): void {
  if (earlier.requestHash === requestHash) return;
  const message = `This idempotency key belongs to ${earlier.id}, a call with another action or payload; use a fresh key`;
  throw new SvcError('IDEMPOTENCY_MISMATCH', message, { invocationId: earlier.id });
}
