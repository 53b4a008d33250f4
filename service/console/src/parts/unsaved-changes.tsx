/** Asks for confirmation before a person leaves unsaved changes of a form: by another page, a reload, or closing the tab. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Returns the question, to be rendered in the form's page. */
export function useUnsavedChanges(isChanged: boolean): ReactNode {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Modal opened onClose={reset} title="Discard unsaved changes?" centered>
      <Stack>
        <Text size="sm">You have changes on this page that are not saved.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={reset} data-autofocus>
            Keep editing
          </Button>
          <Button color="red.9" onClick={proceed}>
            Discard changes
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
