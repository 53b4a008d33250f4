import type { KeyRecord } from './store';

/** The key for a caller with its former secret: it ends with that, or with the key. */
export function asFormer(key: KeyRecord): KeyRecord {
  const { former } = key;
  if (!former) return key;
  const expiresAt = Math.min(former.until, key.expiresAt ?? former.until);
  return { ...key, hash: former.hash, expiresAt, isFormer: true };
}
