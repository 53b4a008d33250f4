/** The budget of a key in a form: two amounts as texts, both or none. */
import { AMOUNT_ADVICE, toMillionths } from '#sdk/protocol/amount';
import type { Budget, KeyKind } from '#sdk/protocol/http';

/** Empty texts mean no budget. */
export const toBudgetValues = (budget?: Budget): Budget => budget ?? { perCall: '', perDay: '' };

interface BudgetForm {
  kind: KeyKind;
  budget: Budget;
}

/** The service checks the rest: an amount of 0, and more per call than per day. */
export const checkBudget = {
  perCall: (amount: string, { kind, budget }: BudgetForm) => (kind === 'agent' ? checkAmount(amount, budget.perDay) : null),
  perDay: (amount: string, { kind, budget }: BudgetForm) => (kind === 'agent' ? checkAmount(amount, budget.perCall) : null),
};

function checkAmount(amount: string, other: string): string | null {
  if (amount.trim() === '') return other.trim() === '' ? null : 'Enter both amounts, or leave both empty';
  return toMillionths(amount.trim()) === undefined ? `The amount ${AMOUNT_ADVICE}` : null;
}

/** @returns null for no budget */
export function readBudget({ perCall, perDay }: Budget): Budget | null {
  return perCall.trim() === '' ? null : { perCall: perCall.trim(), perDay: perDay.trim() };
}
