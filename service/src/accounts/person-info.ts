import type { Person } from '#sdk/protocol/admin';
import { toTime } from '../lib/to-time';
import type { PersonRecord } from '../store/console-store';

export function toPerson({ id, name, email, role, createdAt, lastSeenAt }: PersonRecord): Person {
  return { id, name, email, role, createdAt: toTime(createdAt), ...(lastSeenAt !== null && { lastSeenAt: toTime(lastSeenAt) }) };
}
