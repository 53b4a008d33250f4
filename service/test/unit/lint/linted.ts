import type { LintFinding, LintRule } from '#sdk/protocol/lint';
import { type LintedAction, lintToolkit } from '../../../src/catalog/lint';

/** An action that nothing is wrong with, but for the given parts. */
export function action(name: string, parts: Partial<LintedAction> = {}): LintedAction {
  return {
    action: `shop__${name}`,
    description: `Finds what ${name} is about in the books of the shop, by customer`,
    payloadSchema: { type: 'object', properties: { customer: { type: 'string', description: 'Name of the customer' } } },
    ...parts,
  };
}

export function findingsOf(actions: LintedAction[], description = 'Orders and customers of a tea business'): LintFinding[] {
  return lintToolkit({ id: 'shop', name: 'Shop', description, actions });
}

/** The rules that find something in the one action. */
export function rulesOf(one: LintedAction): LintRule[] {
  return findingsOf([one]).map(({ rule }) => rule);
}
