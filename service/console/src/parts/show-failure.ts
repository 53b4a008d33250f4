/** Shows a failure as a notification, for actions without a form. */
import { notifications } from '@mantine/notifications';

export function showFailure(title: string, error: unknown): void {
  notifications.show({ color: 'red', title, message: error instanceof Error ? error.message : String(error) });
}
