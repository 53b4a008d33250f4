import type { LintFinding } from 'svc-service';
import { expect, test } from 'vitest';
import { findingTexts, ruleLines } from '../../../cli/finding-texts';

function vagueNames(count: number): LintFinding[] {
  return Array.from({ length: count }, (_, index) => ({
    rule: 'vague-name',
    severity: 'warning',
    action: `shop__get${index}`,
    message: `"get${index}" says little`,
    hint: `Name what it gets, hint ${index}`,
  }));
}

test('up to three findings of a rule are all listed, each advice once', () => {
  const [first, second, third] = vagueNames(3) as [LintFinding, LintFinding, LintFinding];
  expect(findingTexts({ rejected: [], findings: [first, { ...second, hint: first.hint }, third] })).toEqual([
    'warning vague-name\n  Name what it gets, hint 0\n    get0: "get0" says little\n    get1: "get1" says little',
    'warning vague-name\n  Name what it gets, hint 2\n    get2: "get2" says little',
  ]);
});

test('more findings of a rule are one paragraph with their number and two examples', () => {
  expect(findingTexts({ rejected: [], findings: vagueNames(196) })).toEqual([
    'warning vague-name (196)\n  Name what it gets, hint 0\n    get0: "get0" says little\n    get1: "get1" says little\n    … and 194 more; svc-service lint --json lists all',
  ]);
});

test('every refused action is listed: without it the toolkit is not whole', () => {
  const rejected = Array.from({ length: 5 }, (_, index) => ({
    action: `a${index}`,
    code: 'INVALID_ACTION' as const,
    message: 'no schema',
  }));
  const [text = ''] = findingTexts({ rejected, findings: [] });
  expect(text.split('\n')).toEqual(['error rejected', ...rejected.map(({ action }) => `    ${action}: no schema`)]);
});

test('of a preview each rule is one line, with errors and warnings apart', () => {
  const [error] = vagueNames(1) as [LintFinding];
  const ofToolkit: LintFinding = { rule: 'toolkit-description', severity: 'warning', message: 'It has none', hint: 'Say it' };
  expect(ruleLines([{ ...error, severity: 'error' }, ...vagueNames(3), ofToolkit])).toEqual([
    'error vague-name (1): get0',
    'warning vague-name (3): get0, get1, …',
    'warning toolkit-description (1): It has none',
  ]);
});
