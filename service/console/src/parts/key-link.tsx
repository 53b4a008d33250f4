import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** Link to the calls of a key, with the key's name, or its id if the name is hidden. */
export function KeyLink({ id, name, ...looks }: { id: string; name?: string } & AnchorProps) {
  return (
    <Anchor c="inherit" size="sm" title={id} {...looks} renderRoot={(props) => <Link to="/calls" search={{ key: id }} {...props} />}>
      {name || <span className="ids">{id}</span>}
    </Anchor>
  );
}
