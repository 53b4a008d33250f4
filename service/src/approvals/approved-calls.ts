/**
 * Runs approved calls, once each: the idempotency key of the run makes it one run at all nodes.
 *
 * Shape:  approved -> used, when the run is durable. A run that turns out not to have run withdraws its approval: the next equal call asks anew.
 */
import { SvcError, type SvcErrorCode } from '#sdk/protocol/errors';
import type { CallingKey } from '../keys/agent-tokens';
import { callingKeyOf, type KeptCaller } from '../keys/kept-caller';
import type { KeyRing } from '../keys/key-ring';
import type { Doorbell } from '../lib/doorbell';
import type { CallApprovalRecord, CallApprovalStore } from '../store/approval-store';
import type { ApprovedRuns } from './approved-runs';
import { APPROVAL_KEYS } from './call-approvals';
import { askingRuleOf, namesOf, type PresentCalls } from './present-call';

/** A run that ends with one of these did not run. */
const DID_NOT_RUN: ReadonlySet<SvcErrorCode> = new Set([
  'ACTION_CHANGED',
  'ACTION_NOT_ALLOWED',
  'ACTION_NOT_FOUND',
  'CONNECTION_REQUIRED',
  'PAYMENT_REQUIRED',
]);
/** The node that decided starts the run at once. */
const LOOK_MS = 1_000;
/** The store or the node failed, and not the run. */
const SAYS_NOTHING: ReadonlySet<SvcErrorCode> = new Set(['SERVICE_UNAVAILABLE', 'SERVICE_STOPPING', 'INTERNAL', 'RATE_LIMITED']);

export interface ApprovedCallsDeps {
  store: CallApprovalStore;
  keys: Pick<KeyRing, 'find'>;
  present: PresentCalls;
  runs: ApprovedRuns;
  doorbell: Pick<Doorbell, 'wait'>;
  /** Wakes the waiters at all nodes, and refreshes pages. */
  announce(id: string): void;
}

/** `gone`: its outcome is not kept any more. */
export type RunState = 'running' | 'ended' | 'withdrawn' | 'gone' | SvcError;

export class ApprovedCalls {
  readonly #deps: ApprovedCallsDeps;

  constructor(deps: ApprovedCallsDeps) {
    this.#deps = deps;
  }

  /** Resolves when the run is durable, or the approval is withdrawn. */
  async start(record: CallApprovalRecord, invocationId: string): Promise<void> {
    const { present, runs, store, announce } = this.#deps;
    const call = await present.of(record);
    if ('changed' in call) {
      await store.change(record.id, 'approved', { status: 'withdrawn', reason: call.changed });
      return announce(record.id);
    }
    await runs.start({
      id: invocationId,
      key: call.key,
      callerIds: call.callerIds,
      searchId: call.searchId,
      madeBy: call.madeBy,
      actionId: record.action,
      payloadJson: call.payloadJson,
      idempotencyKey: APPROVAL_KEYS + record.id,
      requestHash: record.requestHash,
      deadlineAt: Date.now() + record.timeoutMs,
      connectionNames: namesOf(record),
      maxPayment: record.price ?? 0n,
      actionVersion: record.actionVersion,
      approvalId: record.id,
      approvedRule: askingRuleOf(record),
    });
    await store.change(record.id, 'approved', { status: 'used' });
    announce(record.id);
  }

  /**
   * Resolves with the present record when the run is durable, or the approval is withdrawn. The node that decided has some time to start the run,
   * then this one does.
   */
  async started(record: CallApprovalRecord, invocationId: string): Promise<CallApprovalRecord> {
    const { store, doorbell } = this.#deps;
    const present = async () => (await store.find(record.id)) ?? record;
    const rung = doorbell.wait(record.id, LOOK_MS);
    const found = await present();
    if (found.status !== 'approved') return found;
    await rung;
    const later = await present();
    if (later.status !== 'approved') return later;
    await this.start(later, invocationId);
    return present();
  }

  /** The state of a run that has started. Records its end. */
  async stateOf(record: CallApprovalRecord, invocationId: string, key: CallingKey): Promise<RunState> {
    const { runs, store, announce } = this.#deps;
    try {
      const { status } = await runs.follow(invocationId, key, { waitMs: 0, onDisconnect() {} });
      if (status === 202) return 'running';
    } catch (error) {
      if (!SvcError.is(error) || SAYS_NOTHING.has(error.code)) throw error;
      if (DID_NOT_RUN.has(error.code) || foundNoProcess(error)) {
        await store.change(record.id, 'used', { status: 'withdrawn', reason: error.message });
        announce(record.id);
        return 'withdrawn';
      }
      await this.ended(record);
      return error.code === 'NOT_FOUND' ? 'gone' : error;
    }
    await this.ended(record);
    return 'ended';
  }

  /** Looks whether a run has ended. */
  async check(record: CallApprovalRecord): Promise<void> {
    const key = await this.#deps.keys.find(record.agentKeyId);
    if (key && record.invocationId !== null) {
      await this.stateOf(record, record.invocationId, callingKeyOf(key, JSON.parse(record.caller) as KeptCaller).key);
    } else await this.ended(record);
  }

  async ended({ id, endedAt }: CallApprovalRecord): Promise<void> {
    if (endedAt !== null) return;
    await this.#deps.store.ended(id);
    this.#deps.announce(id);
  }
}

/** Its deadline passed before a process had room: then the error is retryable. */
function foundNoProcess({ code, retryable }: SvcError): boolean {
  return code === 'INVOCATION_TIMEOUT' && retryable;
}
