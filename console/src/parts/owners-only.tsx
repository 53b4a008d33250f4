/** A page that members may know of, and not see. */
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
      title="This is for owners"
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
          To the overview
        </Button>
      }
    >
      You are a member. Ask an owner of this service when you need something of it.
    </EmptyState>
  );
}
