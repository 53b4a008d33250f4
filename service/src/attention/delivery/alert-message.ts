/** The messages about an alert: at its begin and at its end. */
import { toTime } from '../../lib/to-time';
import type { AlertEvent, AlertRecord } from '../../store/alert-store';

export interface AlertMessage {
  /** The same for each try. */
  id: string;
  event: AlertEvent;
  alert: AlertRecord;
  /** The page that mends it; undefined while the service does not know its address. */
  url: string | undefined;
}

export function messageOf(alert: AlertRecord, event: AlertEvent, linkOf: (path: string) => string | undefined): AlertMessage {
  return { id: `${alert.id}.${event}`, event, alert, url: linkOf(alert.link) };
}

/** One line, such as `Over: Toolkit "weather" is offline since …`. */
export function lineOf({ event, alert }: AlertMessage): string {
  return event === 'ended' ? `Over: ${alert.text}` : alert.text;
}

export function alertBody({ event, alert, url }: AlertMessage): object {
  const { id, kind, subject, severity, text, since, endedAt } = alert;
  const times = { since: toTime(since), ...(endedAt !== null && { endedAt: toTime(endedAt) }) };
  return { type: `alert.${event}`, ...(url !== undefined && { url }), alert: { id, kind, subject, severity, text, ...times } };
}
