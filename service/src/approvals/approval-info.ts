/** An approval as people and admin keys see it. */
import { toAmount } from '#sdk/protocol/amount';
import type { ApprovalInfo } from '#sdk/protocol/approvals';
import { callerOf } from '../keys/caller-ids';
import { callingKeyOf, type KeptCaller } from '../keys/kept-caller';
import { toTime } from '../lib/to-time';
import type { CallApprovalRecord } from '../store/approval-store';
import type { KeyRecord } from '../store/store';

/**
 * @param key undefined when the key is not there any more
 * @param payloadJson undefined when it is not kept any more
 */
export function toApprovalInfo(record: CallApprovalRecord, key: KeyRecord | undefined, payloadJson: string | undefined): ApprovalInfo {
  const { id, status, decider, action, agentKeyId, sessionId, price, currency, connection, rule, sessionUntil, readAt } = record;
  const user = key && userOf(record, key);
  const account = connection?.split(' ').slice(1).join(' ');
  return {
    id,
    status: status === 'pending' && record.expiresAt <= readAt ? 'expired' : status,
    decidedBy: decider,
    action,
    ...(payloadJson !== undefined && { payload: JSON.parse(payloadJson) }),
    key: { id: agentKeyId, name: key?.name ?? '' },
    ...(user !== undefined && { user }),
    ...(sessionId !== null && { session: sessionId }),
    ...(price !== null && { payment: { amount: toAmount(price), currency: currency ?? '' } }),
    ...(account && { account }),
    ...(rule !== null && { rule: JSON.parse(rule) }),
    createdAt: toTime(record.createdAt),
    expiresAt: toTime(record.expiresAt),
    ...(record.decidedAt !== null && { decidedAt: toTime(record.decidedAt) }),
    ...(record.decidedByName !== null && { decidedByName: record.decidedByName }),
    ...(record.reason !== null && { reason: record.reason }),
    ...(status === 'used' && record.invocationId !== null && { invocationId: record.invocationId }),
    ...(sessionUntil !== null && sessionUntil > readAt && { sessionUntil: toTime(sessionUntil) }),
  };
}

function userOf({ caller }: CallApprovalRecord, record: KeyRecord): string | undefined {
  const { key, callerIds } = callingKeyOf(record, JSON.parse(caller) as KeptCaller);
  return callerOf(key, callerIds)?.userId;
}
