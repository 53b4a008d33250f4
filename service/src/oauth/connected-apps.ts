/** The apps of people: agent keys that a consent made, with the sign-ins of each. */
import type { ConnectedApp } from '#sdk/protocol/admin';
import { SvcError } from '#sdk/protocol/errors';
import { toKeyInfo } from '../keys/key-info';
import { isActive, type KeyRing } from '../keys/key-ring';
import { toTime } from '../lib/to-time';
import type { GrantRecord, OAuthStore } from '../store/oauth-store';
import type { KeyRecord } from '../store/store';
import type { ClientFacts } from './client';

export interface ConnectedAppsDeps {
  keys: Pick<KeyRing, 'records' | 'find' | 'revoke'>;
  store: Pick<OAuthStore, 'grantsOf' | 'endGrants'>;
}

export class ConnectedApps {
  readonly #deps: ConnectedAppsDeps;

  constructor(deps: ConnectedAppsDeps) {
    this.#deps = deps;
  }

  /** Apps with a sign-in that has not ended, newest first. @param ownerId undefined: of everybody */
  async list(ownerId: string | undefined): Promise<{ app: ConnectedApp; ownerId: string | null }[]> {
    const { keys, store } = this.#deps;
    const own = (await keys.records(ownerId)).filter((key) => key.clientId !== null && isActive(key));
    const grants = Map.groupBy(await store.grantsOf(own.map(({ id }) => id)), ({ keyId }) => keyId);
    return own.reverse().flatMap((key) => {
      const app = toConnectedApp(key, grants.get(key.id) ?? []);
      return app ? [{ app, ownerId: key.ownerId }] : [];
    });
  }

  /** Revokes the key, which ends its calls, and every sign-in. @param ownerId undefined: of anybody */
  async disconnect(id: string, ownerId: string | undefined): Promise<KeyRecord> {
    const { keys, store } = this.#deps;
    const key = await keys.find(id);
    if (!key || key.clientId === null || (ownerId !== undefined && key.ownerId !== ownerId))
      throw new SvcError('NOT_FOUND', `There is no connected app ${JSON.stringify(id.slice(0, 100))} of yours`);
    await keys.revoke(id);
    await store.endGrants(id, Date.now());
    return key;
  }
}

function toConnectedApp(key: KeyRecord, grants: readonly GrantRecord[]): ConnectedApp | undefined {
  const [first] = grants;
  if (!first) return undefined;
  const { id, name, allow, callsPerMinute, budget, rules } = toKeyInfo(key);
  return {
    id,
    name,
    ...(allow && { allow }),
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...(budget && { budget }),
    ...(rules && { rules }),
    client: JSON.parse(first.client) as ClientFacts,
    signIns: grants.length,
    connectedAt: toTime(key.createdAt),
    lastUsedAt: toTime(Math.max(...grants.map(({ usedAt }) => usedAt))),
  };
}
