import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state';

/** Shown where an agent key is needed and the person has none. */
export function NoAgentKey({ purpose }: { purpose: ReactNode }) {
  return (
    <EmptyState
      title="Create an agent key first"
      action={<Button renderRoot={(props) => <Link to="/start" {...props} />}>Create an agent key</Button>}
    >
      {purpose}
    </EmptyState>
  );
}
