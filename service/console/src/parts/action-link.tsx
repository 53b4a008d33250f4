import { Anchor, type AnchorProps, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** Link to an action's page. The id is empty for a call that named no action. */
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
