/** The preview of a source as text: the actions as agents would see them, for a person's decision. */

import { columns } from '#sdk/cli/columns';
import { oneLine } from '#sdk/cli/line';
import { firstLine } from '#sdk/cli/text-width';
import type { ConnectionSource, ToolkitAuth } from '#sdk/protocol/connections';
import type { ImportedActionPreview, ImportPreview } from '#sdk/protocol/imports';
import { plural, ruleLines } from '../finding-texts';

const FIRST_ACTIONS = 10;
const EXAMPLES = 2;
const MOST_REASONS = 10;
const MOST_COLUMNS = 80;
const INDENT = '    ';

const HINTS = [
  ['readOnly', 'read only'],
  ['destructive', 'destructive'],
  ['idempotent', 'idempotent'],
  ['openWorld', 'open world'],
] as const;

/** @param width columns of the window; undefined: no limit */
export function previewText(id: string, preview: ImportPreview, width?: number): string {
  const { toolkit, actions, targets, auth, skipped, findings, missing } = preview;
  return [
    `${id}: ${firstLine([toolkit.name, toolkit.description].filter(Boolean).join(': '), MOST_COLUMNS) || 'without a name'}`,
    `  ${[plural(actions.length, 'action'), ...hintCounts(actions)].join(', ')}`,
    ...targets.map((target) => `  ${targetText(target, targets.length)}`),
    ...(auth ? [`  ${authText(auth)}`] : []),
    ...firstActions(actions, width),
    ...part(skipped.length > 0 ? `${plural(skipped.length, 'part')} of the source left out` : '', skippedLines(skipped)),
    ...part('findings of the linter', ruleLines(findings)),
    ...part('missing', missing.map(oneLine)),
  ].join('\n');
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => INDENT + line)];
}

function targetText({ address, actions, sent }: ImportPreview['targets'][number], count: number): string {
  const calls = count === 1 ? 'calls go' : `calls of ${plural(actions, 'action')} go`;
  return oneLine(`${calls} to ${address} ${sent.length === 0 ? 'without a credential' : `with ${sent.join(', ')}`}`);
}

const OWNERS = {
  caller: 'the caller, which sends its credential',
  user: 'each user',
  agent: 'each agent key',
  everyone: 'the operator, for everyone',
} as const satisfies Record<ConnectionSource, string>;

function authText({ from, type, scopes = [] }: ToolkitAuth): string {
  return oneLine(`calls act with the account of ${OWNERS[from]} (${[type, ...scopes].join(' ')})`);
}

function hintCounts(actions: readonly ImportedActionPreview[]): string[] {
  const counts = HINTS.map(([hint, words]) => [actions.filter(({ annotations }) => annotations[hint]).length, words] as const);
  const silent = actions.filter(({ annotations }) => Object.keys(annotations).length === 0).length;
  return [...counts, [silent, 'without hints'] as const].filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
}

function firstActions(actions: readonly ImportedActionPreview[], width: number | undefined): string[] {
  if (actions.length === 0) return [];
  const rows = actions
    .slice(0, FIRST_ACTIONS)
    .map((action) => [action.action, hintsOf(action), firstLine(action.actionDescription, MOST_COLUMNS)]);
  const more = actions.length > FIRST_ACTIONS ? [`… and ${actions.length - FIRST_ACTIONS} more`] : [];
  const shown = columns(rows, { cut: [2], ...(width !== undefined && { width: width - INDENT.length }) });
  return [...shown.split('\n'), ...more].map((line) => INDENT + line);
}

function hintsOf({ annotations }: ImportedActionPreview): string {
  return HINTS.flatMap(([hint, words]) => (annotations[hint] ? [words] : [])).join(', ');
}

/** One line for each reason. */
function skippedLines(skipped: ImportPreview['skipped']): string[] {
  const reasons = [...Map.groupBy(skipped, ({ why }) => why)].sort(([, one], [, other]) => other.length - one.length);
  const lines = reasons.slice(0, MOST_REASONS).map(([why, parts]) => {
    const examples = parts.slice(0, EXAMPLES).map(({ what, part }) => (part === undefined ? what : `${what} (${part})`));
    return oneLine(`${parts.length} × ${why}: ${[...examples, ...(parts.length > EXAMPLES ? ['…'] : [])].join(', ')}`);
  });
  return [
    ...lines,
    ...(reasons.length > MOST_REASONS ? [`… and ${plural(reasons.length - MOST_REASONS, 'reason')} more; --json has all`] : []),
  ];
}
