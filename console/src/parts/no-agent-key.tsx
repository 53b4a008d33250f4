import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state';

/** What stands where an agent key is needed and there is none. */
export function NoAgentKey({ purpose }: { purpose: ReactNode }) {
  return (
    <EmptyState
      title="An agent key comes first"
      action={<Button renderRoot={(props) => <Link to="/start" {...props} />}>Get an agent key</Button>}
    >
      {purpose}
    </EmptyState>
  );
}
