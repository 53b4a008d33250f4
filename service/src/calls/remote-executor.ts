/**
 * Forwards calls to other nodes, and joins calls that other nodes have claimed.
 *
 * Errors: rejects with SvcError when the call did not run. When an answer may be lost, the store shows whether a node has claimed the call.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError, type SvcErrorCode } from '#sdk/protocol/errors';
import { NO_ACTION_VERSION } from '#sdk/protocol/http';
import type { Limits } from '#sdk/protocol/limits';
import { readTraceContext } from '#sdk/protocol/trace-context';
import type { Cluster } from '../cluster/cluster';
import type { CallAnswer } from '../cluster/message-schemas';
import type { InvocationRecord, InvocationStore } from '../store/store';
import type { Ended } from './call-state';
import type { ConnectionSeal } from './connection-seal';
import { toHoldMessage } from './payment';
import type { PendingCall } from './pending-call';
import { REFUSAL_CODES, recover } from './recovery';
import { untilAvailable } from './until-available';

/** Time within which a call without an idempotency key appears in the store: its start is written in the background. */
const RECORDED_MS = 500;

/** Errors of a leaving caller that cancel the call at the other node. A timeout is missing: that node has the deadline itself. */
const CANCELS: ReadonlySet<string> = new Set<SvcErrorCode>(['INVOCATION_CANCELLED', 'KEY_REVOKED', 'KEY_EXPIRED']);

/** `refused`: the call did not run at that node. `lost`: only the store knows whether it ran. */
type NodeAnswer = Ended | { refused: SvcError; node: string; attempts: number } | 'no-responder' | 'busy' | 'lost';

type Listener = (answer: CallAnswer | { kind: 'no-responder' }, body: string) => void;

/** `claimed`: a node has the call, without an outcome yet. Undefined: the call did not run at another node. */
export type RemoteEnd = Ended | { claimed: InvocationRecord } | undefined;

export interface RemoteExecutorDeps {
  cluster: Cluster;
  node: string;
  store: Pick<InvocationStore, 'get' | 'start'>;
  seal: ConnectionSeal;
  limits: Pick<Limits, 'reconnectGraceMs'>;
}

export class RemoteExecutor {
  readonly #cluster: Cluster;
  readonly #node: string;
  readonly #store: RemoteExecutorDeps['store'];
  readonly #seal: ConnectionSeal;
  readonly #limits: RemoteExecutorDeps['limits'];

  constructor({ cluster, node, store, seal, limits }: RemoteExecutorDeps) {
    this.#cluster = cluster;
    this.#node = node;
    this.#store = store;
    this.#seal = seal;
    this.#limits = limits;
  }

  /** Whether another node may run the call. A call that another node forwarded is not forwarded again. */
  offers({ origin, attempt: { request } }: PendingCall): boolean {
    return (
      origin.from !== 'peer' && request.actionVersion !== NO_ACTION_VERSION && this.#cluster.offers(request.toolkitId, request.actionName)
    );
  }

  /** Tries the nodes in turn. Rejects with the error of the last one that refused. */
  async send(call: PendingCall): Promise<RemoteEnd> {
    const { toolkitId, actionName } = call.attempt.request;
    const tried = new Set<string>();
    let answer = await this.#sendTo(call, { toolkitId }, false);
    for (let isUnanswered = false; ; ) {
      if (answer === 'lost') {
        const found = await this.#recover(call, true);
        if (typeof found !== 'string') return found;
        isUnanswered = true;
        answer = await this.#sendTo(call, { toolkitId }, false);
      } else if (typeof answer === 'string') {
        if (isUnanswered) return this.#recoverHere(call);
        call.takeBack();
        if (this.#cluster.connected) return undefined;
        throw new SvcError('SERVICE_UNAVAILABLE', 'The other nodes cannot be reached now; nothing ran', { retryAfterMs: 1_000 });
      } else if ('refused' in answer) {
        tried.add(answer.node);
        const node = this.#cluster.offering(toolkitId, actionName).find((other) => !tried.has(other));
        if (node === undefined) throw answer.refused;
        call.startOver(answer.attempts);
        answer = await this.#sendTo(call, { node }, false);
      } else return answer;
    }
  }

  /** Sends the call to one other node, which refuses it when it has no free replica. */
  async sendToFree(call: PendingCall): Promise<RemoteEnd> {
    const { toolkitId, actionName } = call.attempt.request;
    const nodes = this.#cluster.offering(toolkitId, actionName);
    const node = nodes[Math.floor(Math.random() * nodes.length)];
    if (node === undefined) return undefined;
    const answer = await this.#sendTo(call, { node }, true);
    if (answer === 'lost') return this.#recoverHere(call);
    if (typeof answer === 'string') {
      call.takeBack();
      return undefined;
    }
    if (!('refused' in answer)) return answer;
    call.startOver(answer.attempts);
    return undefined;
  }

  /** Waits for the outcome of a call that the other node has claimed. */
  async join(call: PendingCall, { id, node, agentKeyId }: InvocationRecord): Promise<Ended | 'lost'> {
    const answer = await this.#listen(call, (listener) =>
      this.#cluster.join(node, { id, callId: call.id, agentKeyId, timeoutMs: leftMs(call), ...leftOf(call) }, listener),
    );
    return typeof answer === 'object' && !('refused' in answer) ? answer : 'lost';
  }

  /** Asks the store after an answer may have been lost, and the table what may follow. A text is a way to run the call after all. */
  async #recover(call: PendingCall, forwardable: boolean): Promise<RemoteEnd | 'ask another node' | 'claim'> {
    const found = await untilAvailable(call, () => this.#store.get(call.id));
    if (!found) return { error: call.abandoned ?? unavailable() };
    const { answer: claimed } = found;
    const stored = claimed ? 'other node' : 'nothing';
    const next = recover({ attempt: 'unanswered', stored, forwardable, keyed: call.record.idempotencyKey !== null });
    switch (next) {
      case 'ask another node':
      case 'claim':
        return next;
      case 'follow': {
        const record = claimed as InvocationRecord;
        call.timeline?.claimed(call.id, record.node);
        return { claimed: record };
      }
      case 'OUTCOME_UNKNOWN':
        return { error: outcomeUnknown(call.id) };
    }
  }

  async #recoverHere(call: PendingCall): Promise<RemoteEnd> {
    const found = await this.#recover(call, false);
    return typeof found === 'string' ? this.#claim(call) : found;
  }

  /** Claims the call, so that a node that receives it late cannot run it. Resolves with undefined when this succeeds: the call did not run. */
  async #claim(call: PendingCall): Promise<RemoteEnd> {
    const claimed = await untilAvailable(call, () => this.#store.start(call.record)).catch((error: unknown) => {
      // The refusal is recorded under the call's id, so a node that receives it late cannot run it.
      if (SvcError.is(error) && error.code === 'PAYMENT_REQUIRED') call.takeBack();
      throw error;
    });
    if (!claimed) return { error: call.abandoned ?? unavailable() };
    if (claimed.answer) {
      call.winClaim(this.#node);
      return undefined;
    }
    const found = await this.#recover(call, false);
    if (typeof found !== 'string') return found;
    // Another call holds the key.
    call.takeBack();
    return undefined;
  }

  #sendTo(call: PendingCall, to: { toolkitId: string } | { node: string }, ifFree: boolean): Promise<NodeAnswer> {
    const { record, origin, timeline, repaired } = call;
    const { payloadJson, idempotencyKey, attempt, actionVersion, userId, namedUser, used, traceparent, tracestate } = call.attempt.request;
    call.forward('node' in to ? to.node : 'a node that offers it');
    const message = {
      id: record.id,
      agentKeyId: record.agentKeyId,
      claimKey: record.idempotencyKey,
      idempotencyKey,
      requestHash: record.requestHash,
      action: record.action,
      repaired: [...repaired],
      timeoutMs: leftMs(call),
      attempt,
      ifFree,
      ...(timeline && { watched: true }),
      ...(actionVersion !== undefined && { actionVersion }),
      ...(userId !== undefined && { userId }),
      ...(namedUser && { namedUser }),
      ...(used && { connection: this.#seal.seal(used, record.id) }),
      ...(origin.searchId !== undefined && { searchId: origin.searchId }),
      ...(record.madeBy !== undefined && { madeBy: record.madeBy }),
      ...(record.origin !== undefined && { origin: record.origin }),
      ...(record.hold && { hold: toHoldMessage(record.hold) }),
      ...leftOf(call),
      ...readTraceContext(traceparent, tracestate),
    };
    return this.#listen(call, (listener) => this.#cluster.call(to, message, payloadJson ?? '{}', listener));
  }

  /** The result of a call without an idempotency key is not stored: while its node runs, only that node can answer. */
  async #willAnswer({ id, record: { idempotencyKey } }: PendingCall): Promise<boolean> {
    if (idempotencyKey !== null) return false;
    await delay(RECORDED_MS);
    const record = await this.#store.get(id).catch(() => undefined);
    return record?.outcome === null && this.#cluster.has(record.node);
  }

  /** Listens until the call ends, the answer may be lost, or no caller has waited for `reconnectGraceMs`. */
  #listen(call: PendingCall, ask: (listener: Listener) => () => void): Promise<NodeAnswer> {
    return new Promise((resolve) => {
      let giveUp: NodeJS.Timeout | undefined;
      let stopAsking: (() => void) | undefined;
      const finish = (answer: NodeAnswer) => {
        clearTimeout(giveUp);
        stopAsking?.();
        for (const stop of stops) stop();
        resolve(answer);
      };
      const onAbandoned = (error: SvcError) => {
        if (CANCELS.has(error.code)) this.#cluster.cancel(call.id);
        clearTimeout(giveUp);
        giveUp = setTimeout(() => call.abandoned && finish({ error }), this.#limits.reconnectGraceMs).unref();
      };
      const stops = [
        this.#cluster.onPossibleLoss(async () => {
          if (!(await this.#willAnswer(call))) finish('lost');
        }),
        call.whenAbandoned(onAbandoned),
        // The other node removed the caller that left, so send the request again on behalf of the new one.
        call.whenWanted(() => finish('lost')),
      ];
      stopAsking = ask((answer, body) => {
        if (answer.kind === 'progress') return call.report(answer.progress);
        if ('timeline' in answer && answer.timeline) call.timeline?.join(call.id, answer.timeline);
        finish(readAnswer(answer, body, call));
      });
      if (call.abandoned) onAbandoned(call.abandoned);
    });
  }
}

function readAnswer(
  answer: Exclude<CallAnswer, { kind: 'progress' }> | { kind: 'no-responder' },
  body: string,
  call: PendingCall,
): NodeAnswer {
  switch (answer.kind) {
    case 'result':
      return { responseJson: body };
    case 'error': {
      const { code, message, ...details } = answer.error;
      const error = new SvcError(code, message, details);
      // The node stops while a handler runs. The node to which the process connects next records the outcome.
      if (code === 'SERVICE_STOPPING' && !answer.refused) return 'lost';
      if (!answer.refused || !REFUSAL_CODES.has(code)) return { error };
      return { refused: error, node: answer.from, attempts: Math.max(answer.attempts, call.attempt.request.attempt) };
    }
    case 'unknown':
      return 'lost';
    default:
      return answer.kind;
  }
}

function outcomeUnknown(id: string): SvcError {
  const message = `The node that may have got ${id} does not answer: the action may or may not have run. Check before you call it again`;
  return new SvcError('OUTCOME_UNKNOWN', message, { invocationId: id });
}

function unavailable(): SvcError {
  return new SvcError('SERVICE_UNAVAILABLE', 'The database cannot be reached', { retryAfterMs: 1_000 });
}

function leftOf(call: PendingCall): { detached?: true } {
  return call.hasCallers ? {} : { detached: true };
}

function leftMs(call: PendingCall): number {
  return Math.max(1, call.attempt.request.deadline - Date.now());
}
