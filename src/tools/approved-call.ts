/** A call that the application's user has approved: its question is decided with the application's own key, then the same call is made again. */
import type { ApprovalInfo, RequiredApproval } from '../protocol/approvals';
import { SvcError } from '../protocol/errors';
import { isObject } from '../protocol/json-object';

export async function sendApproved<T>(
  send: () => Promise<T>,
  isApproved: (approval: RequiredApproval) => boolean,
  approve: (id: string) => Promise<unknown>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const approval = SvcError.is(error) && error.code === 'APPROVAL_REQUIRED' ? error.details.approval : undefined;
    if (approval?.decidedBy !== 'app' || !isApproved(approval)) throw error;
    await approve(approval.id).catch(ignoreDecided);
    return send();
  }
}

export function isDecided(body: unknown): body is ApprovalInfo {
  return isObject(body) && typeof body.status === 'string';
}

/** Another call has decided about the same question. The next answer says what. */
function ignoreDecided(error: unknown): void {
  if (!SvcError.is(error) || error.code !== 'CONFLICT') throw error;
}
