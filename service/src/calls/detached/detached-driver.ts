/**
 * Brings one detached call to its end: begins it as a caller that never leaves, and again after each failure that did nothing, until its deadline. A
 * call that already runs, at any node, is joined or followed, because it has the same idempotency key.
 *
 * Errors: none. The end is stored; while the store is away, the driver tries again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError, type SvcErrorCode } from '#sdk/protocol/errors';
import { parseExactJson } from '#sdk/protocol/exact-number';
import type { Progress } from '#sdk/protocol/http';
import type { JsonObject } from '#sdk/protocol/json-object';
import type { CallingKey } from '../../keys/agent-tokens';
import type { CallerIds } from '../../keys/caller-ids';
import type { GrantChecks } from '../../keys/grant-checks';
import { callingKeyOf } from '../../keys/kept-caller';
import type { KeyRing } from '../../keys/key-ring';
import type { Doorbell } from '../../lib/doorbell';
import type { Logger } from '../../lib/logger';
import type { DecodedInvocation } from '../../payload/decode-invocation';
import { isRetryable } from '../../store/call-engine';
import type { DetachedStore } from '../../store/detached-store';
import type { InvocationStore } from '../../store/store';
import type { Begin } from '../call-request';
import type { KeptDetachedCall } from './kept-detached-call';

/** Failures after which the same call may succeed: it did not run. */
const TRANSIENT: ReadonlySet<string> = new Set<SvcErrorCode>([
  'TOOLKIT_OFFLINE',
  'QUEUE_FULL',
  'RATE_LIMITED',
  'SERVICE_STOPPING',
  'SERVICE_UNAVAILABLE',
  'INTERNAL',
]);
/** The key or grant of the call has ended, and the call with it. */
const KEY_ENDED: ReadonlySet<string> = new Set<SvcErrorCode>(['KEY_REVOKED', 'KEY_EXPIRED']);

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;
/** Interval of looking, in memory, whether the toolkit is back. */
const LOOK_MS = 200;
const STORE_RETRY_MS = 500;
/** Interval of looking for an outcome whose answer was lost between nodes: this caller has no deadline soon. */
const OUTCOME_LOOK_MS = 15_000;

export interface DetachedDriverDeps {
  store: Pick<DetachedStore, 'end'>;
  invocations: Pick<InvocationStore, 'find' | 'get'>;
  keys: Pick<KeyRing, 'find' | 'again' | 'hold'>;
  grants: Pick<GrantChecks, 'check'>;
  doorbell: Doorbell;
  begin: Begin;
  /** Whether the catalogue has the action, and no process of it is connected. */
  isOffline(actionId: string): boolean;
  logger: Logger;
}

interface HeldCaller {
  key: CallingKey;
  callerIds: CallerIds | undefined;
  release: () => void;
}

export class DetachedDriver {
  readonly call: KeptDetachedCall;
  readonly #deps: DetachedDriverDeps;
  readonly #leaving = new AbortController();
  #isCancelled = false;
  #disconnect: (() => void) | undefined;
  #progress: Progress | undefined;

  constructor(call: KeptDetachedCall, deps: DetachedDriverDeps) {
    this.call = call;
    this.#deps = deps;
  }

  /** Resolves when the end is stored, or after `leave`. */
  async drive(): Promise<void> {
    const ended = await this.#untilEnded();
    if (ended !== 'left') await this.#storeEnd(ended);
  }

  /** Cancels the call at its handler. */
  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#disconnect?.();
    this.#deps.doorbell.ring(this.call.id);
  }

  /** Leaves the call to another node. A running handler goes on. */
  leave(): void {
    this.#leaving.abort();
  }

  /** The newest report since the last time, as JSON. */
  takeProgress(): string | undefined {
    const progress = this.#progress;
    this.#progress = undefined;
    return progress && JSON.stringify(progress);
  }

  /** Resolves with the error; null for a call with a result. */
  async #untilEnded(): Promise<SvcError | null | 'left'> {
    for (let failures = 0; ; failures++) {
      const error = await this.#tryOnce().catch((failure: unknown) => this.#asError(failure));
      if (this.#leaving.signal.aborted) return 'left';
      if (!error || KEY_ENDED.has(error.code)) return error;
      if (!isTransient(error) && !(await this.#isRunning())) return error;
      await this.#wait(error, failures);
      if (this.#leaving.signal.aborted) return 'left';
    }
  }

  async #tryOnce(): Promise<SvcError | null> {
    const { id, agentKeyId, actionId, idempotencyKey, deadlineAt, approvalId } = this.call;
    const { invocations, isOffline } = this.#deps;
    const earlier = await invocations.find(agentKeyId, idempotencyKey);
    // An approval is for one run: another one would begin after a failure that its handler calls retryable.
    if (earlier?.outcome && approvalId !== undefined) return null;
    // A call that runs somewhere has an outcome soon, even if its process does not return.
    while (!earlier && isOffline(actionId) && this.#mayGoOn) await this.#sleep(LOOK_MS);
    if (this.#leaving.signal.aborted) return null;
    if (this.#isCancelled && !earlier) return cancelled(id);
    if (Date.now() >= deadlineAt && !earlier) return tooLate(this.call);
    const isFirst = !earlier && (await invocations.get(id)) === undefined;
    const held = await this.#holdKey();
    const answered = new AbortController();
    try {
      return await Promise.race([
        this.#begin(held, isFirst),
        this.#storedOutcome(AbortSignal.any([answered.signal, this.#leaving.signal])),
      ]);
    } finally {
      answered.abort();
      held.release();
    }
  }

  #begin({ key, callerIds }: HeldCaller, isFirst: boolean): Promise<SvcError | null> {
    const { id, actionId, payloadJson, idempotencyKey, deadlineAt, connectionNames, maxPayment, actionVersion } = this.call;
    const { searchId, madeBy, approvalId, approvedRule } = this.call;
    return new Promise((resolve) => {
      this.#deps.begin(
        {
          ...{
            key,
            callerIds,
            idempotencyKey,
            connectionNames,
            maxPayment,
            actionVersion,
            searchId,
            madeBy,
            approvalId,
            approvedRule,
            detached: true,
          },
          invocationId: isFirst ? id : undefined,
          body: {
            action: actionId,
            payload: parseExactJson(payloadJson) as JsonObject,
            repaired: [],
            hasUnsafeNumber: false,
          } satisfies DecodedInvocation,
          timeoutMs: Math.max(1, deadlineAt - Date.now()),
          onDisconnect: (listener) => {
            this.#disconnect = listener;
            if (this.#isCancelled) listener();
          },
          onProgress: (progress) => {
            this.#progress = progress;
          },
        },
        (error) => resolve(error === undefined ? null : this.#asError(error)),
      );
    });
  }

  /** Resolves when the store has an outcome, and not before `over`. */
  async #storedOutcome(over: AbortSignal): Promise<SvcError | null> {
    const { agentKeyId, idempotencyKey } = this.call;
    for (;;) {
      await this.#deps.doorbell.wait(this.call.id, OUTCOME_LOOK_MS, over);
      if (over.aborted) return null;
      const run = await this.#deps.invocations.find(agentKeyId, idempotencyKey).catch(() => undefined);
      // No cancel: the handler may still replace an outcome that the service gave.
      if (run?.outcome && !isRetryable(run.outcome)) return null;
    }
  }

  /** The key as it is now. While it is held, its end reaches the call. */
  async #holdKey(): Promise<HeldCaller> {
    const { agentKeyId, caller } = this.call;
    const { keys, grants } = this.#deps;
    const found = await keys.find(agentKeyId);
    if (!found) throw new SvcError('KEY_REVOKED', `Key ${agentKeyId} of the call does not exist any more`);
    const record = await keys.again(found, 'agent');
    if (caller.token?.grantId !== undefined) await grants.check(caller.token.grantId, agentKeyId);
    return { ...callingKeyOf(record, caller), release: keys.hold(record) };
  }

  /** Whether a node runs the call, whatever was refused here meanwhile. */
  async #isRunning(): Promise<boolean> {
    const { agentKeyId, idempotencyKey } = this.call;
    if (this.#isCancelled) return false;
    const earlier = await this.#deps.invocations.find(agentKeyId, idempotencyKey).catch(() => undefined);
    return earlier !== undefined && earlier.outcome === null;
  }

  async #wait({ details }: SvcError, failures: number): Promise<void> {
    const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10));
    const ms = Math.max(details.retryAfterMs ?? 0, backoff * (0.5 + Math.random() / 2));
    await this.#sleep(Math.max(1, Math.min(ms, this.call.deadlineAt - Date.now())));
  }

  get #mayGoOn(): boolean {
    return !this.#isCancelled && !this.#leaving.signal.aborted && Date.now() < this.call.deadlineAt;
  }

  /** Ends early with a cancel. */
  #sleep(ms: number): Promise<void> {
    return this.#deps.doorbell.wait(this.call.id, ms, this.#leaving.signal);
  }

  async #storeEnd(error: SvcError | null): Promise<void> {
    const { id } = this.call;
    while (!this.#leaving.signal.aborted) {
      try {
        return await this.#deps.store.end(id, error && JSON.stringify(error));
      } catch (failure) {
        this.#deps.logger.error({ error: failure, invocation: id }, 'cannot store the end of a call; trying again');
        await delay(STORE_RETRY_MS);
      }
    }
  }

  #asError(error: unknown): SvcError {
    if (SvcError.is(error)) return error;
    this.#deps.logger.error({ error, invocation: this.call.id }, 'a call failed inside the service');
    return new SvcError('INTERNAL', 'The service failed; its log has the cause', { invocationId: this.call.id });
  }
}

function isTransient({ code, details }: SvcError): boolean {
  return TRANSIENT.has(code) && details.retryable !== false;
}

function cancelled(id: string): SvcError {
  return new SvcError('INVOCATION_CANCELLED', `${id} was cancelled before it ran`, { invocationId: id });
}

function tooLate({ id }: KeptDetachedCall): SvcError {
  return new SvcError('INVOCATION_TIMEOUT', `No process had room for ${id} before its deadline; the action did not run`, {
    invocationId: id,
    retryable: true,
  });
}
