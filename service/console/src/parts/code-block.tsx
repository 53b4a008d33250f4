/** Text to copy: a snippet, an answer, a schema. */
import { ActionIcon, Box, ScrollArea, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useRef } from 'react';
import { COPY_LABELS, useCopy } from './use-copy';

export interface CodeBlockProps {
  code: string;
  label: string;
  maxHeight?: number;
  /** Breaks long lines instead of scrolling. */
  wrap?: boolean;
}

export function CodeBlock({ code, label, maxHeight = 420, wrap = false }: CodeBlockProps) {
  const text = useRef<HTMLPreElement>(null);
  const { state, copy } = useCopy(code, text);
  return (
    <Box className={wrap ? 'code-block wrapped-code' : 'code-block'}>
      <ScrollArea.Autosize mah={maxHeight} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <pre ref={text}>{code}</pre>
      </ScrollArea.Autosize>
      <Tooltip label={COPY_LABELS[state]} {...(state !== 'idle' && { opened: true })}>
        <ActionIcon className="code-copy" variant="default" onClick={copy} aria-label={`${COPY_LABELS[state]}: ${label}`}>
          {state === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Tooltip>
    </Box>
  );
}
