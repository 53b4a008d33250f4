import type { AlertCheck } from '../alert-check';
import { budgetShares } from '../budget-shares';
import { keyLink } from '../links';

export const keyBudget: AlertCheck = {
  kind: 'key-budget',
  async check(context) {
    const { threshold } = context.rule('key-budget');
    return (await budgetShares(context)).flatMap(({ key: { id, name }, percent, perDay }) => {
      if (percent < threshold) return [];
      const text = `Key "${name}" has used ${Math.floor(percent)} % of its budget of ${perDay} for this day (UTC)`;
      return [{ kind: 'key-budget', subject: id, severity: 'warning', text, link: keyLink(id), keyId: id }];
    });
  },
};
