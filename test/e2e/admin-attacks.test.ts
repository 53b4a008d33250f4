/** What somebody tries who wants more than their role gives: what they had before, what others have, and what is kept of neither. */
import { expect, test, vi } from 'vitest';
import { ADMIN_PATHS, type CreatedInvitation, type InvocationDetail, type Me } from '../../src/protocol/admin';
import { startConsole } from '../support/console-service';
import { startRecorded } from '../support/recorded-service';

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

test('where the service is, its public URL says, and no header of a request', async () => {
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

test('content that another node wrote before it heard that none is kept is told to nobody', async () => {
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
