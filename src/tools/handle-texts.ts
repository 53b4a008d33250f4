/** The words for a model about a call without a result yet: it waits for a person, or runs on. docs/protocol.md, section 5. */
import type { RequiredApproval } from '../protocol/approvals';
import { SvcError } from '../protocol/errors';
import type { UnfinishedInvocation } from '../protocol/http';

/** The value of a tool call whose invocation goes on without it. */
export function unfinishedForModel({ invocationId, status, progress }: UnfinishedInvocation): unknown {
  const message =
    status === 'waiting'
      ? `A person has to approve this call first. Tell the user, and read the result later: ${readCall(invocationId)}`
      : `Still running, so there is no result yet. Read it later: ${readCall(invocationId)}`;
  return { status, handle: invocationId, ...(progress && { progress }), message };
}

/**
 * APPROVAL_REQUIRED with the model's next step.
 *
 * @param isAsked the application has asked its user, so the model needs no link
 */
export function approvalForModel(approval: RequiredApproval, isAsked: boolean): SvcError {
  const { url, ...withoutLink } = approval;
  if (isAsked) {
    const message = 'The user was asked to approve this call. Say so, and make the same call again when they have done it';
    return new SvcError('APPROVAL_REQUIRED', message, { approval: withoutLink });
  }
  const link = url === undefined ? '' : ', with the link';
  const message = `A person has to approve this call first. Tell the user${link}. When it is approved, make the same call again, or read its result: ${readCall(approval.id)}`;
  return new SvcError('APPROVAL_REQUIRED', message, { approval });
}

function readCall(handle: string): string {
  return `invoke_service ${JSON.stringify({ action: 'svc__read_result', payload: { handle, wait: 30 } })}`;
}
