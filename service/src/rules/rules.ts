/**
 * Decides about calls by the rules of their key, and by the defaults of the service where none of the rules matches.
 *
 * Order:  deny, ask, allow; of several rules that ask, one that people decide about comes first.
 * Cost:   the rules of a key are compiled once. The payload tests of a call are metered as a check of its payload is.
 * Errors: INVALID_PAYLOAD for a payload whose check costs too much.
 */
import { SvcError } from '#sdk/protocol/errors';
import { RESERVED_TOOLKIT_ID } from '#sdk/protocol/ids';
import type { Rule, RuleDefaults } from '#sdk/protocol/rules';
import { CheckMeter, CheckTooCostly } from '../payload/check-meter';
import { linearPatterns } from '../payload/linear-patterns';
import type { ActionRecord, KeyRecord } from '../store/store';
import type { CallRules, RuledCall, Verdict } from './call-rules';
import { type CompiledRule, compileRule, type RuleFacts } from './compiled-rule';
import { defaultEffect } from './hints';

export interface RulesOptions {
  /** The currency of every price. */
  currency: string;
}

type HidableAction = Pick<ActionRecord, 'annotations' | 'payment'>;

interface CompiledRules {
  deny: readonly CompiledRule[];
  ask: readonly CompiledRule[];
  allow: readonly CompiledRule[];
}

const NO_DEFAULTS: RuleDefaults = {};
const ALLOW: Verdict = { do: 'allow' };
const WITHOUT_RULES: CompiledRules = { deny: [], ask: [], allow: [] };

export class Rules implements CallRules {
  readonly #currency: string;
  readonly #meter = new CheckMeter();
  /** The key is the list of rules, which a token's record shares with that of its key. */
  readonly #compiled = new WeakMap<readonly Rule[], CompiledRules>();
  #defaults = NO_DEFAULTS;

  constructor({ currency }: RulesOptions) {
    this.#currency = currency;
  }

  setDefaults(defaults: RuleDefaults): void {
    this.#defaults = Object.keys(defaults).length > 0 ? defaults : NO_DEFAULTS;
  }

  verdict({ key, actionId, action, payload, userId }: RuledCall): Verdict {
    if ((key.rules === null && this.#defaults === NO_DEFAULTS) || action.toolkitId === RESERVED_TOOLKIT_ID) return ALLOW;
    const compiled = this.#compile(key.rules);
    return this.#metered(payload, () => this.#decide(compiled, { actionId, action, payload, userId: userId ?? null }));
  }

  hides({ kind, rules }: Pick<KeyRecord, 'kind' | 'rules'>, actionId: string, action: HidableAction | undefined): boolean {
    if (kind !== 'agent' || (rules === null && this.#defaults === NO_DEFAULTS)) return false;
    const { deny, ask, allow } = this.#compile(rules);
    const facts: RuleFacts = { actionId, action, payload: undefined, userId: undefined };
    if (deny.some((rule) => rule.matches(facts) === true)) return true;
    if (!action || defaultEffect(this.#defaults, action.annotations) !== 'deny') return false;
    return [...ask, ...allow].every((rule) => rule.matches(facts) === false);
  }

  #decide({ deny, ask, allow }: CompiledRules, facts: RuleFacts & Pick<RuledCall, 'action'>): Verdict {
    const denying = deny.find((rule) => rule.matches(facts));
    if (denying) return { do: 'deny', rule: denying.rule };
    const asking = ask.find((rule) => rule.matches(facts));
    if (asking) return { do: 'ask', decidedBy: asking.rule.decidedBy ?? 'people', rule: asking.rule };
    if (allow.some((rule) => rule.matches(facts))) return ALLOW;
    const effect = defaultEffect(this.#defaults, facts.action.annotations);
    return effect === 'ask' ? { do: 'ask', decidedBy: 'people' } : { do: effect };
  }

  #metered<Result>(payload: object, decide: () => Result): Result {
    this.#meter.start();
    try {
      return decide();
    } catch (error) {
      if (!(error instanceof CheckTooCostly)) throw error;
      throw new SvcError(
        'INVALID_PAYLOAD',
        'The payload takes too long to check against the rules of the key; send a smaller one, or split it over several calls',
        { issues: [], received: Object.keys(payload).slice(0, 100) },
      );
    } finally {
      this.#meter.stop();
    }
  }

  #compile(rules: readonly Rule[] | null): CompiledRules {
    if (rules === null) return WITHOUT_RULES;
    const known = this.#compiled.get(rules);
    if (known) return known;
    const patterns = linearPatterns(this.#meter);
    const all = rules.map((rule) => compileRule(rule, { meter: this.#meter, patterns, currency: this.#currency }));
    const having = (effect: Rule['do']) => all.filter(({ rule }) => rule.do === effect);
    const compiled: CompiledRules = {
      deny: having('deny'),
      ask: having('ask').toSorted((a, b) => Number(a.rule.decidedBy === 'app') - Number(b.rule.decidedBy === 'app')),
      allow: having('allow'),
    };
    this.#compiled.set(rules, compiled);
    return compiled;
  }
}
