import { expect, test } from 'vitest';
import type { JsonObject } from '#sdk/protocol/json-object';
import type { PayloadTest, Rule, RuleDefaults, RuleEffect, RuleMatch } from '#sdk/protocol/rules';
import type { RuledCall } from '../../../src/rules/call-rules';
import { effectiveDefaults, NO_DEFAULTS, readRuleDefaults, strictest } from '../../../src/rules/rule-defaults';
import { Rules } from '../../../src/rules/rules';
import type { ActionRecord, KeyRecord } from '../../../src/store/store';
import { aKey } from '../../contract/store-records';

const key = aKey();
const action: ActionRecord = { toolkitId: 'shop', name: 'refund', description: '', payloadSchema: {}, annotations: {} };

interface Situation extends Partial<Omit<RuledCall, 'key' | 'action'>> {
  defaults?: RuleDefaults;
  action?: Partial<ActionRecord>;
}

function roomOf({ defaults = {} }: Situation): Rules {
  const effective = strictest([defaults]);
  return new Rules({ currency: 'EUR', defaults: () => effective });
}

function verdictOf(rules: Rule[] | null, situation: Situation = {}) {
  const { actionId = 'shop__refund', payload = {}, userId } = situation;
  return roomOf(situation).verdict({ key: { ...key, rules }, actionId, action: { ...action, ...situation.action }, payload, userId });
}

const rule = (effect: RuleEffect, match: RuleMatch = {}): Rule => ({ match, do: effect });
/** Whether a rule with this effect matches. */
function matches(effect: RuleEffect, match: RuleMatch, situation: Situation = {}): boolean {
  if (effect !== 'allow') return verdictOf([rule(effect, match)], situation).do === effect;
  // It lifts a default.
  const annotations = { ...situation.action?.annotations, openWorld: true };
  const lifted: Situation = { ...situation, action: { ...situation.action, annotations }, defaults: { openWorld: 'deny' } };
  return verdictOf([rule(effect, match)], lifted).do === 'allow';
}
const passes = (effect: RuleEffect, payloadTest: PayloadTest, payload: unknown) =>
  matches(effect, { payload: [payloadTest] }, { payload: payload as JsonObject });

test('deny comes before ask, and ask before allow, whatever the order of the rules', () => {
  expect(verdictOf([rule('allow'), rule('ask'), rule('deny')])).toEqual({ do: 'deny', rule: rule('deny') });
  expect(verdictOf([rule('allow'), rule('ask')])).toEqual({ do: 'ask', decidedBy: 'people', rule: rule('ask') });
  expect(verdictOf([rule('allow')])).toEqual({ do: 'allow' });
  expect(verdictOf([])).toEqual({ do: 'allow' });
  expect(verdictOf(null)).toEqual({ do: 'allow' });
});

test('of two rules that ask, the one that people decide about comes first', () => {
  const app: Rule = { match: {}, do: 'ask', decidedBy: 'app' };
  const people: Rule = { match: { toolkit: 'shop' }, do: 'ask' };
  expect(verdictOf([app, people])).toEqual({ do: 'ask', decidedBy: 'people', rule: people });
  expect(verdictOf([app])).toEqual({ do: 'ask', decidedBy: 'app', rule: app });
});

test('where no rule matches, the strictest default of the hints decides; a rule that allows lifts it', () => {
  const defaults: RuleDefaults = { destructive: 'ask', openWorld: 'deny', readOnly: 'allow' };
  const of = (annotations: ActionRecord['annotations'], rules: Rule[] | null = null) =>
    verdictOf(rules, { defaults, action: { annotations } });
  expect(of({ destructive: true })).toEqual({ do: 'ask', decidedBy: 'people' });
  expect(of({ destructive: true, openWorld: true })).toEqual({ do: 'deny' });
  expect(of({ readOnly: true })).toEqual({ do: 'allow' });
  expect(of({})).toEqual({ do: 'allow' });
  expect(of({ destructive: true }, [rule('allow', { action: 'shop__refund' })])).toEqual({ do: 'allow' });
  expect(of({ destructive: true }, [rule('allow', { action: 'shop__other' })]).do).toBe('ask');
});

test.each<[RuleMatch['hint'] & string, ActionRecord['annotations'], boolean]>([
  ['readOnly', { readOnly: true }, true],
  ['readOnly', { readOnly: false }, false],
  // An action that declares both is destructive.
  ['readOnly', { readOnly: true, destructive: true }, false],
  ['destructive', { readOnly: true, destructive: true }, true],
  ['destructive', {}, false],
  ['idempotent', { idempotent: true }, true],
  ['openWorld', { openWorld: true }, true],
  ['undeclared', {}, true],
  ['undeclared', { idempotent: true }, true],
  ['undeclared', { readOnly: false }, true],
  ['undeclared', { readOnly: true }, false],
  ['undeclared', { destructive: false }, false],
])('the hint %s of %j: %j', (hint, annotations, expected) => {
  for (const effect of ['deny', 'ask', 'allow'] as const) expect(matches(effect, { hint }, { action: { annotations } })).toBe(expected);
});

test.each<[string, string, boolean]>([
  ['shop__refund', 'shop__refund', true],
  ['shop__refund', 'shop__refund_all', false],
  ['shop__*', 'shop__refund', true],
  ['*__refund', 'shop__refund', true],
  ['*', 'shop__refund', true],
  ['s*p__*f*d', 'shop__refund', true],
  ['s*p__*f*dd', 'shop__refund', false],
  ['shop__refund*refund', 'shop__refund', false],
  ['shop__r', 'shop__refund', false],
  ['shop__Refund', 'shop__refund', false],
])('the action %s and the call of %s: %j', (glob, actionId, expected) => {
  expect(matches('deny', { action: glob }, { actionId })).toBe(expected);
});

test('a toolkit matches by its id alone', () => {
  expect(matches('deny', { toolkit: 'shop' })).toBe(true);
  expect(matches('deny', { toolkit: 'sh*' })).toBe(true);
  expect(matches('deny', { toolkit: 'shop' }, { actionId: 'shop-2__refund' })).toBe(false);
  expect(matches('deny', { toolkit: 'refund' })).toBe(false);
});

test('all members of a match have to match', () => {
  expect(matches('deny', { toolkit: 'shop', hint: 'undeclared' })).toBe(true);
  expect(matches('deny', { toolkit: 'shop', hint: 'destructive' })).toBe(false);
});

test('a price above the limit matches; another currency only where a match is stricter', () => {
  const costs = (amount: string, currency = 'EUR') => ({ action: { payment: { amount, currency } } });
  expect(matches('ask', { priceAbove: '0.50' }, costs('0.500001'))).toBe(true);
  expect(matches('ask', { priceAbove: '0.50' }, costs('0.5'))).toBe(false);
  expect(matches('ask', { priceAbove: '0' })).toBe(false);
  expect(matches('allow', { priceAbove: '0' })).toBe(false);
  expect(matches('deny', { priceAbove: '5' }, costs('1', 'USD'))).toBe(true);
  expect(matches('allow', { priceAbove: '0.50' }, costs('1', 'USD'))).toBe(false);
});

test('a call without a user matches only `*`, and only where a match is stricter', () => {
  for (const effect of ['deny', 'ask', 'allow'] as const) {
    expect(matches(effect, { user: 'guest-*' }, { userId: 'guest-7' })).toBe(true);
    expect(matches(effect, { user: 'guest-*' }, { userId: 'u_7' })).toBe(false);
    expect(matches(effect, { user: 'guest-*' })).toBe(false);
    expect(matches(effect, { user: '*' })).toBe(effect !== 'allow');
  }
});

/** Payload, then whether a rule that denies and one that allows match. */
const CONDITIONS: [Omit<PayloadTest, 'path'>, [value: unknown, denies: boolean, allows: boolean][]][] = [
  [
    { above: 100 },
    [
      [100.1, true, true],
      [100, false, false],
      [Number.POSITIVE_INFINITY, true, true],
      ['101', true, false],
      [' 1.01e2 ', true, false],
      ['99', false, false],
      ['0x65', true, false],
      ['1_000', true, false],
      ['１０１', true, false],
      ['007', true, false],
      ['', true, false],
      [null, true, false],
      [false, true, false],
      [[101], true, false],
      [[1], true, false],
      [{ amount: 1 }, true, false],
    ],
  ],
  [
    { below: 0 },
    [
      [-1, true, true],
      [0, false, false],
      ['-1', true, false],
      ['+1', true, false],
      ['1', false, false],
    ],
  ],
  [
    { is: 1 },
    [
      [1, true, true],
      [1.0, true, true],
      ['1', true, false],
      ['1e0', true, false],
      ['1.00', true, false],
      [2, false, false],
      [true, false, false],
      [[1], true, false],
      [[2], false, false],
      [{ deep: { er: 1 } }, true, false],
    ],
  ],
  [
    { is: 'caf\u00e9' },
    [
      ['caf\u00e9', true, true],
      ['cafe\u0301', true, true],
      ['cafe', false, false],
      ['Caf\u00e9', false, false],
      [['cafe\u0301'], true, false],
      [null, false, false],
    ],
  ],
  [
    { is: '7' },
    [
      ['7', true, true],
      [7, true, false],
    ],
  ],
  [
    { is: null },
    [
      [null, true, true],
      [0, false, false],
    ],
  ],
  [
    { is: { a: [1, 'e\u0301'] } },
    [
      [{ a: [1, '\u00e9'] }, true, true],
      [{ a: [1, '\u00e9'], b: 1 }, false, false],
      [{ a: [1] }, false, false],
      ['{"a":[1,"\u00e9"]}', false, false],
    ],
  ],
  [
    { in: ['a', 2, { x: 1 }] },
    [
      ['a', true, true],
      [2, true, true],
      [{ x: 1 }, true, true],
      ['2', true, false],
      ['b', false, false],
      [['b', 'a'], true, false],
    ],
  ],
  [
    { matches: '^\u00e9vil' },
    [
      ['\u00e9vil@x', true, true],
      ['e\u0301vil@x', true, true],
      ['not \u00e9vil', false, false],
      [['ok', '\u00e9vil'], true, false],
      [{ to: '\u00e9vil' }, true, false],
    ],
  ],
  [
    { matches: '^5' },
    [
      [500, true, false],
      ['5', true, true],
      [null, false, false],
    ],
  ],
  [
    { exists: true },
    [
      [null, true, true],
      [0, true, true],
    ],
  ],
  [
    { exists: false },
    [
      [null, false, false],
      [0, false, false],
    ],
  ],
];

test.each(CONDITIONS.flatMap(([condition, values]) => values.map((value) => [condition, ...value] as const)))(
  '%j on %j: denies %j, allows %j',
  (condition, value, denies, allows) => {
    const test = { path: '/value', ...condition };
    expect(passes('deny', test, { value })).toBe(denies);
    expect(passes('ask', test, { value })).toBe(denies);
    expect(passes('allow', test, { value })).toBe(allows);
  },
);

test.each(CONDITIONS.map(([condition]) => condition))('%j on a missing place', (condition) => {
  const expected = condition.exists === false;
  const payloads = ['{}', '{"other":1}', '{"value2":1}', '{"__proto__":{"value":1}}'].map((text) => JSON.parse(text));
  for (const payload of payloads)
    for (const effect of ['deny', 'allow'] as const) expect(passes(effect, { path: '/value', ...condition }, payload)).toBe(expected);
});

/** Pointer and payload, then whether `above: 10` matches for a rule that denies and one that allows. */
test.each<[string, string, boolean, boolean]>([
  ['/items/*/price', '{"items":[{"price":11},{"price":12}]}', true, true],
  ['/items/*/price', '{"items":[{"price":1},{"price":12}]}', true, false],
  ['/items/*/price', '{"items":[{"price":11},{}]}', true, false],
  ['/items/*/price', '{"items":[]}', false, false],
  ['/items/*/price', '{"items":{"a":{"price":11}}}', true, true],
  ['/*', '{"a":11}', true, true],
  ['/*/*', '{"a":[1,11]}', true, false],
  ['/items/0', '{"items":[11]}', true, true],
  ['/items/length', '{"items":[1,2,3,4,5,6,7,8,9,10,11,12]}', false, false],
  ['/items/1', '{"items":[11]}', false, false],
  ['/a~1b/~0', '{"a/b":{"~":11}}', true, true],
  ['/__proto__/n', '{"__proto__":{"n":11}}', true, true],
  ['/constructor/length', '{}', false, false],
  ['/text/0', '{"text":"11"}', false, false],
  ['', '{"a":11}', true, false],
])('the pointer %j in %s: denies %j, allows %j', (path, json, denies, allows) => {
  const payload = JSON.parse(json);
  expect(passes('deny', { path, above: 10 }, payload)).toBe(denies);
  expect(passes('allow', { path, above: 10 }, payload)).toBe(allows);
});

test('an item without a member matches "exists": false where that is stricter', () => {
  const test: PayloadTest = { path: '/items/*/checked', exists: false };
  const half = { items: [{ checked: true }, {}] };
  expect([passes('deny', test, half), passes('allow', test, half)]).toEqual([true, false]);
  expect([passes('deny', test, { items: [{}] }), passes('allow', test, { items: [{}] })]).toEqual([true, true]);
});

test("the service's own actions need no rule", () => {
  expect(verdictOf([rule('deny')], { actionId: 'svc__read_result', action: { toolkitId: 'svc' } })).toEqual({ do: 'allow' });
});

test('an action that is denied whatever its payload is hidden', () => {
  const hides = (rules: Rule[] | null, situation: Situation & { kind?: KeyRecord['kind'] } = {}) =>
    roomOf(situation).hides({ kind: situation.kind ?? 'agent', rules }, situation.actionId ?? 'shop__refund', {
      ...action,
      ...situation.action,
    });
  const whole: RuleMatch[] = [
    {},
    { action: 'shop__*' },
    { toolkit: 'shop' },
    { hint: 'undeclared' },
    { toolkit: 'shop', hint: 'undeclared' },
  ];
  for (const match of whole) expect(hides([rule('deny', match)])).toBe(true);
  const partly: RuleMatch[] = [{ user: '*' }, { payload: [{ path: '/a', exists: true }] }, { action: 'x*' }, { hint: 'destructive' }];
  for (const match of partly) expect(hides([rule('deny', match)])).toBe(false);
  expect(hides([rule('ask')])).toBe(false);
  expect(hides([rule('deny', { priceAbove: '1' })], { action: { payment: { amount: '2', currency: 'EUR' } } })).toBe(true);

  const defaults: RuleDefaults = { undeclared: 'deny' };
  expect(hides(null, { defaults })).toBe(true);
  expect(hides(null, { defaults, kind: 'toolkit' })).toBe(false);
  expect(hides([rule('allow', { user: 'ada' })], { defaults })).toBe(false);
  expect(hides([rule('ask', { action: 'shop__other' })], { defaults })).toBe(true);
});

test('an id without an action is hidden by rules for its name, so that an error does not show whether it exists', () => {
  const hides = (match: RuleMatch) => roomOf({}).hides({ kind: 'agent', rules: [rule('deny', match)] }, 'shop__gone', undefined);
  expect([hides({ action: 'shop__*' }), hides({ toolkit: 'shop' }), hides({ hint: 'destructive' })]).toEqual([true, true, false]);
});

test.each<[string, PayloadTest, () => JsonObject]>([
  ['a long text and a pattern of many states', { path: '/text', matches: '(a|aa)+b.{150}c' }, () => ({ text: 'a'.repeat(1 << 20) })],
  ['many places', { path: '/*/*/*', matches: 'x' }, () => ({ a: Array.from({ length: 1_000 }, () => ['y'.repeat(1_000)]) })],
  ['a value in depth', { path: '/list', is: 'x' }, () => ({ list: Array.from({ length: 200_000 }, () => [1]) })],
])('the steps of a check are limited: %s', (_, payloadTest, payload) => {
  const rules = Array.from({ length: 100 }, (): Rule => rule('deny', { payload: Array.from({ length: 1 }, () => payloadTest) }));
  expect(() => verdictOf(rules, { payload: payload() })).toThrow(
    expect.objectContaining({
      code: 'INVALID_PAYLOAD',
      message: expect.stringContaining('too long to check against the rules of the key'),
    }),
  );
});

test('the stricter of option and setting counts, and equal defaults stay the same object', () => {
  const effective = effectiveDefaults({ destructive: 'ask', openWorld: 'deny', readOnly: 'allow' });
  const setting: RuleDefaults = { destructive: 'allow', openWorld: 'ask', undeclared: 'ask' };
  expect(effective(setting)).toEqual({ destructive: 'ask', openWorld: 'deny', readOnly: 'allow', undeclared: 'ask' });
  expect(effective(setting)).toBe(effective(setting));
  expect(effectiveDefaults(NO_DEFAULTS)({})).toBe(NO_DEFAULTS);
});

test.each<[unknown, RegExp]>([
  [{ dangerous: 'ask' }, /^ruleDefaults has the unknown member dangerous/],
  [{ destructive: 'block' }, /^ruleDefaults\.destructive must be "allow", "ask" or "deny"/],
  ['ask', /^ruleDefaults must be an object with an effect by hint/],
])('the option ruleDefaults %j is refused', (option, message) => {
  expect(readRuleDefaults(undefined)).toBe(NO_DEFAULTS);
  expect(() => readRuleDefaults(option)).toThrow(message);
});
