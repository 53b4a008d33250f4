import { toAmount } from '#sdk/protocol/amount';
import { parseActionId } from '#sdk/protocol/ids';
import type { LedgerEntry } from '../store/store';

/** A paid call with a charge, as `settle` and the webhook get it. Amounts are decimal texts, such as `0.05`; times are RFC 3339. */
export interface ChargedEntry {
  /** The same at each delivery of the entry: an idempotency key. */
  invocationId: string;
  /** Public id of the key that pays: `key_…`. */
  agentKeyId: string;
  toolkit: string;
  /** Action id. */
  action: string;
  currency: string;
  /** The hold: the most that the call could cost. */
  authorised: string;
  /** The cost of the call: more than 0, at most `authorised`. */
  charged: string;
  /** The start of the call. Decides the UTC day whose budget pays. */
  heldAt: string;
  bookedAt: string;
}

export function chargedEntry({
  authorised,
  charged,
  heldAt,
  bookedAt,
  invocationId,
  agentKeyId,
  action,
  currency,
}: LedgerEntry): ChargedEntry {
  return {
    invocationId,
    agentKeyId,
    toolkit: parseActionId(action)?.toolkitId ?? '',
    action,
    currency,
    authorised: toAmount(authorised),
    charged: toAmount(charged ?? 0n),
    heldAt: new Date(heldAt).toISOString(),
    bookedAt: new Date(bookedAt ?? heldAt).toISOString(),
  };
}
