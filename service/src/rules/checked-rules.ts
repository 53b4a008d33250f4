/** The rules of a request, whose patterns run in linear time: a pattern that is not checked would match every text. */
import type * as z from 'zod';
import { ruleList } from '#sdk/protocol/rule-schemas';
import type { Rule } from '#sdk/protocol/rules';
import { costOfLinearPattern, MAX_PROGRAM } from '../payload/linear-patterns';

export const checkedRules: typeof ruleList = ruleList.check(({ value, issues }) => {
  let room = MAX_PROGRAM;
  for (const { pattern, path } of patternsOf(value)) {
    const cost = costOfLinearPattern(pattern);
    if (cost === undefined)
      issues.push(
        refusal(
          pattern,
          path,
          'must be a regular expression that never backtracks: without look-around, references to groups and large repetitions',
        ),
      );
    else if (cost > room) issues.push(refusal(pattern, path, 'is one pattern too many: the patterns of all rules are too large together'));
    room -= cost ?? 0;
    if (issues.length > 0) return;
  }
});

function refusal(input: string, path: PropertyKey[], message: string): z.core.$ZodRawIssue {
  return { code: 'custom', input, path, message };
}

function patternsOf(rules: readonly Rule[]): { pattern: string; path: PropertyKey[] }[] {
  return rules.flatMap(({ match }, rule) =>
    (match.payload ?? []).flatMap(({ matches }, test) =>
      matches === undefined ? [] : [{ pattern: matches, path: [rule, 'match', 'payload', test, 'matches'] }],
    ),
  );
}
