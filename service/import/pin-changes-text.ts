/**
 * The changes since the approval, for people at a terminal: one paragraph for each action, `-` before approved lines and `+` before new ones.
 *
 * Shape: control and invisible characters are escaped, because the texts are untrusted.
 */
import type { ToolkitDetails } from 'svc-sdk';
import { printable } from '#sdk/protocol/invisible-text';
import type { PinChange } from './pins';

/** Context lines around a change. */
const CONTEXT_LINES = 2;
/** The size of the comparison table is the product of both. */
const MAX_COMPARED_LINES = 2_000;

export function pinChangesText(changes: readonly PinChange[]): string {
  return printable(changes.map(paragraph).join('\n\n'));
}

function paragraph(change: PinChange): string {
  switch (change.kind) {
    case 'new':
      return [`new      ${change.action}`, ...linesOf(change.now).map((line) => `  + ${line}`)].join('\n');
    case 'gone':
      return `gone     ${change.action}`;
    case 'renamed':
      return `renamed  ${change.before} -> ${change.action}`;
    case 'changed':
      return [
        `changed  ${change.action}`,
        ...movedLines(change.before, change.now),
        ...lineDiff(linesOf(change.before), linesOf(change.now)),
      ].join('\n');
    case 'toolkit':
      return ['changed  name or description of the toolkit', ...lineDiff(detailLines(change.before), detailLines(change.now))].join('\n');
  }
}

type Pinned = Extract<PinChange, { kind: 'new' }>['now'];

/** States in words that a call has another address. */
function movedLines(before: Pinned, now: Pinned): string[] {
  const [former, address] = [originOf(before), originOf(now)];
  if (former === address || !before.request || !now.request) return [];
  return [`  its source sends it to ${address || 'the base address'} instead of ${former || 'the base address'}`];
}

/** The request begins with its method and address. */
function originOf({ request: [address = ''] = [] }: Pinned): string {
  return /^\S+ (https?:\/\/[^/\s]+)/.exec(address)?.[1] ?? '';
}

function linesOf({
  actionDescription,
  payloadDescription,
  annotations,
  title,
  resultDescription,
  meta,
  icons,
  long = false,
  request = [],
}: Pinned): string[] {
  const hints = Object.entries(annotations).map(([hint, holds]) => `${hint}: ${holds}`);
  return [
    ...request,
    ...(title === undefined ? [] : [`title: ${title}`]),
    ...actionDescription.split('\n'),
    ...hints,
    ...(long ? ['long: true'] : []),
    ...jsonLines(payloadDescription),
    ...(resultDescription ? ['result:', ...jsonLines(resultDescription)] : []),
    ...(meta ? ['_meta:', ...jsonLines(meta)] : []),
    ...(icons ? ['icons:', ...jsonLines(icons)] : []),
  ];
}

function jsonLines(value: unknown): string[] {
  return JSON.stringify(value, null, 2).split('\n');
}

function detailLines({ name = '', description = '' }: ToolkitDetails): string[] {
  return [name, ...description.split('\n')];
}

function lineDiff(before: readonly string[], now: readonly string[]): string[] {
  const marked = markedLines(before.slice(0, MAX_COMPARED_LINES), now.slice(0, MAX_COMPARED_LINES));
  const near = marked.map((_, index) => marked.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).some(isChange));
  return marked.filter((_, index) => near[index]).map((line) => `  ${line}`);
}

function isChange(line: string): boolean {
  return !line.startsWith(' ');
}

/** Source: the longest common subsequence of both. */
function markedLines(before: readonly string[], now: readonly string[]): string[] {
  const common = commonLengths(before, now);
  const lines: string[] = [];
  let one = 0;
  let other = 0;
  while (one < before.length || other < now.length) {
    if (one < before.length && before[one] === now[other]) {
      lines.push(`  ${before[one++]}`);
      other++;
    } else if (one < before.length && (other === now.length || lengthAt(common, one + 1, other) >= lengthAt(common, one, other + 1))) {
      lines.push(`- ${before[one++]}`);
    } else {
      lines.push(`+ ${now[other++]}`);
    }
  }
  return lines;
}

/** Row by row from the end: the length of the rests' common subsequence. */
function commonLengths(before: readonly string[], now: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let one = before.length - 1; one >= 0; one--) {
    for (let other = now.length - 1; other >= 0; other--) {
      const length =
        before[one] === now[other]
          ? lengthAt(rows, one + 1, other + 1) + 1
          : Math.max(lengthAt(rows, one + 1, other), lengthAt(rows, one, other + 1));
      (rows[one] as Uint16Array)[other] = length;
    }
  }
  return rows;
}

function lengthAt(rows: readonly Uint16Array[], one: number, other: number): number {
  return rows[one]?.[other] ?? 0;
}
