/** How much of the budget of a day each key has used: charged and held. */
import { millionthsOf } from '#sdk/protocol/amount';
import type { KeyRecord } from '../store/store';
import type { AlertContext } from './alert-context';

export interface BudgetShare {
  key: KeyRecord;
  percent: number;
  perDay: string;
}

export async function budgetShares(context: AlertContext): Promise<BudgetShare[]> {
  const keys = (await context.keys()).filter(
    ({ budget, expiresAt }) => budget !== null && (expiresAt ?? Number.POSITIVE_INFINITY) > context.now,
  );
  if (keys.length === 0) return [];
  const spent = await context.spent(keys.map(({ id }) => id));
  return keys.flatMap((key) => {
    const used = spent.get(key.id);
    const perDay = key.budget?.perDay ?? '0';
    const limit = millionthsOf(perDay);
    return used && limit > 0n ? [{ key, perDay, percent: Number(((used.charged + used.held) * 1_000n) / limit) / 10 }] : [];
  });
}
