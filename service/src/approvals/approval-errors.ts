/** The errors of calls that need an approval. A model reads them: they say what became of the call, and what to do. */
import type { RequiredApproval } from '#sdk/protocol/approvals';
import { SvcError } from '#sdk/protocol/errors';
import { toTime } from '../lib/to-time';
import type { CallApprovalRecord } from '../store/approval-store';

/** @param url the page where people decide */
export function toRequiredApproval(record: CallApprovalRecord, url: string | undefined): RequiredApproval {
  const { id, status, decider, expiresAt, reason } = record;
  return {
    id,
    status,
    decidedBy: decider,
    expiresAt: toTime(expiresAt),
    ...(url !== undefined && { url }),
    ...(reason !== null && { reason }),
  };
}

export function mustBeApproved(record: CallApprovalRecord, approval: RequiredApproval): SvcError {
  const where = approval.url === undefined ? '' : ` at ${approval.url}`;
  const message = `Nothing ran: a person has to approve this call of "${record.action}" first${where}, by ${approval.expiresAt}. Tell the user, then make the same call again; approved, it runs once`;
  return new SvcError('APPROVAL_REQUIRED', message, { approval });
}

/** The approval was denied, has expired or was withdrawn. */
export function refusedApproval(record: CallApprovalRecord, approval: RequiredApproval): SvcError {
  return new SvcError('APPROVAL_DENIED', `Nothing ran: ${becameOf(record)}`, { approval });
}

function becameOf({ status, action, reason, expiresAt }: CallApprovalRecord): string {
  if (status === 'expired')
    return `no person decided about this call of "${action}" by ${toTime(expiresAt)}. The same call asks a person again`;
  if (status === 'withdrawn')
    return `the question about this call of "${action}" was withdrawn${reason === null ? '' : `, because ${reason}`}. The same call asks a person again`;
  const why = reason === null ? '' : `: ${reason}`;
  return `a person did not approve this call of "${action}"${why}. Do not make it again; tell the user, or do it in another way`;
}
