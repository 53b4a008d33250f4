/** A whole id with a button that copies it. */
import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useRef } from 'react';
import { COPY_LABELS, useCopy } from './use-copy';

export function CopiedId({ id }: { id: string }) {
  const text = useRef<HTMLSpanElement>(null);
  const { state, copy } = useCopy(id, text);
  return (
    <Group component="span" gap={6} wrap="nowrap" align="center">
      <span ref={text} className="ids">
        {id}
      </span>
      <Tooltip label={COPY_LABELS[state]} {...(state !== 'idle' && { opened: true })}>
        <ActionIcon variant="subtle" color="gray" size={24} onClick={copy} aria-label={`${COPY_LABELS[state]}: ${id}`}>
          {state === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
