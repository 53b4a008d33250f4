import type { DiffLine } from '../../parts/diff-block';

const KINDS: Record<string, DiffLine['kind']> = { '-': 'removed', '+': 'added' };

/** The lines of a diff of held changes: behind two spaces `-` before approved lines, and `+` before new ones. */
export function heldLines(diff: string): DiffLine[] {
  return diff.split('\n').map((line) => {
    const [, sign = '', text] = /^ {0,2}([-+]) (.*)$/.exec(line) ?? [];
    return { kind: KINDS[sign] ?? 'same', text: text ?? line };
  });
}
