import type { RegisterResult } from '../../../protocol/frames';
import type { LintFinding } from '../../../protocol/lint';

/** A thousand actions can have thousands of findings, and the developer reads the first ones. */
const MOST_TOLD = 50;

/**
 * The findings in the answer to `register`: errors first, then of each rule its first finding, then of each its second, so that none hides another.
 */
export function toldFindings(findings: readonly LintFinding[]): Pick<RegisterResult, 'warnings' | 'moreWarnings'> {
  if (findings.length === 0) return {};
  const counts = new Map<string, number>();
  const ranked = findings.map((finding) => {
    const before = counts.get(finding.rule) ?? 0;
    counts.set(finding.rule, before + 1);
    return { finding, rank: finding.severity === 'error' ? -1 : before };
  });
  const warnings = ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_TOLD)
    .map(({ finding }) => finding);
  const more = findings.length - warnings.length;
  return { warnings, ...(more > 0 && { moreWarnings: more }) };
}
