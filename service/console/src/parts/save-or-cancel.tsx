/** The end of a form that changes something: why the service refused it, and the two buttons. */
import { Button, Group } from '@mantine/core';
import { FormError } from './form-error';

export interface SaveOrCancelProps {
  error: unknown;
  isSaving: boolean;
  onCancel: () => void;
}

export function SaveOrCancel({ error, isSaving, onCancel }: SaveOrCancelProps) {
  return (
    <>
      <FormError error={error} />
      <Group gap="sm">
        <Button type="submit" loading={isSaving}>
          Save
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </>
  );
}
