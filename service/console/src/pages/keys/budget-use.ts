/** The budget of a key in words, and the part of it that is used today. */
import { millionthsOf, toAmount } from '#sdk/protocol/amount';
import type { Budget } from '#sdk/protocol/http';
import { formatAmount } from '../../parts/format';

/** `0.1 USD per call, 5 USD per day` */
export function budgetWords(budget: Budget | undefined, currency: string): string {
  if (!budget) return 'None: free actions only';
  return `${formatAmount(budget.perCall, currency)} per call, ${formatAmount(budget.perDay, currency)} per day`;
}

export interface BudgetUse {
  /** An amount. 0 also when the budget is now less than what was used before. */
  left: string;
  /** Percentages of the budget; at most 100 together. */
  chargedPercent: number;
  heldPercent: number;
}

export function budgetUse({ perDay }: Pick<Budget, 'perDay'>, spent: { charged: string; held: string }): BudgetUse {
  const [most, charged, held] = [perDay, spent.charged, spent.held].map(millionthsOf) as [bigint, bigint, bigint];
  const left = most - charged - held;
  const chargedPercent = percentOf(charged, most);
  return {
    left: toAmount(left > 0n ? left : 0n),
    chargedPercent,
    heldPercent: Math.min(percentOf(held, most), 100 - chargedPercent),
  };
}

function percentOf(part: bigint, whole: bigint): number {
  if (whole === 0n) return 0;
  return Math.min(100, Number((part * 10_000n) / whole) / 100);
}
