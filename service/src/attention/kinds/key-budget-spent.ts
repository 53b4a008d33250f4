import type { AlertCheck } from '../alert-check';
import { budgetShares } from '../budget-shares';
import { keyLink } from '../links';

export const keyBudgetSpent: AlertCheck = {
  kind: 'key-budget-spent',
  async check(context) {
    return (await budgetShares(context)).flatMap(({ key: { id, name }, percent, perDay }) => {
      if (percent < 100) return [];
      const text = `Key "${name}" has spent its budget of ${perDay}: paid calls are refused until the day ends (UTC)`;
      return [{ kind: 'key-budget-spent', subject: id, severity: 'critical', text, link: keyLink(id), keyId: id }];
    });
  },
};
