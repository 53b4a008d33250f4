import type { RuleDefaults } from '#sdk/protocol/rules';
import type { Records } from '../records/records';
import { effectiveDefaults } from '../rules/rule-defaults';
import { Rules } from '../rules/rules';
import { StoredDefaults } from '../rules/stored-defaults';
import type { Store } from '../store/store';

export interface OpenRulesDeps {
  store: Pick<Store, 'settings'>;
  /** Undefined without console. */
  records: Records | undefined;
  currency: string;
  ruleDefaults: RuleDefaults;
}

export interface OpenedRules {
  rules: Rules;
  /** Reads the setting of the owners again, where no records follow it. */
  refreshDefaults: () => Promise<void>;
}

/** Rejects when the setting cannot be read: a service without its defaults would run calls that need a person. */
export async function openRules({ store, records, currency, ruleDefaults }: OpenRulesDeps): Promise<OpenedRules> {
  const effective = effectiveDefaults(ruleDefaults);
  if (records)
    return { rules: new Rules({ currency, defaults: () => effective(records.settings.ruleDefaults) }), refreshDefaults: async () => {} };
  const stored = new StoredDefaults(store.settings);
  await stored.refresh();
  return { rules: new Rules({ currency, defaults: () => effective(stored.value) }), refreshDefaults: () => stored.refresh() };
}
