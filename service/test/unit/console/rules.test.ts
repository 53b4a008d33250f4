import { expect, test } from 'vitest';
import type { Rule } from '#sdk/protocol/rules';
import { ApiError } from '../../../console/src/api/request';
import { refusedRule } from '../../../console/src/pages/keys/rules/refused-rule';
import { newRow, problemsOf, rowsOf, rulesOf } from '../../../console/src/pages/keys/rules/rule-rows';
import { checkRules, draftOfRules, NO_RULES, readRules, rulesAsForm, rulesAsJson } from '../../../console/src/pages/keys/rules/rules-draft';
import { ruleWords } from '../../../console/src/parts/rule-words';
import { readTyped, writeTyped } from '../../../console/src/parts/typed-value';

const DENY: Rule = { match: { toolkit: 'github', user: 'guest-*' }, do: 'deny' };
const ASK: Rule = {
  match: {
    action: 'orders__refund',
    priceAbove: '0.50',
    payload: [
      { path: '/amount', above: 100 },
      { path: '/currency', in: ['EUR', '1', 1, null] },
      { path: '/to/*', is: { city: 'Bern' } },
      { path: '/note', matches: '^urgent' },
      { path: '/dry_run', exists: false },
    ],
  },
  do: 'ask',
  decidedBy: 'app',
};
const ALLOW: Rule = { match: { hint: 'destructive' }, do: 'allow' };

test('every rule becomes a row of the form, and the same rule again, in the order of evaluation', () => {
  const rows = rowsOf([ALLOW, ASK, DENY]);
  expect(rulesOf(rows ?? [])).toEqual([DENY, ASK, ALLOW]);
  expect(rowsOf(rulesOf(rows ?? []))?.map(({ do: effect }) => effect)).toEqual(['deny', 'ask', 'allow']);
});

test('a rule that matches every call has no condition', () => {
  expect(rowsOf([{ match: {}, do: 'deny' }])).toMatchObject([{ do: 'deny', conditions: [] }]);
});

test.for([
  { what: 'an unknown member', rules: [{ match: {}, do: 'ask', reason: 'x' }] },
  { what: 'an unknown condition', rules: [{ match: { actions: 'a__b' }, do: 'ask' }] },
  { what: 'an unknown effect', rules: [{ match: {}, do: 'block' }] },
  { what: 'an unknown hint', rules: [{ match: { hint: 'toString' }, do: 'ask' }] },
  { what: 'two tests of one place', rules: [{ match: { payload: [{ path: '/a', above: 1, below: 5 }] }, do: 'ask' }] },
  { what: 'a test of the whole payload', rules: [{ match: { payload: [{ path: '', is: 1 }] }, do: 'ask' }] },
  { what: 'a decider without a question', rules: [{ match: {}, do: 'deny', decidedBy: 'people' }] },
  { what: 'no rule', rules: [null] },
  { what: 'no list', rules: {} },
])('the form does not hold $what, which stays JSON', ({ rules }) => {
  expect(rowsOf(rules)).toBeUndefined();
  expect(rulesAsForm({ as: 'json', text: JSON.stringify(rules) })).toBeUndefined();
});

test('a value in a form is JSON, and otherwise the text itself', () => {
  for (const value of ['EUR', '1', 'true', '"', '', ' ', ' 1', 'null', 'a b', 1, 1.5, true, null, { a: [1] }, []])
    expect(readTyped(writeTyped(value)), JSON.stringify(value)).toEqual(value);
  expect(writeTyped('EUR')).toBe('EUR');
  expect(writeTyped('1')).toBe('"1"');
  expect(writeTyped('')).toBe('""');
});

test('a missing value is reported at its condition, and nothing is sent', () => {
  const row = newRow('deny');
  const [{ id = '' } = {}] = row.conditions;
  expect([...problemsOf([row])]).toEqual([[id, 'Enter an action, or remove the condition']]);
  expect(checkRules({ as: 'form', rows: [row] })).toBe('Enter an action, or remove the condition');
  const test = { id: '1', kind: 'payload', path: '/amount', operator: 'above', values: [''] } as const;
  const problemOf = (changed: object) => problemsOf([{ ...row, conditions: [{ ...test, values: [''], ...changed }] }]).get('1');
  expect(problemOf({})).toBe('Enter a number');
  expect(problemOf({ values: ['12'] })).toBeUndefined();
  expect(problemOf({ path: 'amount', values: ['12'] })).toBe('Begin the path with /, such as /order/amount');
  expect(problemOf({ operator: 'in', values: [] })).toBe('Enter at least one value');
  expect(problemOf({ operator: 'is' })).toBe('Enter a value; "" is an empty text');
  expect(problemOf({ operator: 'is', values: ['""'] })).toBeUndefined();
  expect(problemOf({ operator: 'missing' })).toBeUndefined();
  expect(problemsOf([{ ...row, conditions: [{ id: '2', kind: 'priceAbove', text: '1,5' }] }]).get('2')).toBe(
    'Enter an amount, such as 0.50',
  );
});

test('the JSON of the rules and their form convert without loss; text that is not a list is not sent', () => {
  const draft = draftOfRules([ASK, DENY]);
  expect(readRules(rulesAsJson(draft))).toEqual({ rules: [DENY, ASK] });
  expect(readRules(rulesAsForm(rulesAsJson(draft)) ?? NO_RULES)).toEqual({ rules: [DENY, ASK] });
  expect(checkRules({ as: 'json', text: '[{' })).toMatch(/not JSON yet/);
  expect(checkRules({ as: 'json', text: '{}' })).toBe('Rules are a list: write [ … ]');
  expect(readRules({ as: 'json', text: ' ' })).toEqual({ rules: [] });
});

test('a refusal of the service is shown at the rule that it names', () => {
  const problem = { type: '', title: '', status: 400, code: 'INVALID_REQUEST', retryable: false } as const;
  const refused = (detail: string) => refusedRule(new ApiError(detail, { ...problem, detail }));
  expect(refused('Key key_1 cannot be changed: rules.12.match.payload.0.matches must be a regular expression: a.b')).toEqual({
    index: 12,
    message: 'match.payload.0.matches must be a regular expression: a.b',
  });
  expect(refused('Key key_1 cannot be changed: rules.0 needs a match')).toEqual({ index: 0, message: 'needs a match' });
  expect(refused('Key key_1 cannot be changed: rules may hold at most 100 rules')).toBeUndefined();
  expect(refusedRule(new ApiError('The service does not answer.'))).toBeUndefined();
  expect(refusedRule(undefined)).toBeUndefined();
});

test('a rule has words, in which invisible characters are escapes', () => {
  expect(ruleWords(DENY, 'USD')).toBe('deny: toolkit github, user guest-*');
  expect(ruleWords(ASK, 'USD')).toBe(
    'ask: action orders__refund, price above 0.50 USD, /amount is above 100, /currency is one of EUR, "1", 1, null, ' +
      '/to/* is {"city":"Bern"}, /note matches ^urgent, /dry_run does not exist',
  );
  expect(ruleWords({ match: {}, do: 'allow' }, 'USD')).toBe('allow: every call');
  expect(ruleWords({ match: { payload: [{ path: '/a\u202e', is: 'b\u200b' }] }, do: 'ask' }, 'USD')).toBe('ask: /a\\u{202e} is b\\u{200b}');
});
