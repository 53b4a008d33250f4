import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** Link to the page of an end user of agents. */
export function UserLink({ id, ...looks }: { id: string } & AnchorProps) {
  return (
    <Anchor
      className="ids"
      c="inherit"
      size="sm"
      title={`User ${id}`}
      {...looks}
      renderRoot={(props) => <Link to="/users/$id" params={{ id }} {...props} />}
    >
      {id}
    </Anchor>
  );
}
