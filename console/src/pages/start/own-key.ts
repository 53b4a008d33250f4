import type { OwnedKey } from '../../../../src/protocol/admin';
import type { KeyKind } from '../../../../src/protocol/http';
import { keyState } from '../../api/key-state';

export interface OwnKeyOf {
  kind: KeyKind;
  personId: string | undefined;
  /** Comes before newer ones. */
  isInUse: (key: OwnedKey) => boolean;
}

/** Of somebody's keys that work one that is in use, else the newest. */
export function ownKey(keys: readonly OwnedKey[], { kind, personId, isInUse }: OwnKeyOf, now = Date.now()): OwnedKey | undefined {
  const own = keys
    .filter((key) => key.kind === kind && key.owner?.id === personId && keyState(key, now) === 'active')
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  return own.find(isInUse) ?? own[0];
}
