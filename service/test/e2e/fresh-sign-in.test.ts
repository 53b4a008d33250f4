/** Changes that need a sign-in of the last 15 minutes. */
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { ageSignIns } from '../support/old-sign-ins';

async function start() {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await startConsole({ data: folder.path });
  const member = await service.join('bob');
  const adminKey = await service.owner.json<{ id: string; key: string }>('POST', '/v1/keys', { kind: 'admin', name: 'ops' });
  ageSignIns(folder.path, 16);
  const changes: Record<string, [string, string, unknown?]> = {
    'an admin key': ['POST', '/v1/keys', { kind: 'admin', name: 'x' }],
    'a new secret of an admin key': ['POST', `/v1/keys/${adminKey.id}/rotate`],
    'a role': ['PATCH', `${ADMIN_PATHS.people}/${member.id}`, { role: 'owner' }],
    'a removed person': ['DELETE', `${ADMIN_PATHS.people}/${member.id}`],
    'an invitation': ['POST', ADMIN_PATHS.invitations, { role: 'owner' }],
    'a link to a new password': ['POST', ADMIN_PATHS.invitations, { person: member.id }],
  };
  return { service, adminKey, changes };
}

test('an owner with an older sign-in gets FRESH_SIGN_IN_REQUIRED, and nothing changes', async () => {
  const { service, changes } = await start();
  for (const [name, [method, path, body]] of Object.entries(changes)) {
    const answer = await service.owner.ask(method, path, body);
    expect([name, answer.status, (await answer.json()).code]).toEqual([name, 403, 'FRESH_SIGN_IN_REQUIRED']);
  }
  const { people } = await service.owner.json<{ people: { role: string }[] }>('GET', ADMIN_PATHS.people);
  expect(people.map(({ role }) => role).sort()).toEqual(['member', 'owner']);
});

test('other work needs none', async () => {
  const { service } = await start();
  const agent = await service.owner.ask('POST', '/v1/keys', { kind: 'agent', name: 'agent' });
  expect(agent.status).toBe(201);
  expect((await service.owner.ask('POST', `/v1/keys/${(await agent.json()).id}/rotate`)).status).toBe(200);
  expect((await service.owner.ask('GET', ADMIN_PATHS.people)).status).toBe(200);
  expect((await service.owner.ask('GET', `${ADMIN_PATHS.auth}/list-sessions`)).status).toBe(200);
});

test('an admin key needs none', async () => {
  const { service, adminKey, changes } = await start();
  // The key's secret and the person are last.
  const last = ['a removed person', 'a new secret of an admin key'];
  const inOrder = Object.entries(changes).sort(([one], [other]) => last.indexOf(one) - last.indexOf(other));
  for (const [name, [method, path, body]] of inOrder)
    expect([name, (await service.as(adminKey.key).ask(method, path, body)).ok]).toEqual([name, true]);
});
