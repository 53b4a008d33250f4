import type { Invitation } from '#sdk/protocol/admin';
import { toTime } from '../lib/to-time';
import type { InvitationRecord } from '../store/console-store';

export function toInvitation({ id, role, name, personId, createdAt, expiresAt }: InvitationRecord): Invitation {
  return {
    id,
    role,
    ...(name !== null && { name }),
    ...(personId !== null && { person: personId }),
    createdAt: toTime(createdAt),
    expiresAt: toTime(expiresAt),
  };
}

/** Details for the audit log. */
export function invitationFacts(record: InvitationRecord): Record<string, unknown> {
  const { id, createdAt, ...facts } = toInvitation(record);
  return facts;
}
