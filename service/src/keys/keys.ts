/** The keys API for an operator's program, with or without a running service. */
import type { Actor, ChangeKeyRequest } from '#sdk/protocol/admin';
import type { CreatedKey, CreateKeyRequest, KeyInfo } from '#sdk/protocol/http';
import { Audit } from '../audit/audit';
import { keyFacts } from '../audit/key-facts';
import { type DataPlace, locationOf } from '../store/location';
import { openKeyStore } from '../store/open-store';
import { toKeyInfo } from './key-info';
import { KeyRing } from './key-ring';

/** Creates, changes and revokes keys. */
export interface Keys {
  /** Returns the key's text, which is not stored and never shown again. Throws SvcError INVALID_REQUEST. */
  create(request: CreateKeyRequest): Promise<CreatedKey>;
  list(): Promise<KeyInfo[]>;
  /** Changes name, allow list, calls per minute or budget. Applies to later calls, at other nodes within a second. */
  change(id: string, change: ChangeKeyRequest): Promise<KeyInfo>;
  /**
   * Replaces the secret of a key.
   *
   * @param overlapSeconds how long the old secret works beside the new one, at most a week; 0, the default: it stops at once
   */
  rotate(id: string, overlapSeconds?: number): Promise<CreatedKey>;
  /** Revokes a key. Its sockets close and its calls fail within a second. */
  revoke(id: string): Promise<void>;
}

/**
 * Opens the keys of a data directory or a database. A service that runs on the data applies changes within a second.
 *
 * @param options.create false throws NOT_FOUND for a place without data instead of creating it
 */
export async function openKeys(
  data: DataPlace,
  { create = true }: { create?: boolean | undefined } = {},
): Promise<Keys & { close(): Promise<void> }> {
  const store = await openKeyStore(locationOf(data), { create });
  return { ...audited(keysOf(new KeyRing(store)), new Audit(store.audit)), close: () => store.close() };
}

const COMMAND_LINE: Actor = { kind: 'command', name: 'command line' };

function audited(keys: Keys, audit: Audit): Keys {
  const find = async (id: string) => (await keys.list()).find((key) => key.id === id);
  return {
    create: async (request) => {
      const created = await keys.create(request);
      await audit.write(COMMAND_LINE, 'key.create', created.id, keyFacts(created));
      return created;
    },
    list: () => keys.list(),
    change: async (id, change) => {
      const before = await find(id);
      const changed = await keys.change(id, change);
      await audit.write(COMMAND_LINE, 'key.change', id, { from: before ? keyFacts(before) : {}, to: keyFacts(changed) });
      return changed;
    },
    rotate: async (id, overlapSeconds) => {
      const rotated = await keys.rotate(id, overlapSeconds);
      await audit.write(COMMAND_LINE, 'key.rotate', id, keyFacts(rotated));
      return rotated;
    },
    revoke: async (id) => {
      const before = await find(id);
      await keys.revoke(id);
      await audit.write(COMMAND_LINE, 'key.revoke', id, before ? keyFacts(before) : {});
    },
  };
}

export function keysOf(keys: KeyRing): Keys {
  return {
    create: (request) => keys.create(request),
    list: () => keys.list(),
    change: async (id, change) => toKeyInfo((await keys.change(id, change)).after),
    rotate: (id, overlapSeconds = 0) => keys.rotate(id, overlapSeconds * 1_000),
    revoke: (id) => keys.revoke(id),
  };
}
