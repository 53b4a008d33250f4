/** Lines of a comparison. Colours and signs mark the removed and the added ones. */
import { ScrollArea, Text, VisuallyHidden } from '@mantine/core';
import { formatCount } from './format';

export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

const SIGNS = { same: ' ', removed: '-', added: '+' } as const satisfies Record<DiffLine['kind'], string>;
const MAX_HEIGHT = 420;
/** A browser becomes slow with more. */
const MAX_LINES = 3_000;

export function DiffBlock({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  return (
    <>
      <ScrollArea.Autosize
        mah={MAX_HEIGHT}
        type="auto"
        className="code-block"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
      >
        <pre className="diff">
          {numbered(lines.slice(0, MAX_LINES)).map(({ id, kind, text: line }) => (
            <div key={id} className={`diff-${kind}`}>
              <span aria-hidden>{SIGNS[kind]} </span>
              {kind !== 'same' && <VisuallyHidden>{kind}: </VisuallyHidden>}
              {line}
            </div>
          ))}
        </pre>
      </ScrollArea.Autosize>
      {lines.length > MAX_LINES && (
        <Text size="sm" c="dimmed">
          {formatCount(lines.length - MAX_LINES)} more lines are not shown.
        </Text>
      )}
    </>
  );
}

function numbered(lines: readonly DiffLine[]) {
  return lines.map((line, number) => ({ ...line, id: `${number} ${line.kind}` }));
}
