import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** Link to the calls for an end user of an agent. */
export function UserLink({ id, ...looks }: { id: string } & AnchorProps) {
  return (
    <Anchor className="ids" c="inherit" size="sm" {...looks} renderRoot={(props) => <Link to="/calls" search={{ user: id }} {...props} />}>
      {id}
    </Anchor>
  );
}
