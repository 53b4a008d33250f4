/** A text of any length: its beginning, more of it on request, and all of it as a file. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../code-block';
import { formatCount } from '../format';
import { DownloadButton } from './download-button';

/** A page with more than some of these is slow. */
const PIECE_CHARS = 20_000;

export interface LargeTextProps {
  text: string;
  label: string;
  /** The name of the file. */
  fileName: string;
  /** The text is a file, which can be downloaded whatever its length. */
  isFile?: boolean;
}

export function LargeText({ text, label, fileName, isFile = false }: LargeTextProps) {
  const [shown, setShown] = useState(PIECE_CHARS);
  const isLarge = text.length > PIECE_CHARS;
  if (!isLarge && !isFile) return <CodeBlock code={text} label={label} wrap />;
  const end = endOfPiece(text, shown);
  return (
    <Stack gap="xs">
      <CodeBlock code={text.slice(0, end)} label={label} wrap />
      <Group gap="xs">
        {isLarge && (
          <Text size="sm" c="dimmed" className="numbers">
            {formatCount(end)} of {formatCount(text.length)} characters
          </Text>
        )}
        {end < text.length && (
          <Button variant="default" size="xs" onClick={() => setShown(shown + PIECE_CHARS)}>
            Show more
          </Button>
        )}
        <DownloadButton name={fileName} content={() => text} />
      </Group>
    </Stack>
  );
}

/** Splits no surrogate pair. */
function endOfPiece(text: string, wanted: number): number {
  const end = Math.min(wanted, text.length);
  return end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
