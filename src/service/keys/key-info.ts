import type { KeyKind, KeyRecord } from '../store/store';

/** A key as its owner may see it: all but the secret's hash. Times are milliseconds since the epoch. */
export interface KeyInfo {
  id: string;
  kind: KeyKind;
  name: string;
  /** Id of the toolkit that a toolkit key belongs to. */
  toolkit?: string;
  /** What an agent key may use; absent is everything. */
  allow?: { toolkits: string[]; actions: string[] };
  callsPerMinute?: number;
  createdAt: number;
  expiresAt?: number;
  revokedAt?: number;
}

/** The only time that a key's text is shown. */
export interface NewKeyInfo extends KeyInfo {
  key: string;
}

export function toKeyInfo({ id, kind, name, toolkitId, allow, callsPerMinute, createdAt, expiresAt, revokedAt }: KeyRecord): KeyInfo {
  return {
    id,
    kind,
    name,
    ...(toolkitId !== null && { toolkit: toolkitId }),
    ...(allow !== null && { allow }),
    ...(callsPerMinute !== null && { callsPerMinute }),
    createdAt,
    ...(expiresAt !== null && { expiresAt }),
    ...(revokedAt !== null && { revokedAt }),
  };
}
