import type { OwnedKey } from '../../../../src/protocol/admin';
import type { KeyKind } from '../../../../src/protocol/http';
import { keyState } from '../keys/key-state';

/** The key that somebody made last of those that work. */
export function newestOwnKey(
  keys: readonly OwnedKey[],
  kind: KeyKind,
  personId: string | undefined,
  now = Date.now(),
): OwnedKey | undefined {
  return keys
    .filter((key) => key.kind === kind && key.owner?.id === personId && keyState(key, now) === 'active')
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))[0];
}
