/**
 * The steps between the admission of a request and its claim. A rule may deny the call. The rest may wait: the rest of the budget, the connection, and
 * a person, in this order, so that a person is asked only about a call that could run.
 *
 * Errors: those of each step, each on record. A retry of a call that ran gets its answer, whatever has changed since.
 */
import { millionthsOf } from '#sdk/protocol/amount';
import type { RequiredApproval } from '#sdk/protocol/approvals';
import type { CallerAsk } from '#sdk/protocol/ask';
import { SvcError } from '#sdk/protocol/errors';
import { mayProgramCall, PROGRAM } from '#sdk/protocol/program-calls';
import { type ApprovalAsk, type Approved, CALLER_ACCOUNT, type CallApprovals } from '../approvals/call-approvals';
import { actionChanged, versionOf } from '../catalog/action-version';
import type { ConnectionAsk } from '../connections/call-connections';
import type { UsedConnection } from '../hub/attempt';
import { paymentRequired } from '../lib/payment-required';
import { type CallRules, isSameRule, type Verdict } from '../rules/call-rules';
import { isRetryable } from '../store/call-engine';
import { leftOf, NOTHING_SPENT } from '../store/over-budget';
import type { InvocationStore, LedgerStore } from '../store/store';
import { whileAway } from '../store/store-unavailable';
import type { AdmittedCall } from './admission';
import type { ObservedRequest } from './call-observer';
import type { CallRequest } from './call-request';
import { callUser } from './call-user';
import type { RefusedRequests } from './refused-requests';
import { requireSameCall } from './replay';
import { requestHash } from './request-hash';
import type { RequiredConnections } from './required-connections';
import { READ_RESULT } from './result-part';

/** An admitted call, and what it runs with. */
export interface PreparedCall extends AdmittedCall {
  ask?: ConnectionAsk | undefined;
  used?: UsedConnection | undefined;
  approved?: Approved | undefined;
}

/** The steps that a call needs. */
export interface Needs {
  connection: ConnectionAsk | undefined;
  approval: Asking | undefined;
  /** No rule asks, and the key has asked before: the call may be a retry of one that a person approved. */
  mayHaveAsked: boolean;
}

/** The parts of a request that decide about its needs. */
type PreparedRequest = Pick<CallRequest, 'key' | 'callerIds' | 'connectionNames' | 'approvalId' | 'approvedRule' | 'ask' | 'madeBy'>;

export type Asking = Extract<Verdict, { do: 'ask' }>;

const NO_NEEDS: Needs = { connection: undefined, approval: undefined, mayHaveAsked: false };
/** The rule of a call that no rule asks about. */
const NOT_ASKING: Asking = { do: 'ask', decidedBy: 'people' };

export interface PreparationDeps {
  store: Pick<InvocationStore, 'find'>;
  ledger: Pick<LedgerStore, 'spent'>;
  rules: CallRules;
  approvals: CallApprovals;
  required: RequiredConnections;
  refused: RefusedRequests;
  timeoutOf(request: CallRequest, admitted: AdmittedCall): number;
}

export class Preparation {
  readonly #deps: PreparationDeps;
  /** Each ends the wait for one person. */
  readonly #stopListeners = new Set<() => void>();
  #isStopping = false;

  constructor(deps: PreparationDeps) {
    this.#deps = deps;
  }

  /** @throws SvcError ACTION_NOT_ALLOWED for a call that a rule denies; CALL_DIRECTLY for one that a provider's program may not make */
  needsOf(request: PreparedRequest, admitted: AdmittedCall): Needs {
    // Every key may read the rest of the results of its calls.
    if (admitted.action === READ_RESULT) return NO_NEEDS;
    const verdict = this.#verdict(request, admitted);
    if (verdict.do === 'deny')
      throw new SvcError('ACTION_NOT_ALLOWED', `A rule of this key denies this call of "${admitted.actionId}": nothing ran`);
    const { approvalId, approvedRule } = request;
    if (verdict.do === 'ask' && approvedRule && !isSameRule(verdict, approvedRule))
      throw new SvcError('ACTION_NOT_ALLOWED', `Another rule asks about this call of "${admitted.actionId}" by now: nothing ran`);
    const connection = this.#deps.required.askOf(request, admitted.action);
    if (approvalId !== undefined) return { ...NO_NEEDS, connection };
    const approval = verdict.do === 'ask' ? verdict : askedByCaller(request.ask, admitted);
    if (request.madeBy === PROGRAM && (approval || !mayProgramCall(admitted.action.annotations))) throw callDirectly(admitted, approval);
    return { connection, approval, mayHaveAsked: !approval && this.#deps.approvals.hasAsked(request.key.id) };
  }

  /** Rejects with PAYMENT_REQUIRED, CONNECTION_REQUIRED, APPROVAL_REQUIRED or APPROVAL_DENIED. */
  async prepare(request: CallRequest, admitted: AdmittedCall, needs: Needs, observed: ObservedRequest): Promise<PreparedCall> {
    const startedAt = Date.now();
    try {
      if (admitted.payment?.refusal !== undefined) await this.#refusePayment(request, admitted);
      const ask = needs.connection;
      const used = ask && (await this.#deps.required.open(ask, request));
      const mayAsk = needs.approval !== undefined || needs.mayHaveAsked;
      if (mayAsk && (await this.#hasEarlier(request, admitted, needs))) return { ...admitted, ask, used };
      if (needs.mayHaveAsked) {
        const approved = await this.#deps.approvals.settle(this.#askOf(request, { ...admitted, ask, used }, NOT_ASKING));
        return { ...admitted, ask, used, approved };
      }
      // Before the question: its row would have the version of now, and an answer to it would run that one.
      if (needs.approval && isChanged(admitted)) throw actionChanged(admitted.actionId);
      const approved = needs.approval && (await this.#approve(request, { ...admitted, ask, used }, needs.approval));
      return { ...admitted, ask, used, approved };
    } catch (error) {
      if (!SvcError.is(error)) throw error;
      // A retry gets the answer of its first call, even if the account is not connected any more, or a rule asks by now.
      const earlier = this.#hasEarlier(request, admitted, needs);
      if (await (mayRunLater(error) ? whileAway(earlier, false) : earlier)) return { ...admitted, ask: needs.connection };
      // The question is on record with the call that made it. A framework whose human has approved it, and each look of a model, find it here.
      if (mayRunLater(error) && !error.details.approval?.isNew) throw error;
      throw this.#deps.refused.record(request, { payload: admitted.payload, startedAt }, observed, error);
    }
  }

  /** Answers every caller that waits for a person. Its approval stays. */
  stopWaiting(): void {
    this.#isStopping = true;
    for (const stop of [...this.#stopListeners]) stop();
  }

  #approve(request: CallRequest, call: PreparedCall, asking: Asking, isBefore?: true): Promise<Approved> {
    let stop: (() => void) | undefined;
    const ask: ApprovalAsk = {
      ...this.#askOf(request, call, asking),
      isBefore,
      onDisconnect: (listener) => {
        request.onDisconnect(listener);
        if (this.#isStopping) listener();
        else this.#stopListeners.add(listener);
        stop = listener;
      },
    };
    return this.#deps.approvals.require(ask).finally(() => stop && this.#stopListeners.delete(stop));
  }

  #askOf(request: CallRequest, call: PreparedCall, { decidedBy, rule }: Asking): ApprovalAsk {
    const { key, callerIds, idempotencyKey, searchId, madeBy, prefer, onDisconnect } = request;
    const { userId, namedUser } = callUser(key, callerIds);
    return {
      key,
      callerIds,
      userId: namedUser?.id ?? userId,
      actionId: call.actionId,
      actionVersion: versionOf(call.action),
      payload: call.payload,
      requestHash: requestHash(request, call, call.ask?.name),
      hold: call.payment?.hold,
      connection: call.used && accountOf(call.used),
      connectionName: call.ask?.name,
      decidedBy,
      rule,
      idempotencyKey,
      searchId,
      madeBy,
      timeoutMs: this.#deps.timeoutOf(request, call),
      waitMs: prefer?.respondAsync ? 0 : (prefer?.waitMs ?? 0),
      onDisconnect,
    };
  }

  /** Asks a person about a call that is not made yet. Undefined if the call needs no question now. */
  async question(request: CallRequest, admitted: AdmittedCall, needs: Needs): Promise<RequiredApproval | undefined> {
    const { connection, approval } = needs;
    if (!approval || (await this.#hasEarlier(request, admitted, needs))) return undefined;
    try {
      const used = connection && (await this.#deps.required.open(connection, request));
      await this.#approve({ ...request, prefer: undefined }, { ...admitted, ask: connection, used }, approval, true);
      return undefined;
    } catch (error) {
      if (SvcError.is(error) && error.code === 'APPROVAL_REQUIRED') return error.details.approval;
      throw error;
    }
  }

  /**
   * Whether an earlier call with the same idempotency key runs, or has an outcome that is returned again. Rejects with IDEMPOTENCY_MISMATCH for another
   * call: it must not join, since it would run unasked if the earlier one failed in this moment and freed the key.
   */
  async #hasEarlier(request: CallRequest, admitted: AdmittedCall, { connection }: Needs): Promise<boolean> {
    const { key, idempotencyKey } = request;
    const earlier = idempotencyKey === undefined ? undefined : await this.#deps.store.find(key.id, idempotencyKey);
    if (!earlier || (earlier.outcome && isRetryable(earlier.outcome))) return false;
    requireSameCall(earlier, requestHash(request, admitted, connection?.name));
    return true;
  }

  #verdict({ key, callerIds }: PreparedRequest, { actionId, action, payload }: AdmittedCall): Verdict {
    const { userId, namedUser } = callUser(key, callerIds);
    return this.#deps.rules.verdict({ key, actionId, action, payload, userId: namedUser?.id ?? userId });
  }

  async #refusePayment({ key }: CallRequest, { payment }: AdmittedCall): Promise<void> {
    if (!payment) return;
    const { amount: price, currency, perDay = 0n } = payment.hold;
    const spent = key.budget ? ((await this.#deps.ledger.spent([key.id], Date.now())).get(key.id) ?? NOTHING_SPENT) : undefined;
    throw paymentRequired(payment.refusal ?? '', { price, currency, left: spent && leftOf(perDay, spent) });
  }
}

/** A question about the call is stored, or may be: SERVICE_UNAVAILABLE must not take the place of such an error, since it says that nothing ran. */
function mayRunLater({ code }: SvcError): boolean {
  return code === 'APPROVAL_REQUIRED' || code === 'INVOCATION_TIMEOUT';
}

function isChanged({ action, actionVersion = versionOf(action) }: AdmittedCall): boolean {
  return actionVersion !== versionOf(action);
}

function callDirectly({ actionId }: AdmittedCall, approval: Asking | undefined): SvcError {
  const reason = approval ? 'a person has to approve it' : 'a second run may change more than the first';
  return new SvcError('CALL_DIRECTLY', `Call "${actionId}" yourself, not from the program: ${reason}. Nothing ran`);
}

function askedByCaller(ask: CallerAsk | undefined, { action: { annotations, payment } }: AdmittedCall): Asking | undefined {
  if (!ask) return undefined;
  const isDear = ask.above !== undefined && payment !== undefined && millionthsOf(payment.amount) > millionthsOf(ask.above);
  return ask.always || (ask.destructive && annotations.destructive) || isDear ? { do: 'ask', decidedBy: 'app' } : undefined;
}

/** A credential of the caller is not kept, so the call cannot run without its caller. */
function accountOf({ id, connection }: UsedConnection): string {
  return id === undefined ? CALLER_ACCOUNT : `${id} ${connection.account ?? ''}`.trim();
}
