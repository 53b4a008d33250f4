import type { OwnedKey } from '#sdk/protocol/admin';
import { keyState } from '../../api/key-state';

/** The filters of the list of keys, the open key, and the form that is open in it. */
export interface KeysSearch {
  kind?: string;
  state?: string;
  text?: string;
  id?: string;
  form?: 'rules';
}

/** Newest first. `state` defaults to `active`; `all` shows every key. */
export function filterKeys(keys: readonly OwnedKey[], { kind, state = 'active', text = '' }: KeysSearch, now = Date.now()): OwnedKey[] {
  const words = text.toLowerCase().split(/\s+/);
  const fits = (key: OwnedKey) => {
    if (kind && key.kind !== kind) return false;
    if (state !== 'all' && keyState(key, now) !== state) return false;
    const keyText = [key.name, key.id, key.toolkit, key.owner?.name].join(' ').toLowerCase();
    return words.every((word) => keyText.includes(word));
  };
  return keys.filter(fits).sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}
