/** Text to copy: a snippet, an answer, a schema. */
import { ActionIcon, Box, CopyButton, ScrollArea, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

export function CodeBlock({ code, label, maxHeight = 420 }: { code: string; label: string; maxHeight?: number }) {
  return (
    <Box className="code-block">
      <ScrollArea.Autosize mah={maxHeight} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <pre>{code}</pre>
      </ScrollArea.Autosize>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon className="code-copy" variant="default" onClick={copy} aria-label={copied ? 'Copied' : `Copy: ${label}`}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Box>
  );
}
