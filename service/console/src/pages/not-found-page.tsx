import { Button, Container } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../parts/empty-state';
import { Page } from '../parts/page';

export function NotFoundPage() {
  return (
    <Container component="main" size="sm" py="xl">
      <Page title="Page not found">
        <EmptyState
          title="This address leads to no page"
          action={<Button renderRoot={(props) => <Link to="/" {...props} />}>Go to Overview</Button>}
        >
          The address may be mistyped, or the page may have been moved.
        </EmptyState>
      </Page>
    </Container>
  );
}
