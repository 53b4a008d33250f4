import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** Link to the page of an agent's session. */
export function SessionLink({ id, ...looks }: { id: string } & AnchorProps) {
  return (
    <Anchor
      className="ids"
      c="inherit"
      size="sm"
      title={`Session ${id}`}
      {...looks}
      renderRoot={(props) => <Link to="/sessions/$id" params={{ id }} {...props} />}
    >
      {id}
    </Anchor>
  );
}
