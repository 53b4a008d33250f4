/** The rules of a key as rows of a form: an effect, and conditions which all have to match. Rules and rows convert without loss. */
import { randomId } from '@mantine/hooks';
import { toMillionths } from '#sdk/protocol/amount';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import { type PayloadTest, RULE_HINTS, type Rule, type RuleEffect, type RuleMatch } from '#sdk/protocol/rules';
import { readTyped, writeTyped } from '../../../parts/typed-value';

/** The order in which the service evaluates effects. */
export const EFFECTS: readonly RuleEffect[] = ['deny', 'ask', 'allow'];

export const TEXT_CONDITIONS = ['action', 'toolkit', 'hint', 'priceAbove', 'user'] as const;
export type TextConditionKind = (typeof TEXT_CONDITIONS)[number];

export const OPERATORS = ['is', 'in', 'above', 'below', 'matches', 'exists', 'missing'] as const;
export type Operator = (typeof OPERATORS)[number];

/** A condition on the call. Its text is a glob, a hint or an amount. */
export interface TextCondition {
  id: string;
  kind: TextConditionKind;
  text: string;
}

/** A condition on one place of the payload. `values` has one text, or with `in` any number. */
export interface PayloadCondition {
  id: string;
  kind: 'payload';
  path: string;
  operator: Operator;
  values: string[];
}

export type RuleCondition = TextCondition | PayloadCondition;

export interface RuleRow {
  id: string;
  do: RuleEffect;
  /** The app may decide too. Only with `ask`. */
  byApp: boolean;
  /** Empty: every call matches. */
  conditions: RuleCondition[];
}

export function newRow(effect: RuleEffect): RuleRow {
  return { id: randomId(), do: effect, byApp: false, conditions: [newCondition('action')] };
}

export function newCondition(kind: RuleCondition['kind']): RuleCondition {
  const id = randomId();
  return kind === 'payload' ? { id, kind, path: '', operator: 'is', values: [] } : { id, kind, text: '' };
}

/** Sorts rules into the order of evaluation. A refusal of the service counts rules in this order. */
export const inOrder = <Ruled extends { do: RuleEffect }>(rules: readonly Ruled[]): Ruled[] =>
  EFFECTS.flatMap((effect) => rules.filter((rule) => rule.do === effect));

export function rulesOf(rows: readonly RuleRow[]): Rule[] {
  return inOrder(rows).map(({ do: effect, byApp, conditions }) => ({
    match: matchOf(conditions),
    do: effect,
    ...(effect === 'ask' && byApp && { decidedBy: 'app' as const }),
  }));
}

function matchOf(conditions: readonly RuleCondition[]): RuleMatch {
  const tests = conditions.filter((condition) => condition.kind === 'payload').map(testOf);
  const texts = conditions.flatMap((condition) => (condition.kind === 'payload' ? [] : [[condition.kind, condition.text.trim()]]));
  return { ...Object.fromEntries(texts), ...(tests.length > 0 && { payload: tests }) };
}

function testOf({ path, operator, values }: PayloadCondition): PayloadTest {
  const [value = ''] = values;
  if (operator === 'in') return { path, in: values.map(readTyped) };
  if (operator === 'exists' || operator === 'missing') return { path, exists: operator === 'exists' };
  if (operator === 'above' || operator === 'below') return { path, [operator]: Number(value) };
  return { path, [operator]: operator === 'matches' ? value : readTyped(value) };
}

/** Undefined for anything that the form cannot hold. */
export function rowsOf(rules: unknown): RuleRow[] | undefined {
  if (!Array.isArray(rules)) return undefined;
  const rows = rules.map(rowOf);
  return rows.includes(undefined) ? undefined : inOrder(rows.filter((row) => row !== undefined));
}

function rowOf(rule: unknown): RuleRow | undefined {
  if (!isObject(rule) || !hasOnly(rule, ['match', 'do', 'decidedBy']) || !isObject(rule.match)) return undefined;
  const { do: effect, decidedBy = 'people' } = rule;
  const { payload = [], ...texts } = rule.match;
  if (!isOneOf(EFFECTS, effect) || !isOneOf(['people', 'app'], decidedBy) || !Array.isArray(payload)) return undefined;
  if (effect !== 'ask' && 'decidedBy' in rule) return undefined;
  const conditions = [...Object.entries(texts).map(textConditionOf), ...payload.map(payloadConditionOf)];
  if (conditions.includes(undefined)) return undefined;
  return { id: randomId(), do: effect, byApp: decidedBy === 'app', conditions: conditions.filter((condition) => condition !== undefined) };
}

function textConditionOf([kind, text]: [string, unknown]): TextCondition | undefined {
  if (!isOneOf(TEXT_CONDITIONS, kind) || typeof text !== 'string') return undefined;
  return kind === 'hint' && !isOneOf(RULE_HINTS, text) ? undefined : { id: randomId(), kind, text };
}

function payloadConditionOf(test: unknown): PayloadCondition | undefined {
  if (!isObject(test) || typeof test.path !== 'string' || !test.path.startsWith('/')) return undefined;
  const { path, ...tests } = test;
  const [name = '', ...others] = Object.keys(tests);
  if (others.length > 0) return undefined;
  const read = operatorOf(name, tests[name]);
  return read && { id: randomId(), kind: 'payload', path, ...read };
}

function operatorOf(name: string, value: unknown): Pick<PayloadCondition, 'operator' | 'values'> | undefined {
  if (name === 'is') return { operator: 'is', values: [writeTyped(value)] };
  if (name === 'in' && Array.isArray(value)) return { operator: 'in', values: value.map(writeTyped) };
  if ((name === 'above' || name === 'below') && typeof value === 'number') return { operator: name, values: [String(value)] };
  if (name === 'matches' && typeof value === 'string') return { operator: 'matches', values: [value] };
  if (name === 'exists' && typeof value === 'boolean') return { operator: value ? 'exists' : 'missing', values: [] };
  return undefined;
}

/** Returns the mistakes in the rows, by the id of the condition. The service checks the rest. */
export function problemsOf(rows: readonly RuleRow[]): ReadonlyMap<string, string> {
  const problems = rows.flatMap(({ conditions }) =>
    conditions.flatMap((condition): [string, string][] => {
      const problem = condition.kind === 'payload' ? testProblem(condition) : textProblem(condition);
      return problem === undefined ? [] : [[condition.id, problem]];
    }),
  );
  return new Map(problems);
}

const MISSING: Record<TextConditionKind, string> = {
  action: 'Enter an action, or remove the condition',
  toolkit: 'Enter a toolkit, or remove the condition',
  hint: 'Choose a hint, or remove the condition',
  priceAbove: 'Enter an amount, or remove the condition',
  user: 'Enter a user, or remove the condition',
};

function textProblem({ kind, text }: TextCondition): string | undefined {
  if (text.trim() === '') return MISSING[kind];
  return kind === 'priceAbove' && toMillionths(text.trim()) === undefined ? 'Enter an amount, such as 0.50' : undefined;
}

function testProblem({ path, operator, values }: PayloadCondition): string | undefined {
  if (!path.startsWith('/')) return 'Begin the path with /, such as /order/amount';
  if (operator === 'in') return values.length === 0 ? 'Enter at least one value' : undefined;
  const [value = ''] = values;
  if (operator === 'above' || operator === 'below') return Number.isFinite(Number(value || undefined)) ? undefined : 'Enter a number';
  if (operator === 'matches') return value === '' ? 'Enter a regular expression' : undefined;
  return operator === 'is' && value.trim() === '' ? 'Enter a value; "" is an empty text' : undefined;
}

const hasOnly = (value: JsonObject, names: readonly string[]): boolean => Object.keys(value).every((name) => names.includes(name));

const isOneOf = <Value extends string>(values: readonly Value[], value: unknown): value is Value =>
  (values as readonly unknown[]).includes(value);
