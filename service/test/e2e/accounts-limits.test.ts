/** Failed sign-ins: strangers who guess, and users who must be able to sign in meanwhile. */
import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { newDatabase } from '../../../test/support/postgres';
import { openPostgresStore } from '../../src/store/postgres/open';
import { PASSWORD, startAccounts, type TestAccounts } from '../support/accounts';
import { Authenticator } from '../support/authenticator';
import { CookieJar } from '../support/cookie-jar';

const SIGN_IN = '/v1/auth/sign-in/email';
const PASSKEY = '/v1/auth/passkey';
const EMAIL = 'ada@example.com';
const PROXY = { trustedProxies: ['127.0.0.0/8'] };

const signIn = (browser: CookieJar, password = PASSWORD, email = EMAIL, headers = {}) =>
  browser.post(SIGN_IN, { email, password }, headers);
const from = (address: string) => ({ 'x-forwarded-for': address });
const codeOf = async (answer: Response) => (answer.ok ? 'OK' : (await answer.json()).code);

/** A browser that is signed out and has signed in before. */
async function knownBrowser(service: TestAccounts, email = EMAIL): Promise<CookieJar> {
  const browser = await service.join(email);
  await browser.post('/v1/auth/sign-out', {});
  return browser;
}

async function guess(
  service: TestAccounts,
  times: number,
  email: (attempt: number) => string,
  headers = {},
): Promise<(string | undefined)[]> {
  const codes: (string | undefined)[] = [];
  for (let attempt = 0; attempt < times; attempt++)
    codes.push(await codeOf(await signIn(service.browser(), `wrong password ${attempt}`, email(attempt), headers)));
  return codes;
}

async function signInByPasskey(browser: CookieJar, phone: Authenticator): Promise<Response> {
  const options = await (await browser.get(`${PASSKEY}/generate-authenticate-options`)).json();
  return browser.post(`${PASSKEY}/verify-authentication`, { response: phone.get(options) });
}

async function addPasskey(service: TestAccounts, browser: CookieJar): Promise<Authenticator> {
  const phone = new Authenticator(service.url);
  const options = await (await browser.get(`${PASSKEY}/generate-register-options`)).json();
  expect((await browser.post(`${PASSKEY}/verify-registration`, { name: 'phone', response: phone.create(options) })).status).toBe(200);
  return phone;
}

// Passwords are hashed slowly on purpose.
const MANY_HASHES = { timeout: 90_000 };

describe('people behind one address', MANY_HASHES, () => {
  test('sign in by password in a known browser, by passkey, and change passwords, while a stranger has used up the attempts', async () => {
    const service = await startAccounts();
    const ada = await knownBrowser(service);
    const bob = await service.join('bob@example.com');
    const phone = await addPasskey(service, bob);
    expect((await guess(service, 40, (attempt) => `nobody${attempt}@example.com`)).at(-1)).toBe('RATE_LIMITED');

    expect(await codeOf(await signIn(ada))).toBe('OK');
    expect(await codeOf(await signInByPasskey(service.browser(), phone))).toBe('OK');
    const change = { currentPassword: PASSWORD, newPassword: 'eight green bottles' };
    expect(await codeOf(await bob.post('/v1/auth/change-password', change))).toBe('OK');
    expect(
      await codeOf(await service.browser().post('/preview', { token: (await service.invitations.invite({ role: 'member' })).token })),
    ).toBe('OK');
  });

  test('sign in as often as they like: only failures count', async () => {
    const service = await startAccounts();
    await service.join(EMAIL);
    for (let time = 0; time < 12; time++) expect(await codeOf(await signIn(service.browser()))).toBe('OK');
  });

  test('use up the failures of passkeys, not of passwords', async () => {
    const service = await startAccounts();
    await service.join(EMAIL);
    const codes: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 31; attempt++)
      codes.push(await codeOf(await service.browser().post(`${PASSKEY}/verify-authentication`, { response: { id: 'x' } })));
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    expect(await codeOf(await signIn(service.browser()))).toBe('OK');
  });

  test('look at as many good links as there are, and at twenty wrong ones', async () => {
    const service = await startAccounts();
    const { token } = await service.invitations.invite({ role: 'member' });
    for (let time = 0; time < 25; time++) expect(await codeOf(await service.browser().post('/preview', { token }))).toBe('OK');
    for (let time = 0; time < 20; time++)
      expect(await codeOf(await service.browser().post('/preview', { token: 'inv_guess' }))).toBe('NOT_FOUND');
    expect(await codeOf(await service.browser().post('/preview', { token }))).toBe('RATE_LIMITED');
  });

  test('learn of twenty e-mail addresses at most whether they have an account, with a good link', async () => {
    const service = await startAccounts();
    await service.join(EMAIL);
    const { token } = await service.invitations.invite({ role: 'member' });
    const codes: (string | undefined)[] = [];
    for (let time = 0; time < 21; time++)
      codes.push(await codeOf(await service.browser().post('/accept', { token, name: 'Eve', email: EMAIL, password: PASSWORD })));
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 'CONFLICT'), 'RATE_LIMITED']);
  });
});

describe('concurrent guesses do not exceed the limit', MANY_HASHES, () => {
  const race = async (service: TestAccounts) => {
    await service.join(EMAIL);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, attempt) => signIn(service.browser(), `wrong password ${attempt}`)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  };
  test('on SQLite', async () => race(await startAccounts()));
  test('on PostgreSQL', { tags: 'postgres' }, async () =>
    race(await startAccounts({}, async () => openPostgresStore({ url: await newDatabase(), shared: true }))),
  );
});

test('a successful sign-in of the guesser gives no more guesses', async () => {
  const service = await startAccounts();
  await service.join(EMAIL);
  await service.join('eve@example.com');
  const codes: (string | undefined)[] = [];
  for (let attempt = 0; attempt < 8; attempt++) {
    codes.push(await codeOf(await signIn(service.browser(), `wrong password ${attempt}`)));
    await signIn(service.browser(), PASSWORD, 'eve@example.com');
  }
  expect(codes.filter((code) => code === 'SIGN_IN_FAILED')).toHaveLength(5);
});

describe('a known browser', MANY_HASHES, () => {
  test("signs in while strangers everywhere have locked the account, and another person's does not", async () => {
    const service = await startAccounts(PROXY);
    const ada = await knownBrowser(service);
    const eve = await knownBrowser(service, 'eve@example.com');
    for (let network = 1; network <= 13; network++) await guess(service, 5, () => EMAIL, from(`192.0.2.${network}`));
    expect(await codeOf(await signIn(service.browser(), PASSWORD, EMAIL, from('198.51.100.1')))).toBe('RATE_LIMITED');
    expect(await codeOf(await signIn(eve, PASSWORD, EMAIL, from('198.51.100.2')))).toBe('RATE_LIMITED');
    expect(await codeOf(await signIn(ada, PASSWORD, EMAIL, from('198.51.100.3')))).toBe('OK');
  });

  test('has ten failures an hour of its own, and is a stranger then', async () => {
    const service = await startAccounts();
    const ada = await knownBrowser(service);
    const codes: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 16; attempt++) codes.push(await codeOf(await signIn(ada, `wrong password ${attempt}`)));
    expect(codes).toEqual([...Array.from({ length: 15 }, () => 'SIGN_IN_FAILED'), 'RATE_LIMITED']);
  });

  test.each([
    ['of another service', async (value: string) => value.replace(/[^.]+$/, createHash('sha256').update('x').digest('base64url'))],
    [
      'of another account',
      async (value: string, service: TestAccounts) => value.replace(/^[^.]+/, (await service.store.accounts.findByEmail(EMAIL))?.id ?? ''),
    ],
    ['with another nonce', async (value: string) => value.replace(/\.[^.]+\./, '.AAAAAAAAAAAAAAAAAAAAAA.')],
    ['without a signature', async (value: string) => value.replace(/[^.]+$/, '')],
    ['with another part', async (value: string) => `${value}.x`],
  ])('is not known by a cookie %s', async (_, forge) => {
    const service = await startAccounts();
    await service.join(EMAIL);
    const eve = await knownBrowser(service, 'eve@example.com');
    eve.cookies.set('svc_device', await forge(eve.cookies.get('svc_device') ?? '', service));
    await guess(service, 5, () => EMAIL);
    expect(await codeOf(await signIn(eve))).toBe('RATE_LIMITED');
  });

  test('is known on all nodes, and so are its failures', { tags: 'postgres' }, async () => {
    const url = await newDatabase();
    const open = () => openPostgresStore({ url, shared: true });
    const [one, two] = [await startAccounts({}, open), await startAccounts({}, open)];
    const ada = await knownBrowser(one);
    const there = new CookieJar(two.url);
    for (const [name, value] of ada.cookies) there.cookies.set(name, value);
    await guess(one, 6, () => EMAIL);
    expect(await codeOf(await signIn(two.browser()))).toBe('RATE_LIMITED');
    expect(await codeOf(await signIn(there))).toBe('OK');
  });
});

describe('X-Forwarded-For', () => {
  test('of a client that is not a trusted proxy changes nothing', async () => {
    const service = await startAccounts();
    await service.join(EMAIL);
    const codes: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 6; attempt++)
      codes.push(await codeOf(await signIn(service.browser(), 'a wrong password', EMAIL, from(`192.0.2.${attempt}`))));
    expect(codes.at(-1)).toBe('RATE_LIMITED');
  });

  test('of a trusted proxy names the client, not what the client wrote before', async () => {
    const service = await startAccounts(PROXY);
    await service.join(EMAIL);
    const codes: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 6; attempt++)
      codes.push(await codeOf(await signIn(service.browser(), 'a wrong password', EMAIL, from(`203.0.113.${attempt}, 192.0.2.1`))));
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    expect(await codeOf(await signIn(service.browser(), PASSWORD, EMAIL, from('203.0.113.9, 192.0.2.2')))).toBe('OK');
    expect((await service.store.audit.list({ limit: 1 }))[0]?.details).toMatchObject({ address: '192.0.2.2' });
  });

  test('of IPv6 clients counts for their /64', async () => {
    const service = await startAccounts(PROXY);
    await service.join(EMAIL);
    const codes: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 6; attempt++)
      codes.push(await codeOf(await signIn(service.browser(), 'a wrong password', EMAIL, from(`2001:db8:0:1:${attempt}::1`))));
    expect(codes.at(-1)).toBe('RATE_LIMITED');
  });
});

describe('failed sign-ins', MANY_HASHES, () => {
  test('are logged with address and account, an e-mail without an account is not, and nothing secret is', async () => {
    const service = await startAccounts(PROXY);
    const ada = await service.join(EMAIL);
    const phone = await addPasskey(service, ada);
    phone.verifies = false;
    const id = (await service.store.accounts.findByEmail(EMAIL))?.id;
    await signIn(service.browser(), 'a wrong password', EMAIL, from('192.0.2.1'));
    await signIn(service.browser(), 'a wrong password', 'my-password@example.com', from('192.0.2.2'));
    await signInByPasskey(service.browser(), phone);
    const failed = service.logged.filter((line) => line.startsWith('A sign-in failed'));
    expect(failed).toEqual([
      `A sign-in failed ${JSON.stringify({ by: 'password', address: '192.0.2.1', account: id })}`,
      `A sign-in failed ${JSON.stringify({ by: 'password', address: '192.0.2.2' })}`,
      `A sign-in failed ${JSON.stringify({ by: 'passkey', address: '127.0.0.1', account: id })}`,
    ]);
    const refused = (await service.store.audit.list({ limit: 9 })).filter(({ what }) => what === 'session.refuse');
    expect(refused.toReversed()).toMatchObject([
      { actor: { kind: 'address', name: '192.0.2.1' }, subject: id, details: { by: 'password' } },
      { actor: { kind: 'address', name: '127.0.0.1' }, subject: id, details: { by: 'passkey' } },
    ]);
    expect(service.logged.join('\n')).not.toMatch(/wrong password|my-password/);
  });

  test('fill the audit log with ten entries of an account an hour', async () => {
    const service = await startAccounts(PROXY);
    await service.join(EMAIL);
    for (let network = 1; network <= 4; network++) await guess(service, 4, () => EMAIL, from(`192.0.2.${network}`));
    const entries = await service.store.audit.list({ limit: 50 });
    expect(entries.filter(({ what }) => what === 'session.refuse')).toHaveLength(10);
  });
});

describe('sessions', () => {
  test('are stored hashed: the database and its secret make no cookie', async () => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    const cookie = decodeURIComponent(ada.cookies.get('svc_session') ?? '');
    const [token = ''] = cookie.split('.');
    const [session] = await service.store.accounts.tables.selectFrom('sessions').selectAll().execute();
    expect(session?.token).toBe(createHash('sha256').update(token).digest('base64url'));
    expect(JSON.stringify(session)).not.toContain(token);

    const [secret] = (await service.store.settings.all()).map(({ value }) => String(value));
    const { createHmac } = await import('node:crypto');
    const forged = `${session?.token}.${createHmac('sha256', secret ?? '')
      .update(session?.token ?? '')
      .digest('base64')}`;
    const thief = service.browser();
    thief.cookies.set('svc_session', encodeURIComponent(forged));
    expect((await thief.get('/who')).status).toBe(401);
    // The same signature over the real token is accepted: the test signs as the service does.
    thief.cookies.set(
      'svc_session',
      encodeURIComponent(
        `${token}.${createHmac('sha256', secret ?? '')
          .update(token)
          .digest('base64')}`,
      ),
    );
    expect((await thief.get('/who')).status).toBe(200);
  });

  test('show no token to pages', async () => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    const [token = 'none'] = decodeURIComponent(ada.cookies.get('svc_session') ?? '').split('.');
    const signedIn = await signIn(ada);
    const bodies = [
      await signedIn.text(),
      await (await ada.get('/v1/auth/get-session')).text(),
      await (await ada.get('/v1/auth/list-sessions')).text(),
    ];
    expect(bodies.join()).not.toMatch(/"token"/);
    expect(bodies.join()).not.toContain(token);
  });

  test('are ended one by one by their id, and never by another person', async () => {
    const service = await startAccounts();
    const [ada, eve] = [await service.join(EMAIL), await service.join('eve@example.com')];
    const elsewhere = service.browser();
    await signIn(elsewhere);
    const idOf = async (browser: CookieJar) => (await (await browser.get('/v1/auth/get-session')).json()).session.id;
    await eve.post('/v1/auth/revoke-session', { id: await idOf(ada) });
    expect((await ada.get('/who')).status).toBe(200);
    await ada.post('/v1/auth/revoke-session', { id: await idOf(elsewhere) });
    expect((await elsewhere.get('/who')).status).toBe(401);
    expect((await ada.get('/who')).status).toBe(200);
  });
});

describe('passkeys', () => {
  test('verify the person: options require it, and an answer without it is refused', async () => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    const registration = await (await ada.get(`${PASSKEY}/generate-register-options`)).json();
    expect(registration.authenticatorSelection.userVerification).toBe('required');
    expect((await (await service.browser().get(`${PASSKEY}/generate-authenticate-options`)).json()).userVerification).toBe('required');
    const unverified = new Authenticator(service.url);
    unverified.verifies = false;
    const refused = await ada.post(`${PASSKEY}/verify-registration`, { name: 'key', response: unverified.create(registration) });
    expect({ status: refused.status, detail: (await refused.json()).detail }).toMatchObject({
      status: 400,
      detail: expect.stringContaining('PIN'),
    });

    const phone = await addPasskey(service, ada);
    phone.verifies = false;
    const answer = await signInByPasskey(service.browser(), phone);
    expect({ status: answer.status, code: await codeOf(answer) }).toEqual({ status: 401, code: 'SIGN_IN_FAILED' });
    phone.verifies = true;
    expect(await codeOf(await signInByPasskey(service.browser(), phone))).toBe('OK');
  });

  test.each(['generate-register-options', 'delete-passkey'])('%s needs a sign-in of the last 15 minutes', async (path) => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    vi.setSystemTime(Date.now() + 15 * 60_000);
    try {
      const ask = () => (path === 'delete-passkey' ? ada.post(`${PASSKEY}/${path}`, { id: 'pas_x' }) : ada.get(`${PASSKEY}/${path}`));
      expect(await codeOf(await ask())).toBe('FRESH_SIGN_IN_REQUIRED');
      // "Last seen" does not make it fresh.
      await ada.get('/v1/auth/get-session');
      expect(await codeOf(await ask())).toBe('FRESH_SIGN_IN_REQUIRED');
      await signIn(ada);
      expect(await codeOf(await ask())).not.toBe('FRESH_SIGN_IN_REQUIRED');
    } finally {
      vi.useRealTimers();
    }
  });
});

test.each([
  ['the Kelvin sign', '\u212Aate@example.com'],
  ['a Cyrillic a', '\u0430da@example.com'],
])('an e-mail with %s does not sign in to the account that it looks like', async (_, email) => {
  const service = await startAccounts();
  await service.join('kate@example.com');
  expect(await codeOf(await signIn(service.browser(), PASSWORD, email))).toBe('INVALID_REQUEST');
});
