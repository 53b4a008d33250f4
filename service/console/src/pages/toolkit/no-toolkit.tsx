/** Shown for a toolkit that does not exist, with toolkits of a similar name. */
import { Anchor, Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiError } from '../../api/request';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { ImportedSource } from './imported-source';

export function NoToolkit({ id, error }: { id: string; error: ApiError }) {
  const { didYouMean = [] } = error.problem ?? {};
  return (
    <Page title="Toolkit not found">
      <Stack gap="lg">
        <ImportedSource id={id} />
        <EmptyState
          title={`No toolkit has the id “${id}”`}
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
      </Stack>
    </Page>
  );
}
