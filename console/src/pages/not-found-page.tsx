import { Button, Container } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../parts/empty-state';

export function NotFoundPage() {
  return (
    <Container size="sm" py="xl">
      <EmptyState
        title="There is no such page"
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>To the overview</Button>}
      />
    </Container>
  );
}
