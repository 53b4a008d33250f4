/**
 * JSON of others as a whole, for people who decide about it: nothing is cut off, and an invisible character is an escape.
 *
 * Directions: a text that is written from right to left keeps to its quotes. Otherwise a name and its value could change places.
 * Size:       a browser lays out only the parts that are in view.
 */
import { Box, ScrollArea } from '@mantine/core';
import { Fragment, useMemo } from 'react';
import { printableJson } from '#sdk/protocol/invisible-text';

/** Lines of a part that is laid out at once. */
const PART_LINES = 100;
/** The height of a line, as the stylesheet has it. */
const LINE_EM = 1.5;
const TEXTS = /("(?:[^"\\]|\\.)*")/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function WholeJson({ value, label }: { value: unknown; label: string }) {
  const parts = useMemo(() => partsOf(printableJson(JSON.stringify(value, null, 2))), [value]);
  return (
    <Box className="code-block wrapped-code">
      <ScrollArea.Autosize mah="max(60vh, 20rem)" type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <pre dir="ltr" className="whole-json">
          {parts.map(({ json, lines }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text stay where they are
            <div key={index} style={{ containIntrinsicBlockSize: `auto ${lines * LINE_EM}em` }}>
              {RIGHT_TO_LEFT.test(json) ? <IsolatedTexts json={json} /> : json}
            </div>
          ))}
        </pre>
      </ScrollArea.Autosize>
    </Box>
  );
}

function partsOf(json: string): { json: string; lines: number }[] {
  const lines = json.split('\n');
  return Array.from({ length: Math.ceil(lines.length / PART_LINES) }, (_, index) => {
    const part = lines.slice(index * PART_LINES, (index + 1) * PART_LINES);
    return { json: part.join('\n'), lines: part.length };
  });
}

function IsolatedTexts({ json }: { json: string }) {
  // Every second piece is a text.
  return json.split(TEXTS).map((piece, index) => {
    const Piece = index % 2 === 1 ? 'bdi' : Fragment;
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text stay where they are
    return <Piece key={index}>{piece}</Piece>;
  });
}
