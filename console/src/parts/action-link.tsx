import { Anchor, type AnchorProps, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** An action by its id, leading to its page. A call that named none has no id. */
export function ActionLink({ id, ...looks }: { id: string } & AnchorProps) {
  if (id === '')
    return (
      <Text span c="dimmed" size="sm">
        not read
      </Text>
    );
  return (
    <Anchor className="ids" c="inherit" size="sm" {...looks} renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}>
      {id}
    </Anchor>
  );
}
