/** Keys as rows of their table. */
import type { KeyKind } from '#sdk/protocol/http';
import { asFormer } from '../former-secret';
import type { KeyRecord } from '../store';
import type { KeyRow } from './tables';

export function toKeyRow(key: KeyRecord): KeyRow {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    hash: key.hash,
    toolkit_id: key.toolkitId,
    allow: key.allow && JSON.stringify(key.allow),
    calls_per_minute: key.callsPerMinute,
    budget: key.budget && JSON.stringify(key.budget),
    rules: key.rules && JSON.stringify(key.rules),
    code: key.code ? 1 : null,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    owner_id: key.ownerId,
    client_id: key.clientId,
    former_hash: key.former?.hash ?? null,
    former_until: key.former?.until ?? null,
  };
}

export function toKey(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    kind: row.kind as KeyKind,
    name: row.name,
    hash: row.hash,
    toolkitId: row.toolkit_id,
    allow: row.allow === null ? null : JSON.parse(row.allow),
    callsPerMinute: row.calls_per_minute,
    budget: row.budget === null ? null : JSON.parse(row.budget),
    rules: row.rules === null ? null : JSON.parse(row.rules),
    code: row.code === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    ownerId: row.owner_id,
    clientId: row.client_id,
    ...(row.former_hash !== null && row.former_until !== null && { former: { hash: row.former_hash, until: row.former_until } }),
  };
}

/** The key as it was found: by the hash of its secret, or of its former one. */
export function foundBy(hash: string, row: KeyRow): KeyRecord {
  const key = toKey(row);
  return key.hash === hash ? key : asFormer(key);
}
