import { Container } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorNotice } from './error-notice';

/** What is shown in place of a page that could not be shown. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl">
      <ErrorNotice error={error} retry={reset} title="This page cannot be shown" />
    </Container>
  );
}
