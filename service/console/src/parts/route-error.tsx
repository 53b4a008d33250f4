import { Button, Container } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { EmptyState } from './empty-state';
import { ErrorNotice } from './error-notice';

/** The error messages of Chromium, Firefox and Safari. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/i;

/** Shown in place of a page that failed. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl">
      {error instanceof Error && NOT_LOADED.test(error.message) ? (
        <EmptyState title="Could not load this page" action={<Button onClick={() => window.location.reload()}>Reload</Button>}>
          The service may be restarting, or it was updated since you opened the console.
        </EmptyState>
      ) : (
        <ErrorNotice error={error} retry={reset} title="Could not show this page" />
      )}
    </Container>
  );
}
