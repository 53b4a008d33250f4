/** A full disk: refused calls, known outcomes, and recovery without a restart. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { startService, type TestService } from '../../../test/support/service';

function newFolder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

/** A folder on a separate disk; undefined where this user may not mount one. */
function smallDisk(): string | undefined {
  const folder = newFolder();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]);
  if (status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

/** Does not fit into the last page of a file. */
const LONG = 'x'.repeat(100_000);

/** Returns the function that makes room again. */
function fill(folder: string): () => void {
  const filler = join(folder, 'filler');
  for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // A smaller piece may fit.
    }
  }
  return () => rmSync(filler);
}

async function callers(service: TestService) {
  const { key } = await service.keys.create({ kind: 'agent', name: 'caller' });
  return async (idempotencyKey: string | undefined, action = 'kit__echo') => {
    const response = await fetch(`${service.url}/v1/invoke`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify({ action, payload: {} }),
    });
    return (await response.json()) as { code?: string; result?: unknown; retryable?: boolean };
  };
}

const readiness = async (service: TestService) => {
  const response = await fetch(`${service.url}/readyz`);
  return [response.status, ((await response.json()) as { reasons?: string[] }).reasons];
};

test('while the disk is full, calls are rejected before they run or their outcome is unknown; all end once there is room', async ({
  skip,
}) => {
  const data = smallDisk();
  if (data === undefined) return skip('this user may not mount a disk');
  const service = await startService({ data });
  let runs = 0;
  let isWaiting = false;
  const gate = Promise.withResolvers<void>();
  await service.toolkit('kit', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, () => ++runs);
    toolkit.action({ action: 'wait', actionDescription: 'Waits' }, async () => {
      isWaiting = true;
      await gate.promise;
      runs++;
      return LONG;
    });
  });
  const call = await callers(service);
  expect(await call('before')).toMatchObject({ result: 1 });
  const running = call('running', 'kit__wait');
  await vi.waitFor(() => expect(isWaiting).toBe(true));

  const makeRoom = fill(data);
  gate.resolve();
  expect(await running).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: false });
  expect(await readiness(service)).toEqual([503, ['the disk is full']]);
  expect(await call('new')).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  expect(await call('running', 'kit__wait')).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  expect(await call('before')).toMatchObject({ result: 1 });
  expect(await call(undefined)).toMatchObject({ result: 3 });
  const create = async () => {
    for (let count = 0; count < 2_000; count++) await service.keys.create({ kind: 'agent', name: 'more' });
  };
  await expect(create()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('disk is full') });

  makeRoom();
  await vi.waitFor(async () => expect(await readiness(service)).toEqual([200, undefined]), { timeout: 5_000 });
  // Its outcome was kept.
  expect(await call('running', 'kit__wait')).toMatchObject({ result: LONG });
  expect(await call('new')).toMatchObject({ result: 4 });
  expect(await call('before')).toMatchObject({ result: 1 });
});

test('while the database has no room, changes are rejected with the reason, and calls continue', async () => {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  const service = await startService({ data: newFolder() });
  const connections = new Set(exec.mock.contexts as DatabaseSync[]);
  await service.toolkit('kit', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, () => 'echo');
  });
  const call = await callers(service);
  for (const connection of connections) connection.exec('PRAGMA max_page_count = 1');
  const create = async () => {
    for (let count = 0; count < 2_000; count++) await service.keys.create({ kind: 'toolkit', name: `more-${count}` });
  };
  await expect(create()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('disk is full') });
  expect(await call('key')).toMatchObject({ result: 'echo' });
  for (const connection of connections) connection.exec('PRAGMA max_page_count = 1000000');
  await service.keys.create({ kind: 'agent', name: 'more' });
});

test('a full disk is reported without a call, and neither signing in nor signing out seems to succeed', async ({ skip }) => {
  const data = smallDisk();
  if (data === undefined) return skip('this user may not mount a disk');
  const service = await startConsole({ data });
  const makeRoom = fill(data);
  await vi.waitFor(async () => expect((await readiness(service))[1]).toContain('the disk is full'), { timeout: 8_000 });
  const owner = { email: 'olga@example.com', password: 'seven blue whales' };
  expect((await service.as().ask('POST', `${ADMIN_PATHS.auth}/sign-in/email`, owner)).ok).toBe(false);
  expect((await service.owner.ask('POST', `${ADMIN_PATHS.auth}/sign-out`, {})).status).toBe(503);
  expect((await service.owner.ask('POST', ADMIN_PATHS.invitations, { role: 'member', name: 'm' })).status).toBe(503);
  expect((await service.owner.ask('GET', ADMIN_PATHS.me)).status).toBe(200);

  makeRoom();
  expect((await service.owner.ask('POST', `${ADMIN_PATHS.auth}/sign-out`, {})).status).toBe(200);
  expect((await service.owner.ask('GET', ADMIN_PATHS.me)).status).toBe(401);
});
