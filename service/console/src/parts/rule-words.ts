/** Rules in words. Texts of others in them are shown with their invisible characters as escapes. */
import { printable } from '#sdk/protocol/invisible-text';
import type { PayloadTest, Rule, RuleEffect, RuleHint, RuleMatch } from '#sdk/protocol/rules';
import { writeTyped } from './typed-value';

export const EFFECT_WORDS: Record<RuleEffect, string> = { deny: 'deny', ask: 'ask', allow: 'allow' };

export const HINT_WORDS: Record<RuleHint, string> = {
  readOnly: 'read-only',
  destructive: 'destructive',
  idempotent: 'idempotent',
  openWorld: 'open world',
  undeclared: 'without a hint',
};

/** The parts of a match, all of which have to be true: `destructive`, `/amount is above 100`. Empty: every call. */
export function matchWords({ action, toolkit, hint, priceAbove, user, payload = [] }: RuleMatch, currency: string): string[] {
  const words = [
    action !== undefined && `action ${action}`,
    toolkit !== undefined && `toolkit ${toolkit}`,
    hint !== undefined && (hint === 'undeclared' ? 'neither read-only nor destructive' : HINT_WORDS[hint]),
    priceAbove !== undefined && `price above ${priceAbove} ${currency}`.trimEnd(),
    user !== undefined && `user ${user}`,
    ...payload.map(testWords),
  ];
  return words.filter((word) => word !== false).map(printable);
}

/** `ask: destructive, toolkit github` */
export function ruleWords(rule: Rule, currency: string): string {
  return `${EFFECT_WORDS[rule.do]}: ${matchWords(rule.match, currency).join(', ') || 'every call'}`;
}

function testWords({ path, ...test }: PayloadTest): string {
  const place = path === '' ? 'payload' : path;
  if (test.in !== undefined) return `${place} is one of ${test.in.map(writeTyped).join(', ')}`;
  if (test.above !== undefined) return `${place} is above ${test.above}`;
  if (test.below !== undefined) return `${place} is below ${test.below}`;
  if (test.matches !== undefined) return `${place} matches ${test.matches}`;
  if (test.exists !== undefined) return `${place} ${test.exists ? 'exists' : 'does not exist'}`;
  return `${place} is ${writeTyped(test.is)}`;
}
