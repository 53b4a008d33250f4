/** The beginning of a long id, which is enough to tell it from others. All of it is read aloud and shown when pointed at; a click copies it. */
import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core';

export function ShortId({ id }: { id: string }) {
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : id} events={{ hover: true, focus: true, touch: true }}>
          <UnstyledButton className="ids short-id" onClick={copy} aria-label={copied ? `Copied: ${id}` : `Copy ${id}`}>
            {id}
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** A text of the service in which ids of nodes and of processes may stand. */
export function WithShortIds({ text }: { text: string }) {
  const parts = text.split(/\b(node_\w{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/);
  // Every second part is what the pattern matched.
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text stay where they are
  return parts.map((part, index) => (index % 2 === 1 ? <ShortId key={index} id={part} /> : part));
}
