/** The hints of an action, as its toolkit declares them. */
import type { ActionAnnotations } from '#sdk/protocol/http';
import { RULE_HINTS, type RuleDefaults, type RuleEffect, type RuleHint } from '#sdk/protocol/rules';

const HAS: Record<RuleHint, (annotations: ActionAnnotations) => boolean> = {
  // An action that declares both is destructive.
  readOnly: ({ readOnly, destructive }) => readOnly === true && destructive !== true,
  destructive: ({ destructive }) => destructive === true,
  idempotent: ({ idempotent }) => idempotent === true,
  openWorld: ({ openWorld }) => openWorld === true,
  // An action that says only that it changes something has not said what its changes destroy.
  undeclared: ({ readOnly, destructive }) => readOnly !== true && destructive === undefined,
};

export function hasHint(annotations: ActionAnnotations, hint: RuleHint): boolean {
  return HAS[hint](annotations);
}

/** The strictest effect of the action's hints. */
export function defaultEffect(defaults: RuleDefaults, annotations: ActionAnnotations): RuleEffect {
  const effects = RULE_HINTS.filter((hint) => defaults[hint] !== undefined && hasHint(annotations, hint)).map((hint) => defaults[hint]);
  return effects.includes('deny') ? 'deny' : effects.includes('ask') ? 'ask' : 'allow';
}
