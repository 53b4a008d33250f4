/** Formats the linter's findings for people: each advice once, above its actions. A rule with many findings has two examples. */
import type { RejectedAction } from 'svc-sdk';
import type { LintFinding } from 'svc-service';
import { oneLine } from '#sdk/cli/line';
import { parseActionId } from '#sdk/protocol/ids';

/** Refused actions that are listed; a thousand with the same fault need fewer lines. */
const MOST_LINES = 20;
/** A rule with more findings than this is shortened. */
const MOST_OF_RULE = 3;
const EXAMPLES = 2;

export interface Findings {
  /** Refusals by the service: the toolkit cannot be served with these. */
  rejected: readonly RejectedAction[];
  findings: readonly LintFinding[];
}

/** `2 errors, 1 warning`. */
export function countText({ rejected, findings }: Findings): string {
  const errors = findings.filter(isError).length;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  return `${plural(rejected.length + errors, 'error')}, ${plural(warnings, 'warning')}`;
}

export function isError({ severity }: LintFinding): boolean {
  return severity === 'error';
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** One paragraph for each advice, or for each rule that has many findings. */
export function findingTexts({ rejected, findings }: Findings): string[] {
  const refused = rejected.map(({ action, message }) => `${action}: ${message}`);
  return [
    ...(refused.length > 0 ? [paragraph('error rejected', refused, MOST_LINES)] : []),
    ...byRule(findings).flatMap(([rule, ones]) => (ones.length > MOST_OF_RULE ? [folded(rule, ones)] : listed(rule, ones))),
  ];
}

/** One line for each rule: `warning vague-name (12): get, list, …`. A finding about the toolkit has its message there. */
export function ruleLines(findings: readonly LintFinding[]): string[] {
  return byRule(findings).map(([rule, ones]) => {
    const examples = ones.slice(0, EXAMPLES).map(({ action, message }) => (action === undefined ? message : nameOf(action)));
    return oneLine(`${rule} (${ones.length}): ${[...examples, ...(ones.length > EXAMPLES ? ['…'] : [])].join(', ')}`);
  });
}

function byRule(findings: readonly LintFinding[]): [rule: string, findings: LintFinding[]][] {
  return [...Map.groupBy(findings, ({ severity, rule }) => `${severity} ${rule}`)];
}

function folded(rule: string, ones: readonly LintFinding[]): string {
  const hint = ones[0]?.hint ?? '';
  return paragraph(`${oneLine(`${rule} (${ones.length})`)}\n  ${oneLine(hint)}`, ones.map(findingLine), EXAMPLES);
}

function listed(rule: string, ones: readonly LintFinding[]): string[] {
  const byHint = Map.groupBy(ones, ({ hint }) => hint);
  return Array.from(byHint, ([hint, some]) => paragraph(`${oneLine(rule)}\n  ${oneLine(hint)}`, some.map(findingLine), MOST_OF_RULE));
}

function paragraph(head: string, lines: readonly string[], most: number): string {
  const more = lines.length > most ? [`… and ${lines.length - most} more; svc-service lint --json lists all`] : [];
  return [head, ...[...lines.slice(0, most), ...more].map((line) => `    ${oneLine(line)}`)].join('\n');
}

function findingLine({ action, message }: LintFinding): string {
  return action === undefined ? message : `${nameOf(action)}: ${message}`;
}

function nameOf(action: string): string {
  return parseActionId(action)?.actionName ?? action;
}
