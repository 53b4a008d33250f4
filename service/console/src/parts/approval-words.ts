/** The state of an approval, in words. */
import type { ApprovalStatus } from '#sdk/protocol/approvals';

export const STATUS_WORDS: Record<ApprovalStatus, { label: string; color: string }> = {
  pending: { label: 'waiting', color: 'blue' },
  approved: { label: 'approved', color: 'brand' },
  used: { label: 'approved', color: 'brand' },
  denied: { label: 'denied', color: 'red' },
  expired: { label: 'expired', color: 'gray' },
  withdrawn: { label: 'withdrawn', color: 'gray' },
};
