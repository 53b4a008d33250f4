/** A page that members cannot see. */
import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { meQuery } from '../api/me';
import { EmptyState } from './empty-state';

export function OwnersOnly({ children }: { children: ReactNode }) {
  const { data: me } = useSuspenseQuery(meQuery);
  if (me.role === 'owner') return children;
  return (
    <EmptyState
      title="Only owners can see this"
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
          Go to Overview
        </Button>
      }
    >
      Ask an owner for access.
    </EmptyState>
  );
}
