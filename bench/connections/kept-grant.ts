/** The kept connection of a bench, in the data of running nodes. */
import { randomBytes } from 'node:crypto';
import { type DataPlace, openKeys } from 'svc-service';
import { SecretKeys } from '../../service/src/connections/secret-keys.ts';
import { StoredConnections } from '../../service/src/connections/stored-connections.ts';
import type { ConnectionRecord } from '../../service/src/store/connection-store.ts';
import { locationOf } from '../../service/src/store/location.ts';
import { openKeyStore } from '../../service/src/store/open-store.ts';

export const USER = 'u_81';

export const newSecretsKey = () => `bench:${randomBytes(32).toString('base64')}`;

export interface GrantEndpoint {
  tokenUrl: string;
  clientId: string;
}

export interface BenchKeys {
  toolkit: string;
  toolkitKey: string;
  agentId: string;
  agentKey: string;
}

export async function makeKeys(place: DataPlace): Promise<BenchKeys> {
  const keys = await openKeys(place, { create: false });
  const [toolkit, agent] = [await keys.create({ kind: 'toolkit', name: 'bench' }), await keys.create({ kind: 'agent', name: 'bench' })];
  await keys.close();
  return { toolkit: toolkit.toolkit ?? '', toolkitKey: toolkit.key, agentId: agent.id, agentKey: agent.key };
}

export class KeptGrant {
  readonly #rows: StoredConnections;
  readonly #close: () => Promise<void>;
  readonly #place: { toolkitId: string; owner: string; name: string };
  id = '';

  static async open(place: DataPlace, secretsKey: string, { toolkit, agentId }: BenchKeys): Promise<KeptGrant> {
    const store = await openKeyStore(locationOf(place), { create: false });
    const rows = new StoredConnections(store.connections, SecretKeys.read(secretsKey, 'the key of the bench'));
    return new KeptGrant(rows, { toolkitId: toolkit, owner: `user:${agentId}:${USER}`, name: 'default' }, () => store.close());
  }

  private constructor(rows: StoredConnections, place: KeptGrant['place'], close: () => Promise<void>) {
    this.#rows = rows;
    this.#place = place;
    this.#close = close;
  }

  get place(): { toolkitId: string; owner: string; name: string } {
    return this.#place;
  }

  /** Connects the account, or connects it again. Without `token`, the first call refreshes it. */
  async keep(endpoint: GrantEndpoint, refreshToken: string, token?: string): Promise<void> {
    const secret = { type: 'oauth2', token: token ?? 'expired', refreshToken, ...endpoint } as const;
    const expiresInMs = token === undefined ? 0 : 3_600_000;
    const kept = { ...this.#place, secret, expiresInMs, account: 'octocat', scopes: '', createdBy: 'bench' };
    this.id = (await this.#rows.keep(kept)).id;
  }

  async read(): Promise<ConnectionRecord> {
    const row = await this.#rows.store.find(this.id);
    if (!row) throw new Error('The connection is gone');
    return row;
  }

  close(): Promise<void> {
    return this.#close();
  }
}
