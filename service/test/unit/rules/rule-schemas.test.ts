import { expect, test } from 'vitest';
import { checkedRules } from '../../../src/rules/checked-rules';

const ask = (match: unknown) => [{ match, do: 'ask' }];
const payload = (...tests: unknown[]) => ask({ payload: tests });
const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);

test('a rule may match by every member, and an empty match is for every call', () => {
  const rules = [
    { match: {}, do: 'deny' },
    {
      match: {
        action: 'shop__delete_*',
        toolkit: 'shop-*',
        hint: 'destructive',
        priceAbove: '0.50',
        user: 'guest-*',
        payload: [
          { path: '/amount', above: 100 },
          { path: '/amount', below: 1e9 },
          { path: '/items/*/sku', in: ['a', 1, null] },
          { path: '', exists: true },
          { path: '/a~1b', is: { deep: [1] } },
          { path: '/note', matches: '(?i)refund' },
        ],
      },
      do: 'ask',
      decidedBy: 'app',
    },
  ];
  expect(checkedRules.parse(rules)).toEqual(rules);
});

test.each<[string, unknown, string, RegExp]>([
  ['no list', {}, '', /must be a list of rules/],
  ['too many rules', many(101, { match: {}, do: 'ask' }), '', /may hold at most 100 rules/],
  ['no rule', [1], '0', /must be a rule, such as/],
  ['an unknown member of a rule', [{ match: {}, do: 'ask', wehn: 1 }], '0', /has the unknown member wehn/],
  ['no match', [{ do: 'ask' }], '0.match', /must be an object: \{\} matches every call/],
  ['an unknown member of a match', ask({ actoin: 'a' }), '0.match', /has the unknown member actoin/],
  ['an unknown effect', [{ match: {}, do: 'block' }], '0.do', /must be "allow", "ask" or "deny"/],
  ['decidedBy of a rule that denies', [{ match: {}, do: 'deny', decidedBy: 'app' }], '0', /decidedBy, which is only for/],
  ['an unknown decider', [{ match: {}, do: 'ask', decidedBy: 'model' }], '0.decidedBy', /must be "people" or "app"/],
  ['an action id with a space', ask({ action: 'shop delete' }), '0.match.action', /must be an action id, in which/],
  ['a toolkit id in capitals', ask({ toolkit: 'Shop' }), '0.match.toolkit', /must be a toolkit id, in which/],
  ['a user that no header holds', ask({ user: 'ädá' }), '0.match.user', /must be a user id, in which/],
  ['an unknown hint', ask({ hint: 'dangerous' }), '0.match.hint', /must be one of "readOnly", "destructive"/],
  ['a price as number', ask({ priceAbove: 5 }), '0.match.priceAbove', /must be a decimal text/],
  ['no test', payload(), '0.match.payload', /leave payload out/],
  ['too many tests', payload(...many(11, { path: '', exists: true })), '0.match.payload', /at most 10 tests/],
  ['a test without condition', payload({ path: '/a' }), '0.match.payload.0', /needs exactly one of .*, not none/],
  ['two conditions', payload({ path: '/a', is: 1, above: 2 }), '0.match.payload.0', /needs exactly one of .*, not is and above/],
  ['an unknown condition', payload({ path: '/a', equals: 1 }), '0.match.payload.0', /has the unknown member equals/],
  ['no pointer', payload({ path: 'amount', is: 1 }), '0.match.payload.0.path', /must be a JSON Pointer/],
  ['a pointer with a bare ~', payload({ path: '/a~b', is: 1 }), '0.match.payload.0.path', /must be a JSON Pointer/],
  ['an empty list of values', payload({ path: '/a', in: [] }), '0.match.payload.0.in', /an empty list never matches/],
  ['a limit as text', payload({ path: '/a', above: '1' }), '0.match.payload.0.above', /must be a number/],
  ['what is not JSON', payload({ path: '/a', is: () => 1 }), '0.match.payload.0.is', /must be JSON/],
  ['large values', payload({ path: '/a', is: 'x'.repeat(10_001) }), '0.match.payload.0', /at most 10000 characters/],
  ['a long pattern', payload({ path: '/a', matches: 'x'.repeat(201) }), '0.match.payload.0.matches', /at most 200 characters/],
  ['a look-ahead', payload({ path: '/a', matches: '(?=x)' }), '0.match.payload.0.matches', /never backtracks/],
  ['a back-reference', payload({ path: '/a', matches: '(a)\\1' }), '0.match.payload.0.matches', /never backtracks/],
  ['a large repetition', payload({ path: '/a', matches: '((a{100}){100}){100}' }), '0.match.payload.0.matches', /never backtracks/],
  ['what is no pattern', payload({ path: '/a', matches: '(' }), '0.match.payload.0.matches', /never backtracks/],
  [
    'patterns that are large together',
    many(100, payload(...many(10, { path: '/a', matches: '(abc){100}' }))[0]),
    '2.match.payload.9.matches',
    /too large together/,
  ],
])('%s is refused with what to write instead', (_, rules, path, message) => {
  const { error } = checkedRules.safeParse(rules);
  expect(error?.issues[0]?.path.join('.')).toBe(path);
  expect(error?.issues[0]?.message).toMatch(message);
});
