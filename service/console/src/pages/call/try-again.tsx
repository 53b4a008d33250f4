/** A link to the action's page with the payload of this call, if all of it is stored and the action exists. */
import { Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { InvocationDetail } from '#sdk/protocol/admin';

export function TryAgain({ call: { id, action, code, payload } }: { call: InvocationDetail }) {
  if (!('json' in payload) || payload.cut || code === 'ACTION_NOT_FOUND') return null;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconRepeat size={14} />}
      renderRoot={(props) => <Link to="/actions/$id" params={{ id: action }} search={{ call: id }} {...props} />}
    >
      Try again with this payload
    </Button>
  );
}
