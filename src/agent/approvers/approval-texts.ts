/** The texts for approvers in a chat: the whole call, and later its outcome. */
import { describeCall } from 'svc-sdk';
import type { ApprovalInfo, ApprovalStatus } from '../../protocol/approvals';

/** A chat cannot show a longer call. */
const MAX_CHARS = 20_000;

/** `isWhole` is false for a call that the chat cannot show, which must be decided elsewhere. */
export function questionText(approval: ApprovalInfo): { text: string; isWhole: boolean } {
  const { id, action, payload, key, user, session, payment, expiresAt } = approval;
  const head = [
    `May "${key.name}" run this?`,
    ...(user === undefined ? [] : [`For the user ${user}`]),
    ...(session === undefined ? [] : [`In the conversation ${session}`]),
    `Until ${expiresAt}`,
  ].join('\n');
  const call = payload && describeCall({ action: { action, ...(payment && { payment }) }, payload }, Number.MAX_SAFE_INTEGER);
  if (call !== undefined && call.length <= MAX_CHARS) return { text: `${head}\n\n${call}`, isWhole: true };
  const why = call === undefined ? 'cannot be read' : `has ${call.length} characters, too many for a chat`;
  return { text: `${head}\n\n${action}\nThe payload ${why}. Decide in the console, or with: svc-sdk approvals show ${id}`, isWhole: false };
}

const OUTCOMES: Record<ApprovalStatus, string> = {
  pending: 'Open.',
  approved: 'Approved',
  used: 'Approved',
  denied: 'Denied',
  expired: 'No decision in time.',
  withdrawn: 'The call is not the same any more: nothing ran.',
};

export function outcomeText({ status, decidedByName }: ApprovalInfo): string {
  const outcome = OUTCOMES[status];
  return outcome.endsWith('.') ? outcome : `${outcome}${decidedByName === undefined ? '' : ` by ${decidedByName}`}.`;
}
