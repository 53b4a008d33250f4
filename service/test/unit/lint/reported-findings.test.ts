import { expect, test } from 'vitest';
import type { LintFinding } from '#sdk/protocol/lint';
import { reportedFindings } from '../../../src/catalog/lint';

const finding = (rule: LintFinding['rule'], action: string, severity: LintFinding['severity'] = 'warning'): LintFinding => ({
  rule,
  severity,
  action,
  message: '',
  hint: '',
});

test('an empty list of findings is an empty report', () => expect(reportedFindings([])).toEqual({}));

test('fifty are reported, errors first and no rule hidden behind another, and the rest is counted', () => {
  const many = Array.from({ length: 500 }, (_, i) => finding('vague-name', `a__${i}`));
  const { warnings = [], moreWarnings } = reportedFindings([
    ...many,
    finding('colliding', 'a__x'),
    finding('instructs-model', 'a__y', 'error'),
  ]);
  expect(warnings).toHaveLength(50);
  expect(warnings.slice(0, 4).map(({ action }) => action)).toEqual(['a__y', 'a__0', 'a__x', 'a__1']);
  expect(moreWarnings).toBe(452);
});

test('up to fifty there is nothing more', () => {
  expect(reportedFindings([finding('vague-name', 'a__b')])).toEqual({ warnings: [finding('vague-name', 'a__b')] });
});
