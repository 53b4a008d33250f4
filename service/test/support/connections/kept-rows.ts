/** Kept connections on a store in memory. */
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { Audit } from '../../../src/audit/audit';
import type { ConnectionAsk } from '../../../src/connections/call-connections';
import { PageAddress } from '../../../src/connections/connect/page-address';
import { KeptConnections } from '../../../src/connections/kept-connections';
import { SecretKeys } from '../../../src/connections/secret-keys';
import type { AccountToKeep } from '../../../src/connections/stored-connections';
import { KeyRing } from '../../../src/keys/key-ring';
import { silentLogger } from '../../../src/lib/logger';
import { openSqliteStore } from '../../../src/store/sqlite/open';
import type { Store, ToolkitRecord } from '../../../src/store/store';

export const aSecretsKey = (id = 'k1') => `${id}:${randomBytes(32).toString('base64')}`;

export async function storeInMemory(): Promise<Store> {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  return store;
}

export interface KeptRows {
  store: Store;
  kept: KeptConnections;
  /** As the call of an action of the toolkit asks. */
  ask: (change?: Partial<ConnectionAsk>) => ConnectionAsk;
}

export async function keptRows(auth: ToolkitAuth, { store, keys }: { store?: Store; keys?: string } = {}): Promise<KeptRows> {
  const data = store ?? (await storeInMemory());
  const toolkit = { id: 'github', name: 'GitHub', description: '', createdAt: 1, auth } satisfies ToolkitRecord;
  const kept = new KeptConnections({
    store: data,
    keys: SecretKeys.read(keys ?? aSecretsKey(), 'the key'),
    catalog: { toolkit: () => toolkit },
    audit: new Audit(data.audit),
    privateHosts: ['127.0.0.1', 'localhost'],
    keyRing: new KeyRing(data),
    address: new PageAddress({ publicUrl: undefined, host: '0.0.0.0' }),
    hasConsole: true,
    logger: silentLogger,
  });
  const action = { toolkitId: 'github', name: 'star', description: '', payloadSchema: {}, annotations: {} };
  const ask = { toolkit, action, owner: 'user:key_1:u_81', agentKeyId: 'key_1', userId: 'u_81', name: undefined };
  return { store: data, kept, ask: (change = {}) => ({ ...ask, ...change }) };
}

export function anAccount(change: Partial<AccountToKeep> = {}): AccountToKeep {
  return {
    toolkitId: 'github',
    owner: 'user:key_1:u_81',
    name: 'default',
    secret: { type: 'bearer', token: 'gho_secret' },
    account: 'octocat',
    scopes: '',
    expiresInMs: undefined,
    createdBy: 'key_1',
    ...change,
  };
}
