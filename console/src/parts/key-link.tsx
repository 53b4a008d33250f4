import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** A key by its name, or its id where it has none, leading to its calls. */
export function KeyLink({ id, name, ...looks }: { id: string; name?: string } & AnchorProps) {
  return (
    <Anchor c="inherit" size="sm" title={id} {...looks} renderRoot={(props) => <Link to="/calls" search={{ key: id }} {...props} />}>
      {name || <span className="ids">{id}</span>}
    </Anchor>
  );
}
