import type { RegisterResult } from '#sdk/protocol/frames';
import type { LintFinding } from '#sdk/protocol/lint';

/** A thousand actions can have thousands of findings, and the developer reads the first ones. */
const MAX_REPORTED = 50;

/**
 * Selects the findings for the answer to `register`: errors first, then the first finding of each rule, then the second of each, so that no rule
 * hides another.
 */
export function reportedFindings(findings: readonly LintFinding[]): Pick<RegisterResult, 'warnings' | 'moreWarnings'> {
  if (findings.length === 0) return {};
  const counts = new Map<string, number>();
  const ranked = findings.map((finding) => {
    const before = counts.get(finding.rule) ?? 0;
    counts.set(finding.rule, before + 1);
    return { finding, rank: finding.severity === 'error' ? -1 : before };
  });
  const warnings = ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_REPORTED)
    .map(({ finding }) => finding);
  const more = findings.length - warnings.length;
  return { warnings, ...(more > 0 && { moreWarnings: more }) };
}
