import type { OwnedKey } from '../../../../src/protocol/admin';
import type { KeysSearch } from '../../router';
import { keyState } from './key-state';

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
