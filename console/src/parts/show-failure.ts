/** A notification about something that failed where no form can show it. */
import { notifications } from '@mantine/notifications';

export function showFailure(title: string, error: unknown): void {
  notifications.show({ color: 'red', title, message: error instanceof Error ? error.message : String(error) });
}
