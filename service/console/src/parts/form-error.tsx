/** The reason why the service refused a form, above its button. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useWait } from './use-wait';

export function FormError({ error }: { error: unknown }) {
  const wait = useWait(error);
  if (!error) return null;
  return (
    <Alert color="red" variant="light" p="sm" icon={<IconAlertTriangle size={18} />} role="alert">
      {wait > 0 ? 'Too many attempts. Wait before you try again.' : error instanceof Error ? error.message : String(error)}
    </Alert>
  );
}

/** The label of a button while it must wait, else `children`. */
export function waitLabel(seconds: number, label: string): string {
  return seconds > 0 ? `Try again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}` : label;
}
