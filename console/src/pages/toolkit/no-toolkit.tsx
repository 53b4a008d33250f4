/** The page of a toolkit that is not there, with those that are spelt alike. */
import { Anchor, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiError } from '../../api/request';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';

export function NoToolkit({ id, error }: { id: string; error: ApiError }) {
  const { didYouMean = [] } = error.problem ?? {};
  return (
    <Page title="Toolkit not found">
      <EmptyState
        title={`There is no toolkit “${id}”`}
        action={<Button renderRoot={(props) => <Link to="/toolkits" {...props} />}>All toolkits</Button>}
      >
        It may have been removed, or it has never connected.
        {didYouMean.length > 0 && (
          <Group gap="xs" justify="center" mt="sm">
            Did you mean
            {didYouMean.map((other) => (
              <Anchor key={other} className="ids" renderRoot={(props) => <Link to="/toolkits/$id" params={{ id: other }} {...props} />}>
                {other}
              </Anchor>
            ))}
          </Group>
        )}
      </EmptyState>
    </Page>
  );
}
