/** Attacks by members of a console on its owners, and by pages of other sites on both. */
import { expect, test } from 'vitest';
import { startConsole } from '../../../../test/support/console-service';

test('no member becomes an owner by a field that a request does not have', async () => {
  const service = await startConsole();
  const eve = await service.join('eve');
  const more = { role: 'owner', isAdmin: true, ownerId: service.owner.id, permissions: ['*'], id: service.owner.id };
  for (const [method, path, body] of [
    ['PATCH', '/v1/me', { name: 'Eve', ...more }],
    ['PATCH', `/v1/people/${eve.id}`, more],
    ['POST', '/v1/auth/update-user', { name: 'Eve', ...more }],
    ['POST', '/v1/auth/sign-up/email', { name: 'Eve', email: 'eve2@example.com', password: 'seven blue whales', ...more }],
    ['POST', '/v1/auth/change-email', { newEmail: 'olga@example.com' }],
    ['POST', '/v1/auth/delete-user', { ...more }],
    ['POST', '/v1/auth/set-password', { newPassword: 'seven red whales' }],
    ['POST', '/v1/auth/admin/set-role', { userId: eve.id, role: 'owner' }],
    ['POST', '/v1/auth/admin/impersonate-user', { userId: service.owner.id }],
    ['POST', '/v1/auth/link-social', { provider: 'oidc' }],
    ['POST', '/v1/auth/forget-password', { email: 'olga@example.com', redirectTo: 'http://evil.example' }],
    ['POST', '/v1/auth/request-password-reset', { email: 'olga@example.com', redirectTo: 'http://evil.example' }],
    ['POST', '/v1/invitations', more],
    ['POST', '/v1/keys', { kind: 'admin', name: 'mine', ...more }],
    ['PATCH', '/v1/settings', { contentDays: 30 }],
  ] as const)
    await eve.ask(method, path, body);
  expect(await eve.json<{ person: { role: string; email: string } }>('GET', '/v1/me')).toMatchObject({
    person: { role: 'member', email: 'eve@example.com' },
  });
  const { people } = await service.owner.json<{ people: { role: string; email: string }[] }>('GET', '/v1/people');
  expect(people.map(({ email, role }) => `${email} ${role}`).sort()).toEqual(['eve@example.com member', 'olga@example.com owner']);
  expect((await service.owner.json<{ keys: { kind: string }[] }>('GET', '/v1/keys')).keys.filter(({ kind }) => kind === 'admin')).toEqual(
    [],
  );
});

test('no key of a member gets what its owner may not give, by creation or by change', async () => {
  const service = await startConsole();
  const eve = await service.join('eve');
  const mine = await eve.json<{ id: string }>('POST', '/v1/keys', { kind: 'agent', name: 'mine' });
  const theirs = await service.owner.json<{ id: string }>('POST', '/v1/keys', { kind: 'agent', name: 'theirs' });
  for (const body of [
    { kind: 'admin' },
    { ownerId: service.owner.id },
    { hash: 'x' },
    { revokedAt: null },
    { id: theirs.id },
    { toolkitId: 'x' },
  ]) {
    const answer = await eve.ask('PATCH', `/v1/keys/${mine.id}`, { name: 'mine', ...body });
    expect([JSON.stringify(body), answer.status < 500]).toEqual([JSON.stringify(body), true]);
  }
  for (const [method, path, body] of [
    ['PATCH', `/v1/keys/${theirs.id}`, { name: 'x' }],
    ['DELETE', `/v1/keys/${theirs.id}`, undefined],
    ['POST', `/v1/keys/${theirs.id}/rotate`, undefined],
    ['POST', `/v1/keys/${theirs.id}/search`, { query: 'x' }],
    ['POST', `/v1/keys/${theirs.id}/invoke`, { action: 'a__b', payload: {} }],
  ] as const)
    expect([path, (await eve.ask(method, path, body)).status]).toEqual([path, 404]);
  const { keys } = await service.owner.json<{ keys: { id: string; name: string; kind: string }[] }>('GET', '/v1/keys');
  expect(keys.find(({ id }) => id === theirs.id)).toMatchObject({ name: 'theirs' });
  expect(keys.find(({ id }) => id === mine.id)).toMatchObject({ kind: 'agent' });
});

test('one invitation makes one account, however many accept it at once', async () => {
  const service = await startConsole();
  const { token } = await service.owner.json<{ token: string }>('POST', '/v1/invitations', { role: 'member' });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      service.as().ask('POST', '/v1/invitations/accept', {
        token,
        name: `eve${index}`,
        email: `eve${index}@example.com`,
        password: 'seven blue whales',
      }),
    ),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect((await service.owner.json<{ people: unknown[] }>('GET', '/v1/people')).people).toHaveLength(2);
});

test('a page of another site changes nothing with the cookie of a person', async () => {
  const service = await startConsole();
  const { cookie } = service.owner;
  const attempts: HeadersInit[] = [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: service.url.replace('127.0.0.1', 'localhost') },
    { origin: `${service.url}.evil.example` },
    { origin: service.url.replace('http://', 'http://evil.example@') },
    { 'sec-fetch-site': 'cross-site' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    {},
  ];
  for (const headers of attempts) {
    const { status } = await fetch(`${service.url}/v1/keys`, {
      method: 'POST',
      headers: { cookie, ...headers } as Record<string, string>,
      body: '{"kind":"agent","name":"evil"}',
    });
    expect([headers, status >= 400]).toEqual([headers, true]);
  }
  expect((await service.owner.json<{ keys: unknown[] }>('GET', '/v1/keys')).keys).toEqual([]);
});

test('a session that an attacker set before the sign-in is not the session after it', async () => {
  const service = await startConsole();
  const eve = await service.join('eve');
  const planted = eve.cookie;
  const answer = await service
    .as()
    .ask('POST', '/v1/auth/sign-in/email', { email: 'olga@example.com', password: 'seven blue whales' }, { headers: { cookie: planted } });
  expect(answer.ok).toBe(true);
  const given = answer.headers.getSetCookie().map((set) => set.split(';')[0]);
  expect(given).not.toContain(planted);
  expect((await eve.ask('GET', '/v1/me')).status).toBe(401);
  for (const cookie of [
    `${planted.split('=')[0]}=${'a'.repeat(40)}`,
    `${planted}x`,
    planted.toUpperCase(),
    planted.split('.')[0] ?? '',
    `${planted}; ${planted}`.slice(0, 30),
  ])
    expect((await service.as().ask('GET', '/v1/me', undefined, { headers: { cookie } })).status).toBe(401);
});

test('a file of calls contains no formula, for any name of a key', async () => {
  const service = await startConsole();
  const names = ['=1+1', '+1', '-1', '@x', '\t=1', 'a;=1+1', 'a\t=1+1', '"=1', "'=1", ' =1', '\uff1d1', 'a\r\n=1'];
  await service.toolkit('shop', (shop) => {
    shop.action({ action: 'order', actionDescription: 'Orders' }, () => 1);
  });
  for (const name of names) {
    const made = await service.owner.ask('POST', '/v1/keys', { kind: 'agent', name });
    if (!made.ok) continue;
    const { key } = (await made.json()) as { key: string };
    await service.as(key).ask('POST', '/v1/invoke', { action: 'shop__order', payload: {} });
  }
  const file = await (await service.owner.ask('GET', '/v1/invocations/export?format=csv')).text();
  // Spreadsheets of some countries split at semicolons; all of them trim spaces.
  for (const line of file.split('\r\n').slice(1)) {
    for (const cell of line.match(/"(?:[^"]|"")*"|[^,;\t]+/g) ?? [])
      expect([line, /^"?\s*[=+\-@\uff1d]/.test(cell)]).toEqual([line, false]);
  }
});
test('no answer gives away the token of a session, a hash or a secret', async () => {
  const service = await startConsole();
  const { cookie } = service.owner;
  const token = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
  await service.owner.json('POST', '/v1/keys', { kind: 'agent', name: 'mine' });
  for (const path of [
    '/v1/me',
    '/v1/auth/get-session',
    '/v1/auth/list-sessions',
    '/v1/auth/list-accounts',
    '/v1/people',
    '/v1/keys',
    '/v1/audit',
    '/v1/settings',
    '/v1/console',
    '/v1/me/sessions',
  ]) {
    const text = await (await service.owner.ask('GET', path)).text();
    expect([path, text.includes(token), /\$argon2|"hash":|"password":"|"secret":/.test(text)]).toEqual([path, false, false]);
  }
});
