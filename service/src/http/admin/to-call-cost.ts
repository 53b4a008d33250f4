import type { LedgerItem } from '#sdk/protocol/admin';
import { toAmount } from '#sdk/protocol/amount';
import type { LedgerEntry } from '../../store/store';

/** The amounts of an entry of the ledger. */
export function toCallCost({
  currency,
  authorised,
  charged,
}: Pick<LedgerEntry, 'currency' | 'authorised' | 'charged'>): Pick<LedgerItem, 'currency' | 'authorised' | 'charged' | 'state'> {
  return {
    currency,
    authorised: toAmount(authorised),
    ...(charged !== null && { charged: toAmount(charged) }),
    state: charged === null ? 'held' : charged === 0n ? 'released' : 'charged',
  };
}
