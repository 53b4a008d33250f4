/**
 * Text for a terminal. Texts of strangers may hold control sequences, which would move the cursor or write to the clipboard: all text is made
 * printable when it is written, so the only control sequences are those of the styles.
 */
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { printable } from '../protocol/invisible-text';

type Format = Parameters<typeof styleText>[0];

interface Styled {
  format: Format;
  text: string;
}

export type Parts = readonly (string | Styled)[];

/** May have several lines. */
export type Line = string | Parts;

/** Text with a style where the stream is a terminal, or FORCE_COLOR is set, and NO_COLOR is not. */
export function styled(format: Format, text: string): Styled {
  return { format, text };
}

export function lineText(line: Line, stream: Writable): string {
  const parts = typeof line === 'string' ? [line] : line;
  return parts
    .map((part) => (typeof part === 'string' ? printable(part) : styleText(part.format, printable(part.text), { stream })))
    .join('');
}

/** One line of text: a name or a message of a stranger must not look like further lines. */
export function oneLine(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
