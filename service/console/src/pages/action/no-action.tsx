import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { parseActionId } from '#sdk/protocol/ids';
import { EmptyState } from '../../parts/empty-state';

/** Shown for a link to an action that does not exist (any more). */
export function NoAction({ id }: { id: string }) {
  const query = (parseActionId(id)?.actionName ?? id).replaceAll(/[_-]+/g, ' ').trim();
  return (
    <EmptyState
      title={`Action “${id}” not found`}
      action={<Button renderRoot={(props) => <Link to="/search" search={{ query }} {...props} />}>Search actions</Button>}
    >
      It may have been renamed or removed.
    </EmptyState>
  );
}
