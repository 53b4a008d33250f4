/**
 * Records what a person, or the app of the call, decided. The first decision counts, also of two at the same moment at two nodes.
 *
 * Errors: NOT_FOUND; CONFLICT for a second decision, and for a call that is not what its question says any more.
 */
import type { Actor, AuditEntry } from '#sdk/protocol/admin';
import type { DecideRequest } from '#sdk/protocol/approvals';
import { SvcError } from '#sdk/protocol/errors';
import type { Audit } from '../audit/audit';
import type { Logger } from '../lib/logger';
import { toTime } from '../lib/to-time';
import type { ApprovalChange, CallApprovalRecord, CallApprovalStore } from '../store/approval-store';
import type { ApprovedCalls } from './approved-calls';
import { CALLER_ACCOUNT } from './call-approvals';
import type { PresentCalls } from './present-call';

export interface ApprovalDecisionsDeps {
  store: CallApprovalStore;
  present: PresentCalls;
  calls: ApprovedCalls;
  audit: Audit;
  /** Wakes the waiters at all nodes, and refreshes pages. */
  announce(id: string): void;
  /** The handle of a new call. */
  newHandle(): string;
  logger: Logger;
}

export class ApprovalDecisions {
  readonly #deps: ApprovalDecisionsDeps;

  constructor(deps: ApprovalDecisionsDeps) {
    this.#deps = deps;
  }

  /** Approved, the call has started when this resolves, or starts within seconds. */
  async decide(record: CallApprovalRecord, { decision, reason, sessionSeconds }: DecideRequest, actor: Actor): Promise<void> {
    if (sessionSeconds !== undefined) requireSession(record, decision);
    const by = { decidedBy: actor.id ?? '', decidedByName: actor.name, reason };
    if (decision === 'deny') return this.#change(record, { status: 'denied', ...by }, actor, 'approval.deny');
    if (record.status === 'pending') await this.#requireUnchanged(record, actor);
    const invocationId = record.connection === CALLER_ACCOUNT ? undefined : this.#deps.newHandle();
    const sessionMs = sessionSeconds && sessionSeconds * 1_000;
    await this.#change(record, { status: 'approved', ...by, invocationId, sessionMs }, actor, 'approval.approve');
    if (invocationId === undefined) return;
    await this.#deps.calls.start(record, invocationId).catch((error: unknown) => {
      this.#deps.logger.warn({ error, approval: record.id }, 'cannot start an approved call yet: tries again');
    });
  }

  /** Ends the approval of later calls of the session. */
  async endSession(record: CallApprovalRecord, actor: Actor): Promise<void> {
    const { store, announce } = this.#deps;
    if (!(await store.endSession(record.id)))
      throw new SvcError('CONFLICT', `Approval ${record.id} is for no later calls of its session: it never was, or this has ended`);
    await this.#write(record, actor, 'approval.end');
    announce(record.id);
  }

  async #requireUnchanged(record: CallApprovalRecord, actor: Actor): Promise<void> {
    const present = await this.#deps.present.of(record);
    if (!('changed' in present)) return;
    const { changed } = present;
    await this.#change(record, { status: 'withdrawn', reason: changed }, actor, 'approval.withdraw');
    throw new SvcError('CONFLICT', `The call is withdrawn, because ${changed}: nothing runs. The agent's next call asks again`);
  }

  async #change(record: CallApprovalRecord, change: ApprovalChange, actor: Actor, what: AuditEntry['what']): Promise<void> {
    const { store, announce } = this.#deps;
    if (!(await store.change(record.id, 'pending', change))) throw alreadyDecided((await store.find(record.id)) ?? record);
    announce(record.id);
    await this.#write(record, actor, what);
  }

  /** Never the payload: the audit outlives it. */
  async #write({ id, action, agentKeyId, requestHash }: CallApprovalRecord, actor: Actor, what: AuditEntry['what']): Promise<void> {
    await this.#deps.audit.write(actor, what, id, { action, key: agentKeyId, hash: requestHash });
  }
}

function requireSession({ sessionId }: CallApprovalRecord, decision: string): void {
  if (decision !== 'approve') throw new SvcError('INVALID_REQUEST', 'sessionSeconds belongs to the decision "approve"');
  if (sessionId === null)
    throw new SvcError(
      'INVALID_REQUEST',
      'The call names no session (Svc-Session-Id), so it can only be approved itself: leave sessionSeconds out',
    );
}

function alreadyDecided({ id, status, decidedAt, decidedByName, expiresAt }: CallApprovalRecord): SvcError {
  const by = decidedByName === null ? '' : ` by ${decidedByName}`;
  const at = toTime(decidedAt ?? expiresAt);
  const became = {
    pending: `expired at ${at}`,
    expired: `expired at ${at}`,
    approved: `was approved${by} at ${at}`,
    used: `was approved${by} at ${at}, and runs or has run`,
    denied: `was denied${by} at ${at}`,
    withdrawn: `was withdrawn at ${at}`,
  }[status];
  return new SvcError('CONFLICT', `Approval ${id} ${became}: this decision has no effect`);
}
