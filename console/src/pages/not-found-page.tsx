import { Button, Container } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../parts/empty-state';
import { Page } from '../parts/page';

export function NotFoundPage() {
  return (
    <Container component="main" size="sm" py="xl">
      <Page title="There is no such page">
        <EmptyState
          title="The address may be mistyped, or out of date"
          action={<Button renderRoot={(props) => <Link to="/" {...props} />}>To the overview</Button>}
        />
      </Page>
    </Container>
  );
}
