/** The owners' setting `ruleDefaults`, as a node without a console reads it: another node with a console may change it. */
import { ruleDefaults } from '#sdk/protocol/rule-schemas';
import type { RuleDefaults } from '#sdk/protocol/rules';
import type { SettingStore } from '../store/console-store';
import { NO_DEFAULTS } from './rule-defaults';

export class StoredDefaults {
  readonly #store: Pick<SettingStore, 'all'>;
  #json = '';
  #value = NO_DEFAULTS;

  constructor(store: Pick<SettingStore, 'all'>) {
    this.#store = store;
  }

  /** The same object until the setting changes. */
  get value(): RuleDefaults {
    return this.#value;
  }

  async refresh(): Promise<void> {
    const stored = (await this.#store.all()).find(({ name }) => name === 'ruleDefaults')?.value ?? NO_DEFAULTS;
    const json = JSON.stringify(stored);
    if (json === this.#json) return;
    this.#value = ruleDefaults.parse(stored);
    this.#json = json;
  }
}
