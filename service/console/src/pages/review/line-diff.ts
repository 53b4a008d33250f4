/**
 * The common lines of two texts, and the lines of only one of them.
 *
 * Source: the longest common subsequence by dynamic programming, between the equal lines at both ends.
 */
import type { DiffLine } from '../../parts/diff-block';

/** Cells of the table. Above it, all lines between the equal ends count as changed. */
const MAX_CELLS = 1_000_000;

export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const start = equalStart(before, after);
  const end = equalStart(before.slice(start).reverse(), after.slice(start).reverse());
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  return [...lines('same', after.slice(0, start)), ...between(removed, added), ...lines('same', after.slice(after.length - end))];
}

function equalStart(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((line, place) => line !== other[place]);
  return index === -1 ? Math.min(one.length, other.length) : index;
}

function between(removed: readonly string[], added: readonly string[]): DiffLine[] {
  if (removed.length * added.length > MAX_CELLS) return [...lines('removed', removed), ...lines('added', added)];
  const lengths = commonLengths(removed, added);
  const common = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  const diff: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < removed.length || j < added.length) {
    const [old, fresh] = [removed[i], added[j]];
    if (old !== undefined && old === fresh) {
      diff.push({ kind: 'same', text: old });
      i++;
      j++;
    } else if (old !== undefined && (fresh === undefined || common(i + 1, j) >= common(i, j + 1))) {
      diff.push({ kind: 'removed', text: old });
      i++;
    } else {
      diff.push({ kind: 'added', text: fresh ?? '' });
      j++;
    }
  }
  return diff;
}

/** `[i][j]`: the length of the longest common subsequence of the lines from `i` and from `j` on. */
function commonLengths(one: readonly string[], other: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i--) {
    const [row, next] = [table[i] as Uint32Array, table[i + 1] as Uint32Array];
    for (let j = other.length - 1; j >= 0; j--)
      row[j] = one[i] === other[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
  }
  return table;
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}
