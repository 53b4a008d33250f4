/** The defaults by hint: an option of the service and a setting of its owners. The stricter effect counts, so that neither weakens the other. */
import { SvcError } from '#sdk/protocol/errors';
import { ruleDefaults as schema } from '#sdk/protocol/rule-schemas';
import { RULE_HINTS, type RuleDefaults, type RuleEffect } from '#sdk/protocol/rules';

export const NO_DEFAULTS: RuleDefaults = {};

const STRICTNESS: readonly RuleEffect[] = ['allow', 'ask', 'deny'];

/** Checks the option of the service. */
export function readRuleDefaults(option: unknown): RuleDefaults {
  if (option === undefined) return NO_DEFAULTS;
  const { data, error } = schema.safeParse(option);
  if (data) return data;
  const [issue] = error.issues;
  throw new SvcError('INVALID_REQUEST', [['ruleDefaults', ...(issue?.path ?? [])].join('.'), issue?.message].join(' '));
}

/** Returns a function of the setting that gives the effective defaults: the same object until they change. */
export function effectiveDefaults(option: RuleDefaults): (setting: RuleDefaults) => RuleDefaults {
  let last = { setting: NO_DEFAULTS, effective: strictest([option]) };
  return (setting) => {
    if (setting !== last.setting) last = { setting, effective: strictest([option, setting]) };
    return last.effective;
  };
}

export function strictest(all: readonly RuleDefaults[]): RuleDefaults {
  const effects = RULE_HINTS.flatMap((hint) => {
    const wanted = all.flatMap((defaults) => defaults[hint] ?? []);
    const effect = STRICTNESS.findLast((one) => wanted.includes(one));
    return effect ? [[hint, effect] as const] : [];
  });
  return effects.length > 0 ? Object.fromEntries(effects) : NO_DEFAULTS;
}
