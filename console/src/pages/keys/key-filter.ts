import type { OwnedKey } from '../../../../src/protocol/admin';
import { keyState } from '../../api/key-state';

/** What the list of keys is filtered by, and the key that is looked at. */
export interface KeysSearch {
  kind?: string;
  state?: string;
  text?: string;
  id?: string;
}

/** Newest first. `state` is `active` unless told; `all` shows every key. */
export function filterKeys(keys: readonly OwnedKey[], { kind, state = 'active', text = '' }: KeysSearch, now = Date.now()): OwnedKey[] {
  const words = text.toLowerCase().split(/\s+/);
  const fits = (key: OwnedKey) => {
    if (kind && key.kind !== kind) return false;
    if (state !== 'all' && keyState(key, now) !== state) return false;
    const told = [key.name, key.id, key.toolkit, key.owner?.name].join(' ').toLowerCase();
    return words.every((word) => told.includes(word));
  };
  return keys.filter(fits).sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}
