/** The texts that wait for approval; what changed since the last approval is marked. */
import { ScrollArea, VisuallyHidden } from '@mantine/core';
import type { Review } from '../../../../src/protocol/admin';
import { type DiffLine, diffLines } from './line-diff';
import { reviewLines } from './review-lines';

const SIGNS = { same: ' ', removed: '-', added: '+' } as const satisfies Record<DiffLine['kind'], string>;
const MAX_HEIGHT = 420;

export function ReviewDiff({ review: { action, text, approvedText } }: { review: Review }) {
  const now = reviewLines(text);
  const lines: DiffLine[] =
    approvedText === undefined ? now.map((line) => ({ kind: 'same', text: line })) : diffLines(reviewLines(approvedText), now);
  return (
    <ScrollArea.Autosize
      mah={MAX_HEIGHT}
      type="auto"
      className="code-block"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `Texts of ${action}` }}
    >
      <pre className="diff">
        {numbered(lines).map(({ id, kind, text: line }) => (
          <div key={id} className={`diff-${kind}`}>
            <span aria-hidden>{SIGNS[kind]} </span>
            {kind !== 'same' && <VisuallyHidden>{kind}: </VisuallyHidden>}
            {line}
          </div>
        ))}
      </pre>
    </ScrollArea.Autosize>
  );
}

function numbered(lines: readonly DiffLine[]) {
  return lines.map((line, number) => ({ ...line, id: `${number} ${line.kind}` }));
}
