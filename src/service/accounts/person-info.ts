import type { Person } from '../../protocol/admin';
import type { PersonRecord } from '../store/console-store';
import { toTime } from '../to-time';

export function toPerson({ id, name, email, role, createdAt, lastSeenAt }: PersonRecord): Person {
  return { id, name, email, role, createdAt: toTime(createdAt), ...(lastSeenAt !== null && { lastSeenAt: toTime(lastSeenAt) }) };
}
