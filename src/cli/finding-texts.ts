/** The linter's findings for people to read: each advice once, and below it its actions. */
import type { RejectedAction } from 'svc-sdk';
import type { LintFinding } from 'svc-sdk/service';
import { parseActionId } from '../protocol/ids';
import { oneLine } from './line';

/** Actions listed for one advice; a thousand actions with the same fault need no thousand lines. */
const MOST_LINES = 20;

export interface Findings {
  /** Refusals of a service: with these the toolkit cannot be served at all. */
  rejected: readonly RejectedAction[];
  findings: readonly LintFinding[];
}

/** `2 errors, 1 warning`. */
export function countText({ rejected, findings }: Findings): string {
  const errors = findings.filter(isError).length;
  return `${plural(rejected.length + errors, 'error')}, ${plural(findings.length - errors, 'warning')}`;
}

export function isError({ severity }: LintFinding): boolean {
  return severity === 'error';
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** One paragraph each. */
export function findingTexts({ rejected, findings }: Findings): string[] {
  const groups = Map.groupBy(findings, ({ severity, rule, hint }) => `${oneLine(`${severity} ${rule}`)}\n  ${oneLine(hint)}`);
  const refused = rejected.map(({ action, message }) => `${action}: ${message}`);
  return [
    ...(refused.length > 0 ? [paragraph('error rejected', refused)] : []),
    ...Array.from(groups, ([head, ones]) => paragraph(head, ones.map(findingLine))),
  ];
}

function paragraph(head: string, lines: readonly string[]): string {
  const more = lines.length > MOST_LINES ? [`… and ${lines.length - MOST_LINES} more; svc-sdk lint --json lists all`] : [];
  return [head, ...[...lines.slice(0, MOST_LINES), ...more].map((line) => `    ${oneLine(line)}`)].join('\n');
}

function findingLine({ action, message }: LintFinding): string {
  return action === undefined ? message : `${parseActionId(action)?.actionName ?? action}: ${message}`;
}
