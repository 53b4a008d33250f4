/** An app that a person connected to a running service: its key, a grant and an access token. */
import { onTestFinished } from 'vitest';
import { AgentTokens } from '../../src/keys/agent-tokens';
import { randomBase62 } from '../../src/keys/base62';
import { KeyRing } from '../../src/keys/key-ring';
import type { LastingLocation } from '../../src/store/location';
import { openKeyStore } from '../../src/store/open-store';
import { aGrant } from '../contract/store-records';

/** @param location the data of the service */
export async function signInApp(location: LastingLocation, { ttlSeconds = 3_600 }: { ttlSeconds?: number } = {}) {
  const store = await openKeyStore(location);
  onTestFinished(() => store.close());
  const keys = new KeyRing(store);
  const grant = aGrant({ id: randomBase62(20) });
  // A person has one key for each client.
  const owner = { ownerId: grant.personId, clientId: `https://app.example/${grant.id}` };
  const { id } = await keys.create({ kind: 'agent', name: 'An app (app.example)' }, owner);
  grant.keyId = id;
  await store.oauth.addGrant(grant);
  const tokens = new AgentTokens({ ...store, keys });
  const { token } = await tokens.mintForGrant(await keys.require(id), { grantId: grant.id, userId: grant.personId, ttlSeconds });
  return { id, token, grant, store, end: () => store.oauth.endGrant(grant.id, Date.now()), revokeKey: () => keys.revoke(id) };
}
