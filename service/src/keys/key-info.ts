import type { KeyInfo } from '#sdk/protocol/http';
import { toTime } from '../lib/to-time';
import type { KeyRecord } from '../store/store';

/** The public view of a key: all fields without the hash of its secret. */
export function toKeyInfo({
  id,
  kind,
  name,
  toolkitId,
  allow,
  callsPerMinute,
  budget,
  rules,
  code,
  createdAt,
  expiresAt,
  revokedAt,
  former,
}: KeyRecord): KeyInfo {
  return {
    id,
    kind,
    name,
    ...(toolkitId !== null && { toolkit: toolkitId }),
    ...(allow !== null && { allow }),
    ...(callsPerMinute !== null && { callsPerMinute }),
    ...(budget !== null && { budget }),
    ...(rules !== null && { rules }),
    ...(code && { code }),
    createdAt: toTime(createdAt),
    ...(expiresAt !== null && { expiresAt: toTime(expiresAt) }),
    ...(revokedAt !== null && { revokedAt: toTime(revokedAt) }),
    ...(former && former.until > Date.now() && { formerSecretUntil: toTime(former.until) }),
  };
}
