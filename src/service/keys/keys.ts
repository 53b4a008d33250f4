/** Keys as an operator's program sees them, with a service or without one. */
import type { CreatedKey, CreateKeyRequest, KeyInfo } from '../../protocol/http';
import { type DataPlace, locationOf } from '../store/location';
import { openKeyStore } from '../store/open-store';
import { KeyRing } from './key-ring';

/** Makes and withdraws keys. */
export interface Keys {
  /** The answer is the only time that the key itself is shown. Throws SvcError INVALID_REQUEST. */
  create(request: CreateKeyRequest): Promise<CreatedKey>;
  list(): Promise<KeyInfo[]>;
  /** A new secret for the same key; the old one stops at once. */
  rotate(id: string): Promise<CreatedKey>;
  /** Its sockets close and its calls fail within a second. */
  revoke(id: string): Promise<void>;
}

/**
 * The keys of a data directory, or of a database, with or without a service that runs on it; a running one follows within a second.
 *
 * @param options.create false refuses a place without data, with NOT_FOUND, instead of making it
 */
export async function openKeys(
  data: DataPlace,
  { create = true }: { create?: boolean | undefined } = {},
): Promise<Keys & { close(): Promise<void> }> {
  const store = await openKeyStore(locationOf(data), { create });
  const keys = new KeyRing(store);
  return { ...keysOf(keys), close: () => store.close() };
}

export function keysOf(keys: KeyRing): Keys {
  return {
    create: (request) => keys.create(request),
    list: () => keys.list(),
    rotate: (id) => keys.rotate(id),
    revoke: (id) => keys.revoke(id),
  };
}
