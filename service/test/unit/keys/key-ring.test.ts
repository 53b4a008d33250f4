import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { KeyKind } from '#sdk/protocol/http';
import { KeyRing } from '../../../src/keys/key-ring';
import { hashKey, makeKey } from '../../../src/keys/key-text';
import { openSqliteData } from '../../../src/store/sqlite/open';
import type { KeyStore } from '../../../src/store/store';

async function setUp(path = ':memory:') {
  const store = await openSqliteData({ path });
  onTestFinished(() => store.close());
  const ring = new KeyRing(store);
  const revoked = vi.fn();
  ring.onRevoked(revoked);
  return { store, ring, revoked };
}

const bearer = (key: string) => `Bearer ${key}`;

/** A file that two processes share. */
function sharedFile(): string {
  const home = mkdtempSync(join(tmpdir(), 'svc-keys-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return join(home, 'svc.db');
}

/** The refusal, whether thrown or rejected; it never holds the key. */
async function refusal(ring: KeyRing, header: string | undefined, needed: KeyKind = 'agent') {
  const error = await (async () => ring.authenticate(header, needed))().then(
    () => expect.unreachable('the key was accepted'),
    (reason: unknown) => reason as Error & { code: string },
  );
  const secret = header?.match(/svc_[a-z]+_(\w{20,})/)?.[1];
  if (secret) expect(JSON.stringify(error)).not.toContain(secret);
  return error;
}

test('a key is authenticated with a promise the first time, then synchronously', async () => {
  const { ring } = await setUp();
  const { id, key } = await ring.create({ kind: 'agent', name: 'Ada' });
  const first = ring.authenticate(bearer(key), 'agent');
  expect(first).toBeInstanceOf(Promise);
  const record = await first;
  expect(record).toMatchObject({ id, kind: 'agent', name: 'Ada' });
  expect(ring.authenticate(bearer(key), 'agent')).toBe(record);
  expect(ring.authenticate(`bearer  ${key} `, 'agent')).toBe(record);
});

test.each([
  [undefined, /The request has no key.*Authorization: Bearer svc_agent_…/],
  ['', /holds no key.*Authorization: Bearer svc_agent_…/],
  ['Basic YTpi', /holds no key.*Authorization: Bearer svc_agent_…/],
  ['Bearer ', /holds no key/],
  ['Bearer sk-123', /not a key of svc-sdk.*svc_agent_/],
  ['Bearer svc_', /not a key of svc-sdk/],
  [bearer(makeKey('agent')).slice(0, -1), /too short or too long/],
  [bearer(makeKey('agent')).replace(/.$/, '-'), /mistyped/],
  [bearer(makeKey('agent')), /key is unknown to this service/],
  [`Bearer svc_${'x'.repeat(16_000)}`, /not a key of svc-sdk/],
])('INVALID_KEY names the fault of %j', async (header, message) => {
  const { ring } = await setUp();
  expect(await refusal(ring, header)).toMatchObject({ code: 'INVALID_KEY', message: expect.stringMatching(message) });
});

test('a wrong kind of key is refused with both kinds', async () => {
  const { ring } = await setUp();
  const { key } = await ring.create({ kind: 'toolkit', name: 'Weather' });
  for (let time = 0; time < 2; time++)
    expect(await refusal(ring, bearer(key), 'agent')).toMatchObject({
      code: 'WRONG_KEY_KIND',
      message: expect.stringMatching(/kind "toolkit".*"agent"/),
    });
});

test('a revoked key stops at once, used before or not', async () => {
  const { ring, revoked } = await setUp();
  const used = await ring.create({ kind: 'agent', name: 'used' });
  const unused = await ring.create({ kind: 'agent', name: 'unused' });
  await ring.authenticate(bearer(used.key), 'agent');
  await ring.revoke(used.id);
  await ring.revoke(unused.id);
  await ring.revoke(used.id);
  expect(await refusal(ring, bearer(used.key))).toMatchObject({ code: 'KEY_REVOKED', message: expect.stringContaining(used.id) });
  expect(await refusal(ring, bearer(unused.key))).toMatchObject({ code: 'KEY_REVOKED' });
  expect(revoked.mock.calls).toEqual([[used.id, 'KEY_REVOKED']]);
});

test('after a rotation the old secret is unknown and the new one works', async () => {
  const { ring, revoked } = await setUp();
  const old = await ring.create({ kind: 'agent', name: 'Ada', callsPerMinute: 5 });
  await ring.authenticate(bearer(old.key), 'agent');
  const renewed = await ring.rotate(old.id);
  expect(renewed).toEqual({ ...old, key: renewed.key });
  expect(renewed.key).not.toBe(old.key);
  expect(revoked.mock.calls).toEqual([[old.id, 'KEY_REVOKED']]);
  expect(await refusal(ring, bearer(old.key))).toMatchObject({ code: 'INVALID_KEY' });
  expect(await ring.authenticate(bearer(renewed.key), 'agent')).toMatchObject({ id: old.id });
});

test('a former secret works beside the new one until its time is over, and then ends alone', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { ring, revoked } = await setUp();
  const old = await ring.create({ kind: 'toolkit', name: 'Weather' });
  ring.hold(await ring.authenticate(bearer(old.key), 'toolkit'));
  const renewed = await ring.rotate(old.id, 60_000);
  expect(renewed).toEqual({ ...old, key: renewed.key, formerSecretUntil: new Date(Date.now() + 60_000).toISOString() });
  ring.hold(await ring.authenticate(bearer(renewed.key), 'toolkit'));
  await ring.refresh();
  expect(await ring.authenticate(bearer(old.key), 'toolkit')).toMatchObject({ id: old.id, isFormer: true });
  expect(revoked).not.toHaveBeenCalled();

  vi.advanceTimersByTime(60_000);
  expect(revoked.mock.calls).toEqual([[old.id, 'KEY_EXPIRED', hashKey(old.key)]]);
  expect(await refusal(ring, bearer(old.key), 'toolkit')).toMatchObject({
    code: 'KEY_EXPIRED',
    message: expect.stringContaining(`former secret of key ${old.id} stopped`),
  });
  expect(await ring.authenticate(bearer(renewed.key), 'toolkit')).toMatchObject({ id: old.id, expiresAt: null });
  expect((await ring.list())[0]).not.toHaveProperty('formerSecretUntil');
});

test('a further rotation ends the former secret alone, and a revocation ends both', async () => {
  const { ring, revoked } = await setUp();
  const first = await ring.create({ kind: 'agent', name: 'Ada' });
  await ring.authenticate(bearer(first.key), 'agent');
  const second = await ring.rotate(first.id, 60_000);
  await ring.authenticate(bearer(second.key), 'agent');
  const third = await ring.rotate(first.id, 60_000);
  expect(revoked.mock.calls).toEqual([[first.id, 'KEY_REVOKED', hashKey(first.key)]]);
  expect(await refusal(ring, bearer(first.key))).toMatchObject({ code: 'INVALID_KEY' });
  for (const { key } of [second, third]) expect(await ring.authenticate(bearer(key), 'agent')).toMatchObject({ id: first.id });
  await ring.revoke(first.id);
  expect(revoked.mock.calls.slice(1)).toEqual([[first.id, 'KEY_REVOKED']]);
  for (const { key } of [second, third]) expect(await refusal(ring, bearer(key))).toMatchObject({ code: 'KEY_REVOKED' });
});

test('a rotation without an overlap ends the former secret and the present one', async () => {
  const { ring, revoked } = await setUp();
  const first = await ring.create({ kind: 'agent', name: 'Ada' });
  await ring.authenticate(bearer(first.key), 'agent');
  const second = await ring.rotate(first.id, 60_000);
  await ring.authenticate(bearer(second.key), 'agent');
  await ring.rotate(first.id);
  expect(revoked.mock.calls).toEqual([[first.id, 'KEY_REVOKED']]);
  for (const { key } of [first, second]) expect(await refusal(ring, bearer(key))).toMatchObject({ code: 'INVALID_KEY' });
});

test('a rotation with an overlap by another process leaves the sockets of the old secret', async () => {
  const path = sharedFile();
  const [service, command] = [await setUp(path), await setUp(path)];
  const { id, key } = await service.ring.create({ kind: 'toolkit', name: 'Weather' });
  service.ring.hold(await service.ring.authenticate(bearer(key), 'toolkit'));
  const renewed = await command.ring.rotate(id, 60_000);
  service.ring.hold(await service.ring.authenticate(bearer(renewed.key), 'toolkit'));
  await service.ring.refresh();
  expect(service.revoked).not.toHaveBeenCalled();
  await command.ring.rotate(id);
  await service.ring.refresh();
  expect(service.revoked.mock.calls).toEqual([[id, 'KEY_REVOKED']]);
});

test('an unknown, revoked or expired key cannot be rotated', async () => {
  const { ring } = await setUp();
  const { id } = await ring.create({ kind: 'agent', name: 'Ada' });
  await ring.revoke(id);
  await expect(ring.rotate(id)).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('was revoked') });
  await expect(ring.rotate('key_nobody')).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('key_nobody') });
  await expect(ring.revoke('key_nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });

  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const short = await ring.create({ kind: 'agent', name: 'short', expiresInDays: 1 });
  vi.setSystemTime(Date.now() + 86_400_000);
  await expect(ring.rotate(short.id)).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('has expired') });
});

test('a revocation by another process is seen within a second', async () => {
  const path = sharedFile();
  const [service, command] = [await setUp(path), await setUp(path)];
  service.store.onForeignChange(() => void service.ring.refresh());
  const { id, key } = await service.ring.create({ kind: 'agent', name: 'Ada' });
  await service.ring.authenticate(bearer(key), 'agent');

  await command.ring.revoke(id);
  await vi.waitFor(() => expect(() => service.ring.authenticate(bearer(key), 'agent')).toThrow('was revoked'), {
    timeout: 1_000,
    interval: 10,
  });
  expect(service.revoked.mock.calls).toEqual([[id, 'KEY_REVOKED']]);
});

test('a rotation by another process ends the sockets of the old secret before the new one is used', async () => {
  const path = sharedFile();
  const [service, command] = [await setUp(path), await setUp(path)];
  const { id, key } = await service.ring.create({ kind: 'toolkit', name: 'Weather' });
  service.ring.hold(await service.ring.authenticate(bearer(key), 'toolkit'));

  const renewed = await command.ring.rotate(id);
  expect(service.revoked).not.toHaveBeenCalled();
  service.ring.hold(await service.ring.authenticate(bearer(renewed.key), 'toolkit'));
  expect(service.revoked.mock.calls).toEqual([[id, 'KEY_REVOKED']]);
  await service.ring.refresh();
  expect(service.revoked).toHaveBeenCalledTimes(1);
});

test('a key that is revoked during its look-up is not cached as valid', async () => {
  const { store, ring } = await setUp();
  const { id, key } = await ring.create({ kind: 'agent', name: 'Ada' });
  let revokeMeanwhile: (() => Promise<void>) | undefined = () => slow.revoke(id);
  const keys: KeyStore = new Proxy(store.keys, {
    get: (target, name: keyof KeyStore) =>
      name !== 'findByHash'
        ? target[name].bind(target)
        : async (hash: string) => {
            const found = await target.findByHash(hash);
            await revokeMeanwhile?.();
            revokeMeanwhile = undefined;
            return found;
          },
  });
  const slow = new KeyRing({ keys, catalog: store.catalog });
  expect(await refusal(slow, bearer(key))).toMatchObject({ code: 'KEY_REVOKED' });
});

test('an expired key is refused on the next call, cached or not', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { ring } = await setUp();
  const { key, expiresAt } = await ring.create({ kind: 'agent', name: 'Ada', expiresInDays: 0.5 });
  expect(expiresAt).toBe(new Date(1_700_000_000_000 + 43_200_000).toISOString());
  await ring.authenticate(bearer(key), 'agent');
  vi.setSystemTime(new Date(expiresAt as string));
  expect(await refusal(ring, bearer(key))).toMatchObject({ code: 'KEY_EXPIRED', message: expect.stringContaining('2023-11-15T10:13:20') });
});

test('the expiry of a used key is reported once at its time, also if that is far away', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { ring, revoked } = await setUp();
  const { id, key } = await ring.create({ kind: 'toolkit', name: 'Weather', expiresInDays: 100 });
  const record = await ring.authenticate(bearer(key), 'toolkit');
  const releases = [ring.hold(record), ring.hold(record)];
  vi.advanceTimersByTime(100 * 86_400_000 - 1);
  releases[0]?.();
  releases[0]?.();
  expect(revoked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(revoked.mock.calls).toEqual([[id, 'KEY_EXPIRED']]);
  releases[1]?.();
});

test('an expiring key has one timer, and none after its revocation', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { ring } = await setUp();
  const { id, key } = await ring.create({ kind: 'toolkit', name: 'Weather', expiresInDays: 1 });
  const release = ring.hold(await ring.authenticate(bearer(key), 'toolkit'));
  await ring.authenticate(bearer(key), 'toolkit');
  expect(vi.getTimerCount()).toBe(1);
  release();
  expect(vi.getTimerCount()).toBe(1);
  await ring.revoke(id);
  expect(vi.getTimerCount()).toBe(0);
});

test('the key of a connected app gets no new secret, which would be a way past its sign-in', async () => {
  const { ring } = await setUp();
  const { id } = await ring.create({ kind: 'agent', name: 'app' }, { ownerId: 'person_1', clientId: 'https://app.example/client' });
  expect(await ring.require(id)).toMatchObject({ ownerId: 'person_1', clientId: 'https://app.example/client' });
  await expect(ring.rotate(id)).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('disconnect the app') });
});
