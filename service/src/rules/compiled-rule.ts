/** A rule of a key, ready to be tested on calls. */
import { millionthsOf } from '#sdk/protocol/amount';
import { parseActionId } from '#sdk/protocol/ids';
import type { JsonObject } from '#sdk/protocol/json-object';
import type { PayloadTest, Rule } from '#sdk/protocol/rules';
import type { CheckMeter } from '../payload/check-meter';
import { stepsOf } from '../payload/json-pointer';
import type { ActionRecord } from '../store/store';
import { compileGlob } from './glob';
import { hasHint } from './hints';
import { compileCondition, type Patterns } from './payload-condition';
import { everyPlace, somePlace } from './places';

/** The known facts of a call. */
export interface RuleFacts {
  actionId: string;
  action: Pick<ActionRecord, 'annotations' | 'payment'> | undefined;
  payload: JsonObject | undefined;
  /** Null: the call has no user. Undefined: not known. */
  userId: string | null | undefined;
}

/** Undefined where a fact is missing that decides. */
type Match = boolean | undefined;

export interface CompiledRule {
  rule: Rule;
  matches(facts: RuleFacts): Match;
}

export interface CompileDeps {
  meter: CheckMeter;
  patterns: Patterns;
  /** The currency of the service. */
  currency: string;
}

type FactTest = (facts: RuleFacts) => Match;

export function compileRule(rule: Rule, deps: CompileDeps): CompiledRule {
  const tests = testsOf(rule, deps);
  return {
    rule,
    matches(facts) {
      let match: Match = true;
      for (const test of tests) {
        const passed = test(facts);
        if (passed === false) return false;
        if (passed === undefined) match = undefined;
      }
      return match;
    },
  };
}

/** Cheap ones first. */
function testsOf({ match, do: effect }: Rule, deps: CompileDeps): FactTest[] {
  const { action, toolkit, hint, priceAbove, payload = [], user } = match;
  const inDoubt = effect !== 'allow';
  const tests: FactTest[] = [];
  if (action !== undefined) {
    const fits = compileGlob(action);
    tests.push(({ actionId }) => fits(actionId));
  }
  if (toolkit !== undefined) {
    const fits = compileGlob(toolkit);
    tests.push(({ actionId }) => fits(parseActionId(actionId)?.toolkitId ?? ''));
  }
  if (hint !== undefined) tests.push((facts) => facts.action && hasHint(facts.action.annotations, hint));
  if (priceAbove !== undefined) tests.push(priceTest(priceAbove, inDoubt, deps));
  if (user !== undefined) tests.push(userTest(user, inDoubt));
  for (const test of payload) {
    const passes = payloadTest(test, inDoubt, deps);
    tests.push((facts) => facts.payload && passes(facts.payload));
  }
  return tests;
}

function priceTest(priceAbove: string, inDoubt: boolean, { currency }: CompileDeps): FactTest {
  const limit = millionthsOf(priceAbove);
  return ({ action }) => {
    if (!action?.payment) return action && false;
    return action.payment.currency === currency ? millionthsOf(action.payment.amount) > limit : inDoubt;
  };
}

/** A call without a user matches `*` alone, and only where a match is the stricter answer. */
function userTest(user: string, inDoubt: boolean): FactTest {
  const fits = compileGlob(user);
  const withoutUser = inDoubt && user === '*';
  return ({ userId }) => (userId === null ? withoutUser : userId === undefined ? undefined : fits(userId));
}

function payloadTest(test: PayloadTest, inDoubt: boolean, { meter, patterns }: CompileDeps): (payload: JsonObject) => boolean {
  const steps = stepsOf(test.path);
  // One of several places is enough for the stricter answer.
  const [strict, lenient] = inDoubt ? [somePlace, everyPlace] : [everyPlace, somePlace];
  if (test.exists === false) return (payload) => !lenient(payload, steps, () => true, meter);
  if (test.exists === true) return (payload) => strict(payload, steps, () => true, meter);
  const condition = compileCondition(test, { meter, patterns, inDoubt });
  return (payload) => strict(payload, steps, condition, meter);
}
