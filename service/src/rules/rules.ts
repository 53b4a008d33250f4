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
import { NO_DEFAULTS } from './rule-defaults';

export interface RulesOptions {
  /** The currency of every price. */
  currency: string;
  /** The defaults of now: the same object until they change. */
  defaults: () => RuleDefaults;
}

type HidableAction = Pick<ActionRecord, 'annotations' | 'payment'>;

interface CompiledRules {
  deny: readonly CompiledRule[];
  ask: readonly CompiledRule[];
  allow: readonly CompiledRule[];
}

/** Names of members in a refusal. */
const MAX_RECEIVED = 100;
const ALLOW: Verdict = { do: 'allow' };
const WITHOUT_RULES: CompiledRules = { deny: [], ask: [], allow: [] };

export class Rules implements CallRules {
  readonly #currency: string;
  readonly #meter = new CheckMeter();
  /** The key is the list of rules, which a token's record shares with that of its key. */
  readonly #compiled = new WeakMap<readonly Rule[], CompiledRules>();
  readonly #defaults: () => RuleDefaults;

  constructor({ currency, defaults }: RulesOptions) {
    this.#currency = currency;
    this.#defaults = defaults;
  }

  verdict({ key, actionId, action, payload, userId }: RuledCall): Verdict {
    const defaults = this.#defaults();
    if ((key.rules === null && defaults === NO_DEFAULTS) || action.toolkitId === RESERVED_TOOLKIT_ID) return ALLOW;
    const compiled = this.#compile(key.rules);
    const verdict = this.#metered(() => decide(compiled, defaults, { actionId, action, payload, userId: userId ?? null }));
    if (verdict === 'too costly')
      throw new SvcError(
        'INVALID_PAYLOAD',
        'The payload takes too long to check against the rules of the key; send a smaller one, or split it over several calls',
        { issues: [], received: Object.keys(payload).slice(0, MAX_RECEIVED) },
      );
    if (!verdict) throw new Error(`A call of ${actionId} without a verdict`);
    return verdict;
  }

  hides({ kind, rules }: Pick<KeyRecord, 'kind' | 'rules'>, actionId: string, action: HidableAction | undefined): boolean {
    const defaults = this.#defaults();
    if (kind !== 'agent' || (rules === null && defaults === NO_DEFAULTS)) return false;
    const { deny, ask, allow } = this.#compile(rules);
    const facts: RuleFacts = { actionId, action, payload: undefined, userId: undefined };
    if (deny.some((rule) => rule.matches(facts) === true)) return true;
    if (!action || defaultEffect(defaults, action.annotations) !== 'deny') return false;
    return [...ask, ...allow].every((rule) => rule.matches(facts) === false);
  }

  /** Returns what `rules` would do to a call of which not all is known. Undefined: a missing fact decides, or the check costs too much. */
  estimate(rules: readonly Rule[], facts: RuleFacts): Verdict | undefined {
    const compiled = this.#compile(rules);
    const verdict = this.#metered(() => decide(compiled, this.#defaults(), facts));
    return verdict === 'too costly' ? undefined : verdict;
  }

  #metered<Result>(decide: () => Result): Result | 'too costly' {
    this.#meter.start();
    try {
      return decide();
    } catch (error) {
      if (error instanceof CheckTooCostly) return 'too costly';
      throw error;
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

/** Undefined where a fact is missing that decides. */
function decide({ deny, ask, allow }: CompiledRules, defaults: RuleDefaults, facts: RuleFacts): Verdict | undefined {
  const denying = firstMatch(deny, facts);
  if (denying !== 'none') return denying && { do: 'deny', rule: denying };
  const asking = firstMatch(ask, facts);
  if (asking !== 'none') return asking && { do: 'ask', decidedBy: asking.decidedBy ?? 'people', rule: asking };
  const allowing = firstMatch(allow, facts);
  if (allowing !== 'none') return allowing && ALLOW;
  if (defaults === NO_DEFAULTS) return ALLOW;
  const effect = facts.action && defaultEffect(defaults, facts.action.annotations);
  return effect === 'ask' ? { do: 'ask', decidedBy: 'people' } : effect && { do: effect };
}

/** Undefined where no rule surely matches, and one may. */
function firstMatch(rules: readonly CompiledRule[], facts: RuleFacts): Rule | 'none' | undefined {
  let found: 'none' | undefined = 'none';
  for (const { rule, matches } of rules) {
    const match = matches(facts);
    if (match) return rule;
    if (match === undefined) found = undefined;
  }
  return found;
}
