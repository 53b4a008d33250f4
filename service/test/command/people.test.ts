/** The built `svc-service people`, with and without a service that has the accounts open. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { fileIn } from '../../src/store/location';
import { openSqliteStore } from '../../src/store/sqlite/open';
import { PASSWORD, startAccounts } from '../support/accounts';
import { runCommand } from '../support/command';

const LINK = /^http:\/\/127\.0\.0\.1:8787\/join#(inv_[0-9A-Za-z]{49})\n$/;

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

function people(cwd: string, ...args: string[]) {
  return runCommand(['people', ...args], { cwd });
}

const accountsIn = (cwd: string) => startAccounts({}, () => openSqliteStore({ path: fileIn(join(cwd, 'svc-data')) }));

test('a link that it makes works, in a new directory too, and is nowhere but in what it prints', async () => {
  const cwd = folder();
  const made = await people(cwd, 'invite', '--role', 'owner', '--name', 'Ada');
  const [, token = ''] = LINK.exec(made.stdout) ?? [];
  const [announced, ...said] = made.stderr.split('\n');
  expect(announced).toMatch(/^svc-data had no data: created\. If your service runs on other data, name it with --data/);
  expect(said.join('\n')).toMatch(/^Makes one account, owner, once, until \S+Z\. It is not shown again\.\n$/);
  expect(made.code).toBe(0);

  const service = await accountsIn(cwd);
  const answer = await service.browser().post('/accept', { token, name: 'Ada', email: 'ada@example.com', password: PASSWORD });
  expect(await answer.json()).toMatchObject({ role: 'owner' });
  expect(JSON.stringify(await service.store.audit.list({ limit: 9 }))).not.toContain(token);
  expect(await service.store.audit.list({ limit: 1 })).toMatchObject([
    { actor: { kind: 'command' }, what: 'invitation.create', details: { role: 'owner', name: 'Ada' } },
  ]);
  expect((await people(cwd, 'invite')).stderr).not.toContain('no data');
});

test('roles change, people go, and their sessions and keys with them, while a service runs', async () => {
  const cwd = folder();
  const service = await accountsIn(cwd);
  await service.join('owner@example.com', 'owner');
  const ada = await service.join('ada@example.com');
  const { id = '' } = (await service.store.accounts.findByEmail('ada@example.com')) ?? {};
  const listed = await people(cwd, 'list');
  expect(listed.stdout).toMatch(/^id +role +name +e-mail +made\n/);
  expect(listed.stdout).toMatch(new RegExp(`^${id} +member +ada +ada@example\\.com +\\S+Z$`, 'm'));

  expect(await people(cwd, 'role', 'Ada@Example.com', 'owner')).toMatchObject({ code: 0, stdout: 'ada (ada@example.com) is an owner\n' });
  expect((await ada.get('/who')).status).toBe(401);

  const key = {
    id: 'key_ofada',
    kind: 'admin',
    name: 'hers',
    hash: 'x',
    toolkitId: null,
    allow: null,
    callsPerMinute: null,
    budget: null,
    rules: null,
    code: false,
  } as const;
  await service.store.keys.insert({ ...key, createdAt: 1, expiresAt: null, revokedAt: null, clientId: null, ownerId: id });
  expect(await people(cwd, 'remove', id)).toMatchObject({ code: 0, stdout: `${id} is removed; 1 of their keys is revoked\n` });
  expect(await service.store.accounts.list()).toMatchObject([{ email: 'owner@example.com' }]);
  expect(await service.store.keys.find(key.id)).toMatchObject({ revokedAt: expect.any(Number) });
  expect(await service.store.audit.list({ limit: 2 })).toMatchObject([
    { actor: { kind: 'command' }, what: 'person.remove', subject: id, details: { email: 'ada@example.com', revokedKeys: [key.id] } },
    { actor: { kind: 'command' }, what: 'person.role', subject: id, details: { role: { from: 'member', to: 'owner' } } },
  ]);
});

test('an owner who lost the password signs in by a link, and cannot be removed as the last owner', async () => {
  const cwd = folder();
  const service = await accountsIn(cwd);
  await service.join('ada@example.com', 'owner');
  const refused = await people(cwd, 'remove', 'ada@example.com');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^CONFLICT: ada is the last owner and cannot be removed: make another person an owner first/);
  expect((await people(cwd, 'role', 'ada@example.com', 'member')).stderr).toMatch(/^CONFLICT: /);

  const { stdout } = await people(cwd, 'reset-link', 'ada@example.com', '--url', 'https://tools.example.com/', '--json');
  const { link, token } = JSON.parse(stdout);
  expect(link).toBe(`https://tools.example.com/join#${token}`);
  const ada = service.browser();
  expect((await ada.post('/accept', { token, password: 'eight green bottles' })).status).toBe(200);
  expect((await ada.get('/who')).status).toBe(200);
});

test.each([
  [['list'], /^NOT_FOUND: There is no data of a service in /],
  [['invite', '--role', 'admin'], /Allowed choices are owner, member/],
  [['invite', '--expires-in-days', '100'], /^INVALID_REQUEST: A link may last 30 days/m],
  [['invite', '--url', 'tools.example.com'], /It is an http\(s\) URL/],
])('people %j is refused with the reason', async (args, said) => {
  const { code, stdout, stderr } = await people(folder(), ...args);
  expect({ code, stdout }).toEqual({ code: stderr.startsWith('error:') ? 2 : 1, stdout: '' });
  expect(stderr).toMatch(said);
});

test('an unknown person is reported', async () => {
  const cwd = folder();
  await people(cwd, 'invite');
  expect(await people(cwd, 'list')).toMatchObject({ code: 0, stdout: '', stderr: 'There is no account yet\n' });
  expect((await people(cwd, 'remove', 'per_x')).stderr).toMatch(/^NOT_FOUND: There is no account per_x: list the people/);
});
