import { expect, onTestFinished, test, vi } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import { AgentTokens, type CallingKey } from '../../../src/keys/agent-tokens';
import { KeyRing } from '../../../src/keys/key-ring';
import { openSqliteData } from '../../../src/store/sqlite/open';
import { aGrant } from '../../contract/store-records';

/** A key whose token has a grant, and the times at which the store was asked for the grant. */
async function setUp() {
  vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const store = await openSqliteData({ path: ':memory:' });
  onTestFinished(() => store.close());
  const keys = new KeyRing(store);
  const asked: number[] = [];
  let fault: SvcError | undefined;
  const useGrant = async (id: string, at: number) => {
    asked.push(at);
    if (fault) throw fault;
    return store.oauth.useGrant(id, at);
  };
  const tokens = new AgentTokens({ settings: store.settings, oauth: { useGrant }, keys });
  const { id } = await keys.create(
    { kind: 'agent', name: 'Claude (claude.ai)' },
    { ownerId: 'person_1', clientId: 'https://claude.ai/client' },
  );
  const grant = aGrant({ keyId: id });
  await store.oauth.addGrant(grant);
  const key = await keys.require(id);
  const { token } = await tokens.mintForGrant(key, { grantId: grant.id, userId: 'person_1', ttlSeconds: 3_600 });
  return {
    store,
    keys,
    tokens,
    asked,
    key,
    grant,
    token,
    call: async () => tokens.authenticate(token, true),
    fail: (error: SvcError | undefined) => {
      fault = error;
    },
  };
}

const code = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: SvcError) => error.code,
  );

test('a token of a grant has the key, its client and the person as the user', async () => {
  const { key, grant, call } = await setUp();
  expect(await call()).toEqual({
    ...key,
    clientId: 'https://claude.ai/client',
    token: { keyId: key.id, keyHash: key.hash, expiresAt: Date.now() + 3_600_000, allow: null, userId: 'person_1', grantId: grant.id },
  });
});

test('the store is asked for a grant once a second, also by concurrent calls, and never for a token without one', async () => {
  const { tokens, asked, key, call, token } = await setUp();
  await Promise.all([call(), call(), call()]);
  expect(asked).toHaveLength(1);
  expect(tokens.authenticate(token, true)).not.toBeInstanceOf(Promise);
  vi.advanceTimersByTime(999);
  await call();
  expect(asked).toHaveLength(1);
  vi.advanceTimersByTime(1);
  const calls = await Promise.all([call(), call()]);
  expect(asked).toHaveLength(2);
  expect(await tokens.again((calls[0] as CallingKey).token!)).toBe(calls[0]);

  const plain = await tokens.mint(key, { ttlSeconds: 60 });
  await tokens.authenticate(plain.token, false);
  vi.advanceTimersByTime(5_000);
  expect(tokens.authenticate(plain.token, false)).not.toBeInstanceOf(Promise);
  expect(asked).toHaveLength(2);
});

test('a token is refused within a second after its grant ended, and the store is then asked no more often', async () => {
  const { store, asked, grant, call, token } = await setUp();
  const { token: accepted } = (await call()) as Required<CallingKey>;
  await store.oauth.endGrant(grant.id, Date.now());
  vi.advanceTimersByTime(1_000);
  const error = await call().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'KEY_REVOKED', message: expect.stringContaining('sign in again') });
  expect(String((error as Error).message)).not.toContain(token);
  expect([await code(call()), await code(call())]).toEqual(['KEY_REVOKED', 'KEY_REVOKED']);
  expect(asked).toHaveLength(2);
  expect(accepted.grantId).toBe(grant.id);
});

test('while the store fails a call has the error of the store, and the next call asks again', async () => {
  const { asked, call, fail } = await setUp();
  fail(new SvcError('SERVICE_UNAVAILABLE', 'The database is down'));
  expect(await code(call())).toBe('SERVICE_UNAVAILABLE');
  fail(undefined);
  expect(await code(call())).toBe('accepted');
  expect(asked).toHaveLength(2);
});

test('a token of a grant ends with its time and with its key', async () => {
  const { keys, key, call } = await setUp();
  await call();
  vi.advanceTimersByTime(3_600_000);
  expect(await code(call())).toBe('KEY_EXPIRED');
  const other = await setUp();
  await other.call();
  await other.keys.revoke(other.key.id);
  expect(await code(other.call())).toBe('KEY_REVOKED');
  expect(await keys.find(key.id)).toMatchObject({ revokedAt: null });
});

test('a token of a grant is for /mcp alone: elsewhere it is refused before the store is asked', async () => {
  const { tokens, asked, token } = await setUp();
  expect(await code((async () => tokens.authenticate(token, false))())).toBe('WRONG_KEY_KIND');
  expect(await code((async () => tokens.authenticate(token, false))())).toBe('WRONG_KEY_KIND');
  expect(asked).toHaveLength(0);
});
