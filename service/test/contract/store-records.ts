/** Valid records to store, with different values where they must differ. */
import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/lib/utc-day';
import type { NewConnection } from '../../src/store/connection-store';
import type { GrantRecord } from '../../src/store/oauth-store';
import type { PersonRow, SessionRow } from '../../src/store/sql/tables';
import type { ActionRecord, InvocationOutcome, InvocationStart, KeyRecord } from '../../src/store/store';

export const OK: InvocationOutcome = { code: 'OK', body: '{"sum":3}', endedAt: 1_700_000_000_500 };
export const OFFLINE: InvocationOutcome = { code: 'TOOLKIT_OFFLINE', body: null, endedAt: 1_700_000_000_400 };

export function aCall(change: Partial<InvocationStart> = {}): InvocationStart {
  return {
    id: `inv_${randomUUID()}`,
    agentKeyId: 'key_agent',
    idempotencyKey: null,
    requestHash: hashOf('request'),
    action: 'sample__add',
    startedAt: 1_700_000_000_000,
    ...change,
  };
}

export function aKey(change: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id: `key_${randomUUID()}`,
    kind: 'agent',
    name: 'Ada’s agent',
    hash: hashOf(randomUUID()),
    toolkitId: null,
    allow: null,
    callsPerMinute: null,
    budget: null,
    rules: null,
    code: false,
    createdAt: 1_700_000_000_000,
    expiresAt: null,
    revokedAt: null,
    ownerId: null,
    clientId: null,
    ...change,
  };
}

export function aGrant(change: Partial<GrantRecord> = {}): GrantRecord {
  const now = Date.now();
  return {
    id: 'grant1',
    keyId: 'key_a',
    personId: 'person_1',
    clientHash: hashOf('https://client.example/app'),
    client: '{"name":"Ada’s app","host":"client.example"}',
    generation: 1,
    rotatedAt: now,
    usedAt: now,
    createdAt: now,
    idleUntil: now + 30 * DAY_MS,
    expiresAt: now + 365 * DAY_MS,
    endedAt: null,
    ...change,
  };
}

export function aConnection(change: Partial<NewConnection> = {}): NewConnection {
  return {
    id: 'con_1',
    toolkitId: 'github',
    owner: 'user:key_1:u_81',
    name: 'default',
    type: 'oauth2',
    sealed: 'c2VjcmV0',
    sealedBy: 'k1',
    scopes: '',
    account: 'octocat',
    expiresInMs: null,
    createdBy: 'key_1',
    ...change,
  };
}

export function aPerson(change: Partial<PersonRow> = {}): PersonRow {
  const id = randomUUID();
  return {
    id,
    name: 'Ada',
    email: `${id}@example.com`,
    email_verified: 0,
    image: null,
    role: 'member',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...change,
  };
}

export function aSession(personId: string, change: Partial<SessionRow> = {}): SessionRow {
  return {
    id: randomUUID(),
    person_id: personId,
    token: randomUUID(),
    expires_at: '2027-01-01T00:00:00.000Z',
    ip_address: null,
    user_agent: null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...change,
  };
}

export const aToolkit = (id: string) => ({ id, name: 'Weather', description: 'Rain or shine', createdAt: 1_700_000_000_000 });

export const anAction = (name: string): ActionRecord => ({
  toolkitId: 'weather',
  name,
  description: `Tells ${name}`,
  payloadSchema: { type: 'object', properties: { city: { type: 'string' } } },
  annotations: {},
});

/** A text in the form of a SHA-256, different for different texts. */
export function hashOf(text: string): string {
  return Buffer.from(text).toString('hex').padEnd(64, '0').slice(0, 64);
}
