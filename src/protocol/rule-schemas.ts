/**
 * zod schemas of rules, for requests and stored values. Strict: ignoring a misspelt member would make a rule for more calls than its author meant.
 * docs/protocol.md, section 12.
 */
import * as z from 'zod';
import { AMOUNT_ADVICE, toMillionths } from './amount';
import { MAX_ACTION_ID_CHARS, MAX_CALLER_ID_CHARS, MAX_TOOLKIT_ID_CHARS } from './ids';
import { type PayloadTest, RULE_HINTS, type Rule, type RuleDefaults, type RuleMatch } from './rules';

const MAX_RULES = 100;
const MAX_PAYLOAD_TESTS = 10;
const MAX_PATTERN_CHARS = 200;
const MAX_PATH_CHARS = 500;
const MAX_IN_VALUES = 100;
/** Characters of the values of one test, as JSON. */
const MAX_VALUE_CHARS = 10_000;

const TEST_MEMBERS = ['is', 'in', 'above', 'below', 'matches', 'exists'] as const;
const TESTS = 'is, in, above, below, matches or exists';

const effect = z.enum(['allow', 'ask', 'deny'], 'must be "allow", "ask" or "deny"');
const hint = z.enum(RULE_HINTS, `must be one of ${RULE_HINTS.map((name) => `"${name}"`).join(', ')}`);
/** Not `z.json()` itself, whose type is narrower than `unknown`. */
const anyJson = z.unknown().refine((value) => z.json().safeParse(value).success, 'must be JSON');
const limit = z.number('must be a number');

/** RFC 6901, section 3: `~` only in `~0` and `~1`. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

export const payloadTest = z
  .strictObject(
    {
      path: z
        .string('must be a JSON Pointer, such as "/amount"')
        .max(MAX_PATH_CHARS, `may have at most ${MAX_PATH_CHARS} characters`)
        .regex(POINTER, 'must be a JSON Pointer, such as "/amount" or "/items/*/price"')
        .describe('JSON Pointer into the payload; a part `*` matches every item of a list and every member of an object'),
      is: anyJson.exactOptional().describe('Any JSON'),
      in: z
        .array(anyJson, 'must be a list of values')
        .min(1, 'must hold a value: an empty list never matches')
        .max(MAX_IN_VALUES, `may hold at most ${MAX_IN_VALUES} values`)
        .exactOptional(),
      above: limit.exactOptional(),
      below: limit.exactOptional(),
      matches: z
        .string('must be a regular expression')
        .min(1, 'must not be empty: it would match every text')
        .max(MAX_PATTERN_CHARS, `may have at most ${MAX_PATTERN_CHARS} characters`)
        .exactOptional()
        .describe('A regular expression without constructs that backtrack; it matches anywhere in a text'),
      exists: z.boolean('must be true or false').exactOptional(),
    },
    objectError('must be a test, such as {"path": "/amount", "above": 100}'),
  )
  .check(({ value, issues }) => {
    const refuse = (message: string) => void issues.push({ code: 'custom', input: value, message });
    const tests = TEST_MEMBERS.filter((name) => value[name] !== undefined);
    if (tests.length !== 1) refuse(`needs exactly one of ${TESTS}, not ${tests.join(' and ') || 'none'}`);
    if (JSON.stringify(value).length > MAX_VALUE_CHARS) refuse(`may have at most ${MAX_VALUE_CHARS} characters as JSON`);
  }) satisfies z.ZodType<PayloadTest>;

export const ruleMatch = z.strictObject(
  {
    action: globOf(/^[A-Za-z0-9_*-]+$/, MAX_ACTION_ID_CHARS, 'an action id, in which * matches any characters, such as "shop__delete_*"'),
    toolkit: globOf(/^[a-z0-9_*-]+$/, MAX_TOOLKIT_ID_CHARS, 'a toolkit id, in which * matches any characters, such as "shop-*"'),
    hint: hint.exactOptional(),
    priceAbove: z
      .string(AMOUNT_ADVICE)
      .refine((text) => toMillionths(text) !== undefined, AMOUNT_ADVICE)
      .exactOptional()
      .describe('Matches actions that may cost more than this amount, in the currency of the service'),
    payload: z
      .array(payloadTest, 'must be a list of tests, such as [{"path": "/amount", "above": 100}]')
      .min(1, 'must hold a test: leave payload out to match every payload')
      .max(MAX_PAYLOAD_TESTS, `may hold at most ${MAX_PAYLOAD_TESTS} tests`)
      .exactOptional(),
    user: globOf(/^[\x21-\x7e]+$/, MAX_CALLER_ID_CHARS, 'a user id, in which * matches any characters, such as "guest-*"'),
  },
  objectError('must be an object: {} matches every call'),
) satisfies z.ZodType<RuleMatch>;

export const rule = z
  .strictObject(
    {
      match: ruleMatch.describe('All of its members have to match; `{}` matches every call'),
      do: effect,
      decidedBy: z
        .enum(['people', 'app'], 'must be "people" or "app"')
        .exactOptional()
        .describe('For `ask`: `people` (default), or `app` for an app that asks its own user'),
    },
    objectError('must be a rule, such as {"match": {"hint": "destructive"}, "do": "ask"}'),
  )
  .refine(
    (value) => value.decidedBy === undefined || value.do === 'ask',
    'has decidedBy, which is only for a rule with "do": "ask"',
  ) satisfies z.ZodType<Rule>;

export const ruleList = z.array(rule, 'must be a list of rules').max(MAX_RULES, `may hold at most ${MAX_RULES} rules`);

export const ruleDefaults = z.strictObject(
  Object.fromEntries(RULE_HINTS.map((name) => [name, effect.exactOptional()])) as {
    [Name in (typeof RULE_HINTS)[number]]: z.ZodExactOptional<typeof effect>;
  },
  objectError(`must be an object with an effect by hint, such as {"destructive": "ask"}; the hints are ${RULE_HINTS.join(', ')}`),
) satisfies z.ZodType<RuleDefaults>;

function globOf(characters: RegExp, maxChars: number, shape: string) {
  const error = `must be ${shape}`;
  return z.string(error).max(maxChars, `may have at most ${maxChars} characters`).regex(characters, error).exactOptional();
}

function objectError(shape: string): { error: z.core.$ZodErrorMap<z.core.$ZodIssueUnrecognizedKeys | z.core.$ZodIssueInvalidType> } {
  return { error: (issue) => (issue.code === 'unrecognized_keys' ? `has the unknown member ${issue.keys.join(', ')}` : shape) };
}
