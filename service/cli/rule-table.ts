/** Formats rules, and what they would have done, for people. */
import type { PayloadTest, Rule } from 'svc-service';
import type { RulePreview } from '#sdk/protocol/admin';

const HEAD = ['rule', 'do', 'calls that match'];

export function ruleTable(rules: readonly Rule[]): string[][] {
  return [HEAD, ...rules.map((rule, index) => [String(index + 1), effectText(rule), matchText(rule)])];
}

/** Adds the number of calls to each rule, and lists the other calls below. */
export function previewTable(rules: readonly Rule[], { byRule, allow, ask, deny, unknown }: RulePreview): string[][] {
  const decided = (effect: 'ask' | 'deny') => byRule.reduce((sum, { index, calls }) => sum + (rules[index]?.do === effect ? calls : 0), 0);
  const rest = [
    ['', 'ask', 'a default of the service', ask - decided('ask')],
    ['', 'deny', 'a default of the service', deny - decided('deny')],
    ['', 'allow', 'they run', allow],
    ['', '?', 'the payload or the user decides and was not kept, or the action is gone', unknown],
  ] as const;
  return [
    ['rule', 'do', 'calls that match', 'calls'],
    ...rules.flatMap((rule, index) =>
      rule.do === 'allow' ? [] : [[String(index + 1), effectText(rule), matchText(rule), String(byRule[index]?.calls ?? 0)]],
    ),
    ...rest.filter(([, , , calls]) => calls > 0).map((row) => row.map(String)),
  ];
}

export function exampleTable(examples: RulePreview['examples']): string[][] {
  const rows = examples.map(({ startedAt, do: effect, index, action, invocationId }) => [
    startedAt.replace(/\.\d+Z$/, 'Z'),
    effect,
    index === undefined ? 'default' : String(index + 1),
    action,
    invocationId,
  ]);
  return [['at', 'do', 'rule', 'action', 'call'], ...rows];
}

function effectText({ do: effect, decidedBy }: Rule): string {
  return decidedBy === 'app' ? `${effect} (app)` : effect;
}

function matchText({ match: { action, toolkit, hint, priceAbove, user, payload = [] } }: Rule): string {
  const parts = [
    action !== undefined && `action ${action}`,
    toolkit !== undefined && `toolkit ${toolkit}`,
    hint !== undefined && `hint ${hint}`,
    priceAbove !== undefined && `price above ${priceAbove}`,
    user !== undefined && `user ${user}`,
    ...payload.map(testText),
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(', ') : 'every call';
}

function testText({ path, exists, ...condition }: PayloadTest): string {
  const place = path === '' ? 'the payload' : path;
  if (exists !== undefined) return `${place} ${exists ? 'exists' : 'does not exist'}`;
  const [[name, value] = ['', undefined]] = Object.entries(condition);
  return `${place} ${name} ${JSON.stringify(value)}`;
}
