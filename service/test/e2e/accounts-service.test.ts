/** The path from the setup link of a new service to a second person with fewer rights. */
import { expect, test } from 'vitest';
import { startService } from '../../../test/support/service';
import { CookieJar } from '../support/cookie-jar';

const PASSWORD = 'seven green bottles';

test('the setup link creates the owner, who invites a member, who may not invite; each change is audited', async () => {
  const service = await startService({ console: true });
  const token = (link = '') => link.split('/join#')[1];
  const accept = (browser: CookieJar, used: string | undefined, name: string) =>
    browser.post('/v1/invitations/accept', { token: used, name, email: `${name}@example.com`, password: PASSWORD });

  const owner = new CookieJar(service.url);
  const joined = await accept(owner, token(await service.setupLink()), 'ada');
  expect(await joined.json()).toMatchObject({ role: 'owner', person: { email: 'ada@example.com' } });
  expect(await service.setupLink()).toBeUndefined();
  expect(await (await owner.get('/v1/me')).json()).toMatchObject({ role: 'owner' });

  const created = await (await owner.post('/v1/invitations', { role: 'member', name: 'Bob' })).json();
  const member = new CookieJar(service.url);
  expect((await accept(member, created.token, 'bob')).status).toBe(200);
  expect((await member.post('/v1/invitations', { role: 'owner' })).status).toBe(403);
  expect((await member.get('/v1/people')).status).toBe(403);
  expect((await owner.post('/v1/invitations', { role: 'owner' }, { origin: 'https://evil.example' })).status).toBe(403);

  const { people } = await (await owner.get('/v1/people')).json();
  const bob = people.find(({ name }: { name: string }) => name === 'bob');
  const removed = await owner.send(`/v1/people/${bob.id}`, { method: 'DELETE', headers: { origin: service.url } });
  expect(removed.status).toBe(200);
  expect((await member.get('/v1/me')).status).toBe(401);
  const { entries } = await (await owner.get('/v1/audit')).json();
  expect(entries.map(({ what }: { what: string }) => what)).toEqual(['person.remove', 'person.join', 'invitation.create', 'person.join']);
  expect(JSON.stringify(entries)).not.toContain(created.token);
});
