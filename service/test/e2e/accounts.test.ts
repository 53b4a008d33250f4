/** Accounts over HTTP: sign-in, and rejected sign-ins. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { newDatabase } from '../../../test/support/postgres';
import { openPostgresStore } from '../../src/store/postgres/open';
import { PASSWORD, startAccounts, type TestAccounts } from '../support/accounts';
import { CookieJar } from '../support/cookie-jar';

const SIGN_IN = '/v1/auth/sign-in/email';
const EMAIL = 'ada@example.com';

const codeOf = async (answer: Response) => ({ status: answer.status, code: (await answer.json()).code });
const REFUSED = { status: 401, code: 'SIGN_IN_FAILED' };
const SIGNED_OUT = { status: 401, code: 'NOT_SIGNED_IN' };
const FOREIGN = { status: 403, code: 'NOT_PERMITTED' };

const onPostgres = async () => openPostgresStore({ url: await newDatabase(), shared: true });

describe('on SQLite', () => testAccounts());
describe('on PostgreSQL', { tags: 'postgres' }, () => testAccounts(onPostgres));

function testAccounts(openStore?: typeof onPostgres): void {
  test('an invited person creates an account, is signed in, signs out and in again', async () => {
    const { invitations, browser, store } = await startAccounts({}, openStore);
    const { token, record } = await invitations.invite({ role: 'owner', name: 'Ada' });
    expect(token).toMatch(/^inv_[0-9A-Za-z]{49}$/);
    expect(JSON.stringify(record)).not.toContain(token);
    const ada = browser();
    expect(await (await ada.post('/preview', { token })).json()).toEqual({ role: 'owner', first: true });

    const joined = await ada.post('/accept', { token, name: ' Ada ', email: 'Ada@Example.com', password: PASSWORD });
    expect(await joined.json()).toMatchObject({ name: 'Ada', email: EMAIL, role: 'owner' });
    const [person] = await store.accounts.list();
    const who = { kind: 'person', id: person?.id, name: 'Ada', role: 'owner', signedInAt: expect.any(Number) };
    expect(await (await ada.get('/who')).json()).toEqual(who);

    expect((await ada.post('/v1/auth/sign-out', {})).status).toBe(200);
    expect(await codeOf(await ada.get('/who'))).toEqual(SIGNED_OUT);
    expect((await ada.post(SIGN_IN, { email: ' ADA@example.com', password: PASSWORD })).status).toBe(200);
    expect((await ada.get('/who')).status).toBe(200);
    expect(await (await ada.get('/v1/auth/get-session')).json()).toMatchObject({ user: { email: EMAIL, role: 'owner' } });
  });

  test('"last seen" follows what a person does, to the minute', async () => {
    const service = await startAccounts({}, openStore);
    const ada = await service.join(EMAIL);
    const { tables } = service.store.accounts;
    const long = new Date(Date.now() - 3_600_000).toISOString();
    await tables.updateTable('sessions').set({ created_at: long, updated_at: long }).execute();
    await ada.get('/who');
    const [person] = await service.people.list();
    expect(Date.now() - Date.parse(person?.lastSeenAt ?? '')).toBeLessThan(60_000);
    const [session] = await (await ada.get('/v1/auth/list-sessions')).json();
    expect(session).toMatchObject({ createdAt: long, updatedAt: person?.lastSeenAt });
    // No write for each request.
    const recent = new Date(Date.now() - 30_000).toISOString();
    await tables.updateTable('sessions').set({ updated_at: recent }).execute();
    await ada.get('/who');
    expect((await service.people.list())[0]?.lastSeenAt).toBe(recent);
  });

  test('a person lists their sessions and ends the other ones', async () => {
    const service = await startAccounts({}, openStore);
    const here = await service.join(EMAIL);
    const there = service.browser();
    await there.post(SIGN_IN, { email: EMAIL, password: PASSWORD }, { 'user-agent': 'the other one' });
    const sessions = await (await here.get('/v1/auth/list-sessions')).json();
    expect(sessions).toHaveLength(2);
    expect(sessions).toContainEqual(expect.objectContaining({ userAgent: 'the other one', ipAddress: '127.0.0.1' }));

    expect((await here.post('/v1/auth/revoke-other-sessions', {})).status).toBe(200);
    expect(await codeOf(await there.get('/who'))).toEqual(SIGNED_OUT);
    expect((await here.get('/who')).status).toBe(200);
    expect(await service.store.audit.list({ limit: 9 })).toMatchObject([
      { what: 'session.end', actor: { kind: 'person', name: 'ada' }, details: { sessions: 1 } },
      { what: 'session.begin', details: { by: 'password', address: '127.0.0.1' } },
    ]);
  });

  test('all sessions of an account end when its role changes, when it is removed, and when a link sets its password', async () => {
    const service = await startAccounts({}, openStore);
    await service.join('owner@example.com', 'owner');
    const first = await service.join(EMAIL);
    const ada = await service.store.accounts.findByEmail(EMAIL);
    const id = ada?.id ?? '';
    await service.people.changeRole({ kind: 'command', name: 'test' }, id, 'owner');
    expect(await codeOf(await first.get('/who'))).toEqual(SIGNED_OUT);

    const second = service.browser();
    await second.post(SIGN_IN, { email: EMAIL, password: PASSWORD });
    const { token } = await service.invitations.invite({ role: 'owner', personId: id });
    const third = service.browser();
    expect(await (await third.post('/preview', { token })).json()).toEqual({ role: 'owner', email: EMAIL, first: false });
    const reset = await third.post('/accept', { token, password: 'eight green bottles' });
    expect(await reset.json()).toMatchObject({ id, email: EMAIL });
    expect(await codeOf(await second.get('/who'))).toEqual(SIGNED_OUT);
    expect((await third.get('/who')).status).toBe(200);
    expect(await codeOf(await service.browser().post(SIGN_IN, { email: EMAIL, password: PASSWORD }))).toEqual(REFUSED);

    await service.store.accounts.remove(id);
    expect(await codeOf(await third.get('/who'))).toEqual(SIGNED_OUT);
  });

  test('two who use one link at once make one account', async () => {
    const { invitations, browser, store } = await startAccounts({}, openStore);
    const { token } = await invitations.invite({ role: 'member' });
    const accept = (email: string) => browser().post('/accept', { token, name: 'x', email, password: PASSWORD });
    const answers = await Promise.all([accept('one@example.com'), accept('two@example.com')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await store.accounts.list()).toHaveLength(1);
  });

  test('two simultaneous sign-ups with one e-mail get one account, and the other link stays valid', async () => {
    const { invitations, browser, store } = await startAccounts({}, openStore);
    const links = await Promise.all([invitations.invite({ role: 'member' }), invitations.invite({ role: 'member' })]);
    const answers = await Promise.all(
      links.map(({ token }) => browser().post('/accept', { token, name: 'x', email: EMAIL, password: PASSWORD })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await store.accounts.list()).toHaveLength(1);
    expect(await store.accounts.invitations(Date.now())).toHaveLength(1);
  });

  test('the fifth wrong password in a minute uses up the limit of this address and e-mail, with a Retry-After', async () => {
    const service = await startAccounts({}, openStore);
    await service.join(EMAIL);
    const thief = service.browser();
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await codeOf(await thief.post(SIGN_IN, { email: EMAIL, password: `wrong password ${attempt}` }))).toEqual(REFUSED);
    }
    const answer = await thief.post(SIGN_IN, { email: EMAIL, password: PASSWORD });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await codeOf(answer)).toEqual({ status: 429, code: 'RATE_LIMITED' });
    expect(await codeOf(await thief.post(SIGN_IN, { email: 'other@example.com', password: PASSWORD }))).toEqual(REFUSED);
  });
}

describe('one-time links', () => {
  const accept = ({ browser }: TestAccounts, token: string, email = EMAIL) =>
    browser().post('/accept', { token, name: 'Ada', email, password: PASSWORD });

  test('a link is used once', async () => {
    const service = await startAccounts();
    const { token } = await service.invitations.invite({ role: 'member' });
    expect((await accept(service, token)).status).toBe(200);
    expect(await codeOf(await accept(service, token, 'eve@example.com'))).toEqual({ status: 404, code: 'NOT_FOUND' });
    expect(await codeOf(await service.browser().post('/preview', { token }))).toEqual({ status: 404, code: 'NOT_FOUND' });
  });

  test('a mistyped link and an expired link have different errors', async () => {
    const service = await startAccounts();
    const { token, record } = await service.invitations.invite({ role: 'member' });
    const detail = async (text: string) => (await (await service.browser().post('/preview', { token: text })).json()).detail;
    expect(await detail(token.slice(0, -1))).toMatch(/mistyped or not complete/);
    expect(await detail(token.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toMatch(/mistyped or not complete/);
    expect(await detail('svc_admin_x')).toMatch(/mistyped or not complete/);
    await service.store.accounts.withdrawInvitation(record.id, Date.now());
    expect(await detail(token)).toMatch(/used or withdrawn, or its time is over/);
  });

  test('a link ends after seven days, and one that sets a password after one', async () => {
    const service = await startAccounts();
    await service.join(EMAIL);
    const personId = (await service.store.accounts.findByEmail(EMAIL))?.id ?? '';
    const days = ({ record: { createdAt, expiresAt } }: Awaited<ReturnType<typeof service.invitations.invite>>) =>
      (expiresAt - createdAt) / 86_400_000;
    const invitation = await service.invitations.invite({ role: 'member' });
    expect(days(invitation)).toBe(7);
    expect(days(await service.invitations.invite({ role: 'member', personId }))).toBe(1);
    vi.setSystemTime(invitation.record.expiresAt + 1);
    try {
      expect(await codeOf(await service.browser().post('/preview', { token: invitation.token }))).toEqual({
        status: 404,
        code: 'NOT_FOUND',
      });
    } finally {
      vi.useRealTimers();
    }
    await expect(service.invitations.invite({ role: 'member', expiresInDays: 1000 })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(service.invitations.invite({ role: 'member', personId: 'per_nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('the setup link creates the first owner; a newer link replaces it, and none works after the first account exists', async () => {
    const service = await startAccounts();
    const former = await service.accounts.setupInvitation();
    const setup = await service.accounts.setupInvitation();
    expect((await accept(service, former?.token ?? '')).status).toBe(404);
    expect(await (await service.browser().post('/preview', { token: setup?.token })).json()).toEqual({ role: 'owner', first: true });
    await service.join('faster@example.com', 'owner');
    expect((await accept(service, setup?.token ?? '')).status).toBe(404);
    expect(await service.accounts.setupInvitation()).toBeUndefined();
  });

  test.each([
    ['short', 'eleven char', /12 to 128 characters/],
    ['long', 'x'.repeat(129), /12 to 128 characters/],
    ['the e-mail', EMAIL.toUpperCase(), /first that others try/],
    ['the name', 'Ada King, Countess', /first that others try/],
  ])('a password that is %s is refused, and the link stays good', async (_, password, said) => {
    const service = await startAccounts();
    const { token } = await service.invitations.invite({ role: 'member' });
    const answer = await service.browser().post('/accept', { token, name: 'Ada King, Countess', email: EMAIL, password });
    const { code, detail } = await answer.json();
    expect({ status: answer.status, code }).toEqual({ status: 400, code: 'INVALID_REQUEST' });
    expect(detail).toMatch(said);
    expect(detail).not.toContain(password);
    expect((await accept(service, token)).status).toBe(200);
  });

  test.each(['', 'ada', 'ada@', 'a@b@c.de', `${'a'.repeat(250)}@b.de`])('%j is not an e-mail', async (email) => {
    const service = await startAccounts();
    const { token } = await service.invitations.invite({ role: 'member' });
    expect(await codeOf(await accept(service, token, email))).toEqual({ status: 400, code: 'INVALID_REQUEST' });
  });

  test('links are tried 20 times a minute from one address', async () => {
    const { browser } = await startAccounts();
    const thief = browser();
    for (let attempt = 0; attempt < 20; attempt++) expect((await thief.post('/preview', { token: 'inv_guess' })).status).toBe(404);
    expect(await codeOf(await thief.post('/preview', { token: 'inv_guess' }))).toEqual({ status: 429, code: 'RATE_LIMITED' });
  });
});

describe('refused sign-ins', () => {
  test.runIf('argon2' in crypto)('a stranger gets the answer that a wrong password gets, after the same work', async () => {
    const service = await startAccounts();
    await service.join(EMAIL);
    const answer = async (email: string) => {
      const response = await service.browser().post(SIGN_IN, { email, password: 'wrong password' });
      return { status: response.status, headers: [...response.headers.keys()], body: await response.json() };
    };
    const derived = vi.spyOn(crypto, 'argon2');
    syncBuiltinESMExports();
    onTestFinished(() => {
      derived.mockRestore();
      syncBuiltinESMExports();
    });
    expect(await answer('nobody@example.com')).toEqual(await answer(EMAIL));
    expect(derived).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['POST', '/sign-up/email'],
    ['POST', '/update-user'],
    ['POST', '/delete-user'],
    ['POST', '/change-email'],
    ['POST', '/set-password'],
    ['POST', '/request-password-reset'],
    ['POST', '/link-social'],
    ['POST', '/sign-in/social'],
    ['GET', '/callback/oidc'],
    ['GET', '/error'],
    ['GET', '/ok'],
    ['GET', '/list-accounts'],
    ['POST', '/get-session'],
    ['GET', '/sign-in/email'],
    ['POST', '/sign-in/email/'],
    ['POST', '//sign-in/email'],
  ])('%s %s is not there', async (method, path) => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    const body = { email: 'eve@example.com', password: PASSWORD, name: 'Eve', role: 'owner' };
    const answer = method === 'POST' ? await ada.post(`/v1/auth${path}`, body) : await ada.get(`/v1/auth${path}`);
    expect(await codeOf(answer)).toEqual({ status: 404, code: 'NOT_FOUND' });
    expect(await service.store.accounts.list()).toHaveLength(1);
  });

  test('a cookie that was put into the browser before is not taken over, and the session before ends', async () => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    const [[name = '', before = ''] = []] = [...ada.cookies];
    await ada.post(SIGN_IN, { email: EMAIL, password: PASSWORD });
    expect(ada.cookies.get(name)).not.toBe(before);
    const former = service.browser();
    former.cookies.set(name, before);
    expect(await codeOf(await former.get('/who'))).toEqual(SIGNED_OUT);

    const fixed = service.browser();
    fixed.cookies.set(name, 'chosen-by-somebody.else');
    await fixed.post(SIGN_IN, { email: EMAIL, password: PASSWORD });
    expect(fixed.cookies.get(name)).not.toContain('chosen-by-somebody');
    expect((await fixed.get('/who')).status).toBe(200);
  });

  test('the shown id of a session is not its cookie', async () => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    const [{ token }] = await (await ada.get('/v1/auth/list-sessions')).json();
    const thief = service.browser();
    thief.cookies.set('svc_session', token);
    expect(await codeOf(await thief.get('/who'))).toEqual(SIGNED_OUT);
  });

  test('changes are accepted only from the service’s own pages, and as JSON', async () => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    const change = (headers: Record<string, string>) => ada.post('/who', {}, headers);
    const allowed = [{}, { origin: service.url.replace('http:', 'https:') }, { origin: '', 'sec-fetch-site': 'same-origin' }];
    for (const headers of allowed) expect((await change(headers)).status).toBe(200);
    const refused = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: '', 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ];
    for (const headers of refused) expect(await codeOf(await change(headers))).toEqual(FOREIGN);
    // A read is not a change.
    expect((await ada.get('/who', { origin: 'https://evil.example' })).status).toBe(200);
  });

  test.each([SIGN_IN, '/v1/auth/sign-out', '/preview', '/accept'])('another site cannot make a browser send %s', async (path) => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    const { token } = await service.invitations.invite({ role: 'member' });
    const body = { email: EMAIL, password: PASSWORD, token, name: 'Eve' };
    for (const headers of [{ origin: 'https://evil.example' }, { origin: '' }, { 'content-type': 'text/plain' }]) {
      expect(await codeOf(await ada.post(path, body, headers))).toEqual(FOREIGN);
      expect(await codeOf(await service.browser().post(path, body, headers))).toEqual(FOREIGN);
    }
    expect((await ada.get('/who')).status).toBe(200);
  });

  test('an address has 30 attempts a minute, for all e-mails together', async () => {
    const { browser } = await startAccounts();
    const thief = browser();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 31; attempt++) {
      statuses.push((await thief.post(SIGN_IN, { email: `person${attempt}@example.com`, password: 'a guess' })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429]);
  });

  test('no body may be longer than what belongs into it', async () => {
    const { browser } = await startAccounts();
    const answer = await browser().post(SIGN_IN, { email: EMAIL, password: 'x'.repeat(100_000) });
    expect(await codeOf(answer)).toEqual({ status: 413, code: 'REQUEST_TOO_LARGE' });
  });
});

describe('a password is changed', () => {
  test('by who knows it, and then all other sessions end', async () => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    const other = service.browser();
    await other.post(SIGN_IN, { email: EMAIL, password: PASSWORD });
    const change = (currentPassword: string, newPassword: string) => ada.post('/v1/auth/change-password', { currentPassword, newPassword });
    expect(await codeOf(await change('a wrong password', 'eight green bottles'))).toEqual(REFUSED);
    expect(await codeOf(await change(PASSWORD, EMAIL))).toEqual({ status: 400, code: 'INVALID_REQUEST' });
    expect(await codeOf(await change(PASSWORD, 'short'))).toEqual({ status: 400, code: 'INVALID_REQUEST' });
    expect((await service.store.audit.list({ limit: 9 })).map(({ what }) => what)).toEqual(['session.refuse', 'session.begin']);
    expect((await change(PASSWORD, 'eight green bottles')).status).toBe(200);
    const [entry, ...others] = await service.store.audit.list({ limit: 9 });
    expect(entry).toMatchObject({ actor: { kind: 'person', name: 'ada' }, what: 'person.password', subject: entry?.actor.id });
    expect(others).toHaveLength(2);
    expect((await ada.get('/who')).status).toBe(200);
    expect(await codeOf(await other.get('/who'))).toEqual(SIGNED_OUT);
    expect(
      await codeOf(await service.browser().post('/v1/auth/change-password', { currentPassword: PASSWORD, newPassword: PASSWORD })),
    ).toEqual(SIGNED_OUT);
  });
});

describe('cookies', () => {
  const flags = (answer: Response) =>
    answer.headers.getSetCookie().map((cookie) =>
      cookie
        .replace(/=[^;]*/, '')
        .split(/; */)
        .map((flag) => flag.toLowerCase())
        .sort(),
    );

  test('without https: not readable by scripts, not sent by other sites, for a week', async () => {
    const service = await startAccounts();
    const { token } = await service.invitations.invite({ role: 'member' });
    const answer = await service.browser().post('/accept', { token, name: 'Ada', email: EMAIL, password: PASSWORD });
    expect(flags(answer)).toEqual([
      ['httponly', 'max-age=604800', 'path=/', 'samesite=lax', 'svc_session'],
      ['httponly', 'max-age=31536000', 'path=/', 'samesite=lax', 'svc_device'],
    ]);
  });

  test('with https also only by https and only for this host, and the public URL is the only origin', async () => {
    const publicUrl = 'https://tools.example.com';
    const service = await startAccounts({ publicUrl });
    await service.join(EMAIL);
    const ada = service.browser();
    const answer = await ada.post(SIGN_IN, { email: EMAIL, password: PASSWORD }, { origin: publicUrl });
    expect(flags(answer)).toEqual([
      ['__host-svc_session', 'httponly', 'max-age=604800', 'path=/', 'samesite=lax', 'secure'],
      ['__host-svc_device', 'httponly', 'max-age=31536000', 'path=/', 'samesite=lax', 'secure'],
    ]);
    expect((await ada.post('/who', {}, { origin: publicUrl })).status).toBe(200);
    expect(await codeOf(await ada.post('/who', {}))).toEqual(FOREIGN);
  });

  test('use of a session extends it beyond a week, by a day at a time', async () => {
    const service = await startAccounts();
    const ada = await service.join(EMAIL);
    const kept = async () =>
      (await service.store.accounts.tables.selectFrom('sessions').select('expires_at').executeTakeFirstOrThrow()).expires_at;
    const before = await kept();
    expect((await ada.get('/v1/auth/get-session')).headers.getSetCookie()).toEqual([]);
    vi.setSystemTime(Date.now() + 25 * 3_600_000);
    try {
      const answer = await ada.get('/v1/auth/get-session');
      expect(flags(answer)).toContainEqual(expect.arrayContaining(['svc_session', 'max-age=604800']));
      expect((await kept()) > before).toBe(true);
      vi.setSystemTime(Date.now() + 8 * 24 * 3_600_000);
      expect(await codeOf(await ada.get('/who'))).toEqual(SIGNED_OUT);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('an admin key is an owner, from anywhere; another key is not', async () => {
  const { keys, browser } = await startAccounts();
  const admin = await keys.create({ kind: 'admin', name: 'ops' });
  const agent = await keys.create({ kind: 'agent', name: 'me' });
  const post = (key: string) => browser().post('/who', {}, { origin: '', authorization: `Bearer ${key}` });
  expect(await (await post(admin.key)).json()).toEqual({ kind: 'key', id: admin.id, name: 'ops', role: 'owner' });
  expect(await codeOf(await post(agent.key))).toEqual({ status: 403, code: 'WRONG_KEY_KIND' });
});

test('a request without a cookie has no session, and does not load the account library', async () => {
  const { browser, store } = await startAccounts();
  expect(await codeOf(await browser().get('/who'))).toEqual(SIGNED_OUT);
  // A rotation would have returned the secret.
  expect(await store.settings.all()).toEqual([]);
});

test('a person keeps the newest fifty sessions', async () => {
  const service = await startAccounts();
  const ada = await service.join(EMAIL);
  const id = (await service.store.accounts.findByEmail(EMAIL))?.id ?? '';
  const at = (minute: number) => new Date(Date.now() - minute * 60_000).toISOString();
  for (let minute = 1; minute <= 60; minute++) {
    const times = { expires_at: new Date(Date.now() + 60_000).toISOString(), created_at: at(minute), updated_at: at(minute) };
    const session = { id: `ses_${minute}`, person_id: id, token: `token-${minute}`, ip_address: null, user_agent: null };
    await service.store.accounts.tables
      .insertInto('sessions')
      .values({ ...session, ...times })
      .execute();
  }
  await service.browser().post(SIGN_IN, { email: EMAIL, password: PASSWORD });
  const left = await service.store.accounts.tables.selectFrom('sessions').select('id').execute();
  expect(left).toHaveLength(50);
  expect(left.map((session) => session.id)).not.toContain('ses_49');
  expect((await ada.get('/who')).status).toBe(200);
});

test('no password, token or cookie is logged', async () => {
  const service = await startAccounts();
  const ada = await service.join(EMAIL);
  await ada.post(SIGN_IN, { email: EMAIL, password: 'a wrong password' });
  await ada.post('/v1/auth/passkey/verify-authentication', { response: { id: 'x' } });
  const text = service.logged.join('\n');
  for (const secret of [PASSWORD, 'a wrong password', ...ada.cookies.values()]) expect(text).not.toContain(secret);
});

test('a session is valid at two nodes', { tags: 'postgres' }, async () => {
  const url = await newDatabase();
  const open = () => openPostgresStore({ url, shared: true });
  const [one, two] = [await startAccounts({}, open), await startAccounts({}, open)];
  const ada = await one.join(EMAIL);
  const same = new CookieJar(two.url);
  for (const [name, value] of ada.cookies) same.cookies.set(name, value);
  expect((await same.get('/who')).status).toBe(200);
});
