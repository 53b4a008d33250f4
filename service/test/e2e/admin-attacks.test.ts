/** Attacks on data beyond a person's role: former rights, data of other people, and data that is not stored. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Writable } from 'node:stream';
import pg from 'pg';
import { exportData } from 'svc-service';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  ADMIN_PATHS,
  type AuditPage,
  type ChangedPerson,
  type CreatedInvitation,
  type InvitationsPage,
  type InvocationDetail,
  type InvocationsPage,
  type Me,
  type OwnedKeysPage,
} from '#sdk/protocol/admin';
import type { CreatedKey } from '#sdk/protocol/http';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { newDatabase } from '../../../test/support/postgres';
import { startRecorded } from '../../../test/support/recorded-service';

test('no answer of the admin API may stay in a cache, and no proxy gathers events', async () => {
  const { owner, as } = await startConsole();
  const made = await owner.ask('POST', '/v1/keys', { kind: 'agent', name: 'cached' });
  const answers = [made, ...(await Promise.all([ADMIN_PATHS.me, ADMIN_PATHS.people, '/v1/keys'].map((path) => owner.ask('GET', path))))];
  answers.push(await as().ask('GET', ADMIN_PATHS.me));
  expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'));

  const events = await owner.ask('GET', ADMIN_PATHS.events);
  await events.body?.cancel();
  expect(events.headers.get('cache-control')).toBe('no-store');
  expect(events.headers.get('x-accel-buffering')).toBe('no');
});

test('the address of the service is its public URL, never a header of a request', async () => {
  const publicUrl = 'https://tools.example.com';
  const { owner } = await startConsole({ console: { publicUrl } });
  const me = await owner.ask('GET', ADMIN_PATHS.me, undefined, {
    headers: { 'x-forwarded-proto': 'ftp', 'x-forwarded-host': 'evil.example' },
  });
  expect(((await me.json()) as Me).url).toBe(publicUrl);
});

test('an account is named by id or e-mail, and a change by e-mail changes it', async () => {
  const { owner, join } = await startConsole();
  const mia = await join('mia');
  const changed = await owner.json<{ id: string; role: string }>('PATCH', `${ADMIN_PATHS.people}/mia%40example.com`, { role: 'owner' });
  expect(changed).toMatchObject({ id: mia.id, role: 'owner' });
  const { person } = await owner.json<CreatedInvitation>('POST', ADMIN_PATHS.invitations, { person: 'mia@example.com' });
  expect(person).toBe(mia.id);
  await owner.json('DELETE', `${ADMIN_PATHS.people}/mia%40example.com`);
});

test('content that another node wrote before it received the setting is returned to no caller', async () => {
  const service = await startRecorded();
  await service.request('/v1/invoke', { method: 'POST', body: JSON.stringify({ action: 'shop__echo', payload: { secret: 1 } }) });
  const id = (await service.calls())[0]?.id ?? '';
  await vi.waitFor(async () => expect(await service.details(id)).toBeDefined());
  service.store.invocations.keepDetails({ id, timeline: '[]', payload: '{"secret":1}', result: '{"code":"INTERNAL","message":"secret"}' });
  await vi.waitFor(async () => expect(await service.details(id)).toMatchObject({ payload: '{"secret":1}' }));

  const { key } = await service.keys.create({ kind: 'admin', name: 'root' });
  const answer = await fetch(`${service.url}${ADMIN_PATHS.invocations}/${id}`, { headers: { authorization: `Bearer ${key}` } });
  const detail = (await answer.json()) as InvocationDetail;
  expect(detail).toMatchObject({ payload: { kept: false, why: 'off' }, result: { kept: false, why: 'off' } });
  expect(detail).not.toHaveProperty('error');
});

describe('a former owner', () => {
  test('has no way back by links that they made, with a session or with an admin key', async () => {
    const { owner, join, as } = await startConsole();
    const otto = await join('otto', 'owner');
    const { key } = await otto.json<CreatedKey>('POST', '/v1/keys', { kind: 'admin', name: 'robot' });
    const own = await otto.json<CreatedInvitation>('POST', ADMIN_PATHS.invitations, { role: 'owner' });
    const takeover = await as(key).json<CreatedInvitation>('POST', ADMIN_PATHS.invitations, { person: owner.id });
    const other = await owner.json<CreatedInvitation>('POST', ADMIN_PATHS.invitations, { role: 'member' });

    await owner.json('PATCH', `${ADMIN_PATHS.people}/${otto.id}`, { role: 'member' });
    for (const { token } of [own, takeover])
      await expect(as().json('POST', `${ADMIN_PATHS.invitations}/preview`, { token })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { invitations } = await owner.json<InvitationsPage>('GET', ADMIN_PATHS.invitations);
    expect(invitations.map(({ id }) => id)).toEqual([other.id]);
    const { entries } = await owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
    const withdrawn = entries.filter(({ what }) => what === 'invitation.withdraw').map(({ subject }) => subject);
    expect(withdrawn.toSorted()).toEqual([own.id, takeover.id].toSorted());
  });

  test('has no access by an admin key that their admin key created', async () => {
    const { owner, join, as } = await startConsole();
    const otto = await join('otto', 'owner');
    const first = await otto.json<CreatedKey>('POST', '/v1/keys', { kind: 'admin', name: 'robot' });
    const second = await as(first.key).json<CreatedKey>('POST', '/v1/keys', { kind: 'admin', name: 'of the robot' });
    const { revokedKeys } = await owner.json<ChangedPerson>('PATCH', `${ADMIN_PATHS.people}/${otto.id}`, { role: 'member' });
    expect(revokedKeys).toEqual([first.id, second.id]);
    await expect(as(second.key).json('GET', ADMIN_PATHS.me)).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  });

  test('changes nothing by a request that began before', async () => {
    const { owner, join, port } = await startConsole();
    const otto = await join('otto', 'owner');
    const late = slowly({ port, path: '/v1/keys', headers: { cookie: otto.cookie } }, { kind: 'admin', name: 'late' });
    await letIn(otto);
    await owner.json('PATCH', `${ADMIN_PATHS.people}/${otto.id}`, { role: 'member' });
    expect((await late.finish()).statusCode).toBe(401);
    const { keys } = await owner.json<OwnedKeysPage>('GET', '/v1/keys');
    expect(keys).toEqual([]);
  });
});

describe('at the same time', () => {
  test.each([
    ['keys', '/v1/keys', { kind: 'admin', name: 'late' }],
    ['invitations', ADMIN_PATHS.invitations, { role: 'owner' }],
  ])('a former owner gets nothing that was being created in %s', { tags: 'postgres' }, async (table, path, body) => {
    const database = await newDatabase();
    const { owner, join } = await startConsole({ database });
    const otto = await join('otto', 'owner');
    const other = new pg.Client(database);
    await other.connect();
    onTestFinished(() => other.end());
    // All requests only read, so no rows are added meanwhile.
    await other.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
    const made = otto.ask('POST', path, body);
    const waits = 'SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass';
    await vi.waitFor(async () => expect((await other.query(waits, [table])).rowCount).toBe(1));
    await owner.json('PATCH', `${ADMIN_PATHS.people}/${otto.id}`, { role: 'member' });
    await other.query('COMMIT');
    expect((await made).status).toBe(401);
    const { keys } = await owner.json<OwnedKeysPage>('GET', '/v1/keys');
    expect(keys.filter(({ revokedAt }) => revokedAt === undefined)).toEqual([]);
    expect(await owner.json('GET', ADMIN_PATHS.invitations)).toEqual({ invitations: [] });
  });

  test('two owners who demote each other leave one', async () => {
    const { owner, join } = await startConsole();
    const otto = await join('otto', 'owner');
    const role = { role: 'member' };
    await Promise.all([
      owner.ask('PATCH', `${ADMIN_PATHS.people}/${otto.id}`, role),
      otto.ask('PATCH', `${ADMIN_PATHS.people}/${owner.id}`, role),
    ]);
    const stillOwners = await Promise.all([owner, otto].map(async (who) => (await who.ask('GET', ADMIN_PATHS.people)).status));
    expect(stillOwners.toSorted()).toEqual([200, 401]);
  });

  test('a key that is revoked while it gets a new secret has none that works', async () => {
    const { owner, as } = await startConsole();
    for (let round = 0; round < 5; round++) {
      const { id } = await owner.json<CreatedKey>('POST', '/v1/keys', { kind: 'agent', name: 'mine' });
      const rotated = owner.ask('POST', `/v1/keys/${id}/rotate`);
      await owner.json('DELETE', `/v1/keys/${id}`);
      const { key } = (await (await rotated).json()) as Partial<CreatedKey>;
      if (key) await expect(as(key).json('GET', '/v1/actions')).rejects.toMatchObject({ code: 'KEY_REVOKED' });
    }
  });
});

describe('a request whose key is revoked before its body has arrived', () => {
  const CALL = { query: 'x', action: 'shop__echo', payload: {} };

  test.each(['search', 'resolve', 'invoke'])('does not %s as that key', async (what) => {
    const { owner, join, port } = await startConsole();
    const mia = await join('mia');
    const { id } = await mia.json<CreatedKey>('POST', '/v1/keys', { kind: 'agent', name: 'mine' });
    const late = slowly({ port, path: `/v1/keys/${id}/${what}`, headers: { cookie: mia.cookie } }, CALL);
    await letIn(mia);
    await mia.json('DELETE', `/v1/keys/${id}`);
    expect(await late.code()).toBe('KEY_REVOKED');

    const other = await mia.json<CreatedKey>('POST', '/v1/keys', { kind: 'agent', name: 'other' });
    const signedOut = slowly({ port, path: `/v1/keys/${other.id}/${what}`, headers: { cookie: mia.cookie } }, CALL);
    await letIn(mia);
    await owner.json('PATCH', `${ADMIN_PATHS.people}/${mia.id}`, { role: 'owner' });
    expect(await signedOut.code()).toBe('NOT_SIGNED_IN');
  });

  test('does not call with it', async () => {
    const { owner, as, port } = await startConsole();
    const { id, key } = await owner.json<CreatedKey>('POST', '/v1/keys', { kind: 'agent', name: 'mine' });
    const late = slowly({ port, path: '/v1/invoke', headers: { authorization: `Bearer ${key}` } }, CALL);
    await letIn(as(key), '/v1/actions');
    await owner.json('DELETE', `/v1/keys/${id}`);
    expect(await late.code()).toBe('KEY_REVOKED');
  });
});

/** A request whose body has begun, and ends with `finish`. */
function slowly({ port, path, headers }: { port: number; path: string; headers: Record<string, string> }, json: object) {
  const body = JSON.stringify(json);
  const own = { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json', 'content-length': body.length };
  const late = request({ method: 'POST', host: '127.0.0.1', port, path, headers: { ...headers, ...own } });
  const answered = once(late, 'response') as Promise<[IncomingMessage]>;
  late.write(body.slice(0, 5));
  const finish = async () => {
    late.end(body.slice(5));
    const [answer] = await answered;
    return answer;
  };
  return { finish, code: async () => ((await readJson(await finish())) as { code?: string }).code };
}

async function readJson(answer: IncomingMessage): Promise<unknown> {
  return JSON.parse((await answer.setEncoding('utf8').toArray()).join(''));
}

/** After answers to later requests, the service has admitted the earlier request. */
async function letIn(who: Asker, path: string = ADMIN_PATHS.me): Promise<void> {
  for (let asked = 0; asked < 5; asked++) await who.json('GET', path);
}

test('a link to a member’s account does not open an owner’s', async () => {
  const { owner, join, as } = await startConsole();
  const mia = await join('mia');
  const { token } = await owner.json<CreatedInvitation>('POST', ADMIN_PATHS.invitations, { person: mia.id });
  await owner.json('PATCH', `${ADMIN_PATHS.people}/${mia.id}`, { role: 'owner' });
  const accept = as().json('POST', `${ADMIN_PATHS.invitations}/accept`, { token, password: 'another blue whale' });
  await expect(accept).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('an export holds no secret that signs cookies', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { owner } = await startConsole({ data: folder.path });
  await owner.json('GET', ADMIN_PATHS.me);
  const lines: string[] = [];
  const to = new Writable({
    write(bytes, _encoding, done) {
      lines.push(String(bytes));
      done();
    },
  });
  await exportData(folder.path, { to });
  expect(lines.join('')).toContain('olga@example.com');
  expect(lines.join('')).not.toContain('auth-secret');
});

test('the name of a passkey is a name, and no place to store things', async () => {
  const { owner } = await startConsole();
  const rename = owner.json('POST', `${ADMIN_PATHS.auth}/passkey/update-passkey`, { id: 'pas_1', name: 'x'.repeat(101) });
  await expect(rename).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('the new owner of a toolkit’s name sees none of its earlier calls', async () => {
  const { owner, join, request } = await startConsole();
  await owner.json('PATCH', ADMIN_PATHS.settings, { content: 'all' });
  const call = { method: 'POST', body: JSON.stringify({ action: 'github__merge', payload: { token: 'of somebody' } }) };
  expect((await request('/v1/invoke', call)).status).toBe(404);
  const [before] = await vi.waitFor(async () => {
    const { invocations } = await owner.json<InvocationsPage>('GET', ADMIN_PATHS.invocations);
    expect(invocations).toHaveLength(1);
    return invocations;
  });
  const mia = await join('mia');
  await mia.json('POST', '/v1/keys', { kind: 'toolkit', name: 'github' });
  expect((await mia.json<InvocationsPage>('GET', ADMIN_PATHS.invocations)).invocations).toEqual([]);
  expect((await mia.ask('GET', `${ADMIN_PATHS.invocations}/${before?.id}`)).status).toBe(404);
});
