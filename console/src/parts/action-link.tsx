import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** An action by its id, leading to its page. */
export function ActionLink({ id, ...looks }: { id: string } & AnchorProps) {
  return (
    <Anchor className="ids" c="inherit" size="sm" {...looks} renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}>
      {id}
    </Anchor>
  );
}
