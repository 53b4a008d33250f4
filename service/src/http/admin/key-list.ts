/** Filter, order and pages of the list of keys. */
import type { KeyState } from '#sdk/protocol/admin';
import type { KeyKind } from '#sdk/protocol/http';
import type { KeyRecord } from '../../store/store';
import { includesWords } from '../includes-words';

export interface KeyListQuery {
  q?: string;
  kind?: KeyKind;
  state?: KeyState;
  limit?: number;
  cursor?: string;
}

export interface KeyList {
  items: readonly KeyRecord[];
  total: number;
  nextCursor?: string;
}

/**
 * Returns all keys, oldest first; with a filter, the matching ones, newest first.
 *
 * @param keys oldest first
 */
export function listKeys(
  keys: readonly KeyRecord[],
  asked: KeyListQuery,
  ownerOf: (key: KeyRecord) => string | undefined,
  now = Date.now(),
): KeyList {
  if (Object.keys(asked).length === 0) return { items: keys, total: keys.length };
  const { q = '', kind, state, limit = keys.length, cursor } = asked;
  const fitting = keys
    .filter((key) => (!kind || key.kind === kind) && (!state || stateOf(key, now) === state))
    .filter((key) => includesWords(q, key.name, key.id, key.toolkitId ?? undefined, ownerOf(key)))
    .toReversed();
  const start = cursor === undefined ? 0 : fitting.findIndex(({ id }) => id === cursor) + 1;
  const items = cursor !== undefined && start === 0 ? [] : fitting.slice(start, start + limit);
  const last = items.at(-1);
  return {
    items,
    total: fitting.length,
    ...(last && start + items.length < fitting.length && { nextCursor: last.id }),
  };
}

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
