/** The beginning of a long id, enough to recognise it. Screen readers and the tooltip get the whole id; a click copies it. */
import { Tooltip, UnstyledButton } from '@mantine/core';
import { useRef } from 'react';
import { COPY_LABELS, useCopy } from './use-copy';

export function ShortId({ id }: { id: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const { state, copy } = useCopy(id, button);
  const isIdle = state === 'idle';
  return (
    <Tooltip label={isIdle ? id : COPY_LABELS[state]} events={{ hover: true, focus: true, touch: true }}>
      <UnstyledButton
        ref={button}
        className="ids short-id"
        onClick={copy}
        aria-label={isIdle ? `Copy ${id}` : `${COPY_LABELS[state]}: ${id}`}
      >
        {id}
      </UnstyledButton>
    </Tooltip>
  );
}

/** Replaces the long ids of nodes and processes in a text by short ids. */
export function WithShortIds({ text }: { text: string }) {
  const parts = text.split(/\b(node_\w{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/);
  // Every second part matched the pattern.
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text stay where they are
  return parts.map((part, index) => (index % 2 === 1 ? <ShortId key={index} id={part} /> : part));
}
