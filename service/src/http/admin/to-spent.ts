import { toAmount } from '#sdk/protocol/amount';
import type { Spent } from '../../store/store';

/** Sums of the ledger as amounts. */
export function toSpent({ charged, held }: Spent): { charged: string; held: string } {
  return { charged: toAmount(charged), held: toAmount(held) };
}
