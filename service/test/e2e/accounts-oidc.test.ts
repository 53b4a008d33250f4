/** Sign-in with an OpenID provider: accepted and refused people. */
import { describe, expect, test, vi } from 'vitest';
import { PASSWORD, startAccounts, type TestAccounts } from '../support/accounts';
import type { CookieJar } from '../support/cookie-jar';
import { CLIENT, type OidcProvider, startOidcProvider } from '../support/oidc-provider';

const EMAIL = 'ada@example.com';
const SIGN_IN = '/v1/auth/sign-in/email';

async function start(options: { allowedDomains?: string[] } = {}) {
  const provider = await startOidcProvider();
  provider.next = { sub: 'sub-of-ada', email: EMAIL, email_verified: true, name: 'Ada' };
  const service = await startAccounts({ oidc: { issuer: provider.issuer, ...CLIENT, ...options } });
  return { provider, service };
}

/** The final address of the browser. */
async function signIn(browser: CookieJar, callbackURL = '/keys'): Promise<string> {
  const answer = await browser.post('/v1/auth/sign-in/social', { callbackURL });
  const { url } = await answer.json();
  const atProvider = await fetch(url, { redirect: 'manual' });
  const back = await browser.get(atProvider.headers.get('location') ?? '');
  return back.headers.get('location') ?? `${back.status}`;
}

const role = async (browser: CookieJar) => (await (await browser.get('/who')).json()).role;
const status = async (browser: CookieJar) => (await browser.get('/who')).status;
const emails = async ({ store }: TestAccounts) => (await store.accounts.list()).map(({ email }) => email);

test('a person with a verified e-mail of an allowed domain signs in as a member, and is the same person the next time', async () => {
  const { provider, service } = await start({ allowedDomains: ['example.com'] });
  expect(service.accounts.signIn.oidc).toEqual({ name: new URL(provider.issuer).host });
  const ada = service.browser();
  expect(await signIn(ada)).toBe('/keys');
  expect(await role(ada)).toBe('member');
  expect(await service.store.audit.list({ limit: 9 })).toMatchObject([
    { what: 'session.begin', details: { by: 'OpenID provider' } },
    { what: 'person.join', details: { role: 'member' } },
  ]);
  const [asked] = provider.authorized;
  expect(asked?.get('code_challenge_method')).toBe('S256');
  expect(asked?.get('nonce')).toBeTruthy();
  expect(asked?.get('redirect_uri')).toBe(`${service.url}/v1/auth/callback/oidc`);

  provider.next = { ...provider.next, email: 'ada.king@elsewhere.org' };
  const again = service.browser();
  expect(await signIn(again)).toBe('/keys');
  expect(await role(again)).toBe('member');
  expect(await emails(service)).toEqual([EMAIL]);
});

test('no token of the provider is kept', async () => {
  const { provider, service } = await start({ allowedDomains: ['example.com'] });
  await signIn(service.browser());
  await signIn(service.browser());
  const [login] = await service.store.accounts.tables.selectFrom('logins').selectAll().execute();
  expect(login).toMatchObject({
    provider_id: 'oidc',
    account_id: `${provider.issuer} sub-of-ada`,
    access_token: null,
    refresh_token: null,
    id_token: null,
  });
});

describe('refused persons', () => {
  const refused = async (provider: OidcProvider, service: TestAccounts, identity: object = {}) => {
    Object.assign(provider.next, identity);
    const browser = service.browser();
    const where = await signIn(browser);
    expect(await status(browser)).toBe(401);
    return where;
  };

  test('a stranger of another domain, or of any while none is allowed', async () => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    for (const email of ['eve@evil.example', 'eve@sub.example.com', 'eve@example.com.evil.example', 'eve@notexample.com'])
      expect(await refused(provider, service, { sub: email, email })).toMatch(/^\/sign-in\?error=not_invited/);
    const closed = await start();
    expect(await refused(closed.provider, closed.service)).toMatch(/^\/sign-in\?error=not_invited/);
    expect(await emails(closed.service)).toEqual([]);
  });

  test('whose e-mail the provider has not verified, or does not return', async () => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    expect(await refused(provider, service, { email_verified: false })).toMatch(/^\/sign-in\?error=/);
    expect(await refused(provider, service, { email_verified: undefined })).toMatch(/^\/sign-in\?error=/);
    expect(await refused(provider, service, { email: undefined })).toMatch(/^\/sign-in\?error=/);
    for (const email_verified of ['true', 'false', 1, 'TRUE', ['true'], {}])
      expect(await refused(provider, service, { email_verified })).toMatch(/^\/sign-in\?error=/);
    provider.forge = { emailVerified: true };
    expect(await refused(provider, service, { email_verified: false })).toMatch(/^\/sign-in\?error=/);
    provider.forge = {};
    for (const email of [` ${EMAIL}`, `${EMAIL} `, `${EMAIL}\n`, `\u00a0${EMAIL}`, [EMAIL]])
      expect(await refused(provider, service, { email })).toMatch(/^\/sign-in\?error=/);
    expect(await emails(service)).toEqual([]);
    await service.join(EMAIL, 'owner');
    expect(await refused(provider, service, { email: EMAIL, email_verified: false })).toMatch(/^\/sign-in\?error=/);
  });

  test.each([
    ['for another client', { aud: 'another' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['of another sign-in', { nonce: 'another' }],
    ['that is over', { exp: 1 }],
  ])('an ID token %s', async (_, forge) => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    provider.forge = forge;
    expect(await refused(provider, service)).toMatch(/^\/sign-in\?error=/);
    expect(await emails(service)).toEqual([]);
  });

  test('with the answer of a sign-in that another browser began', async () => {
    const { service } = await start({ allowedDomains: ['example.com'] });
    const { url } = await (await service.browser().post('/v1/auth/sign-in/social', {})).json();
    const back = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
    const other = service.browser();
    expect((await other.get(back)).headers.get('location')).toMatch(/^\/sign-in\?error=state_mismatch/);
    expect(await status(other)).toBe(401);
  });
});

describe('an account that was there before', () => {
  test('belongs to who has its e-mail: what signed in before does not any more', async () => {
    const { service } = await start();
    const squatter = await service.join(EMAIL);
    const ada = service.browser();
    expect(await signIn(ada)).toBe('/keys');
    expect(await role(ada)).toBe('member');
    expect(await status(squatter)).toBe(401);
    expect(await service.store.audit.list({ limit: 9 })).toMatchObject([
      { what: 'session.begin' },
      { what: 'person.link', actor: { kind: 'person', name: 'ada' }, details: { ended: ['passwords (1)', 'sessions (1)'] } },
    ]);
    expect((await service.browser().post(SIGN_IN, { email: EMAIL, password: PASSWORD })).status).toBe(401);
    expect(await emails(service)).toEqual([EMAIL]);
  });

  test('keeps its password when it is signed in already in the same browser', async () => {
    const { service } = await start();
    const ada = await service.join(EMAIL);
    expect(await signIn(ada)).toBe('/keys');
    expect(await status(ada)).toBe(200);
    expect((await service.store.audit.list({ limit: 9 })).at(-1)).toMatchObject({ what: 'person.link', details: { ended: [] } });
    expect((await service.browser().post(SIGN_IN, { email: EMAIL, password: PASSWORD })).status).toBe(200);
  });
});

describe('one identity for one account', () => {
  const BY_PASSWORD = { email: EMAIL, password: PASSWORD };

  test('another subject with the same e-mail cannot sign in, and the first one still can', async () => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    await signIn(service.browser());
    provider.next = { ...provider.next, sub: 'sub-of-eve' };
    const eve = service.browser();
    expect(await signIn(eve)).toMatch(/^\/sign-in\?error=another_identity/);
    expect(await status(eve)).toBe(401);
    provider.next = { ...provider.next, sub: 'sub-of-ada' };
    expect(await signIn(service.browser())).toBe('/keys');
  });

  test('of two subjects at once with the e-mail of a member, one is linked', async () => {
    const { provider, service } = await start();
    await service.join(EMAIL);
    const browsers = [service.browser(), service.browser()];
    const backs: string[] = [];
    for (const [index, browser] of browsers.entries()) {
      provider.next = { ...provider.next, sub: `sub-${index}` };
      const { url } = await (await browser.post('/v1/auth/sign-in/social', {})).json();
      backs.push((await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '');
    }
    await Promise.all(browsers.map((browser, index) => browser.get(backs[index] ?? '')));
    const linked = await service.store.accounts.tables.selectFrom('logins').where('provider_id', '=', 'oidc').selectAll().execute();
    expect(linked).toHaveLength(1);
  });

  test('a subject of another issuer is another person', async () => {
    const { service } = await start({ allowedDomains: ['example.com'] });
    await signIn(service.browser());
    const [login] = await service.store.accounts.tables.selectFrom('logins').selectAll().execute();
    const { tables } = service.store.accounts;
    await tables.updateTable('logins').set({ account_id: 'https://former.example sub-of-eve' }).execute();
    const ada = service.browser();
    expect(await signIn(ada)).toBe('/keys');
    const logins = await tables.selectFrom('logins').selectAll().execute();
    expect(logins.map(({ person_id, account_id }) => ({ person_id, account_id }))).toEqual([
      { person_id: login?.person_id, account_id: login?.account_id },
    ]);
  });

  test('a login that an earlier version stored without its issuer is still the person', async () => {
    const { service } = await start();
    await service.join(EMAIL, 'owner');
    const [person] = await service.store.accounts.list();
    const now = new Date().toISOString();
    const former = { id: 'log_former', account_id: 'sub-of-ada', provider_id: 'oidc-without-issuer', created_at: now, updated_at: now };
    await service.store.accounts.tables
      .insertInto('logins')
      .values({ ...former, person_id: person?.id ?? '' })
      .execute();
    const ada = service.browser();
    expect(await signIn(ada)).toBe('/keys');
    expect(await role(ada)).toBe('owner');
  });

  test("an owner's account is not linked by its e-mail alone, and keeps its password", async () => {
    const { service } = await start();
    const owner = await service.join(EMAIL, 'owner');
    const eve = service.browser();
    expect(await signIn(eve)).toMatch(/^\/sign-in\?error=sign_in_to_link/);
    expect(await status(eve)).toBe(401);
    expect(await status(owner)).toBe(200);
    expect((await service.browser().post(SIGN_IN, BY_PASSWORD)).status).toBe(200);
  });

  test("an owner's account is linked in a browser with a fresh sign-in to it, not with an old or another one", async () => {
    const { service } = await start();
    const ada = await service.join(EMAIL, 'owner');
    const other = await service.join('other@example.com', 'owner');
    expect(await signIn(other)).toMatch(/error=sign_in_to_link/);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    try {
      expect(await signIn(ada)).toMatch(/error=sign_in_to_link/);
    } finally {
      vi.useRealTimers();
    }
    expect(await signIn(ada)).toBe('/keys');
    expect(await (await ada.get('/v1/auth/provider-login')).json()).toEqual({ linked: true });
    expect(await signIn(service.browser())).toBe('/keys');
  });

  test('a person disconnects the provider with a fresh sign-in, while another way in is left', async () => {
    const { service } = await start({ allowedDomains: ['example.com'] });
    const ada = await service.join(EMAIL);
    await signIn(ada);
    expect((await ada.post('/v1/auth/unlink-provider', {})).status).toBe(200);
    expect((await service.store.audit.list({ limit: 1 }))[0]).toMatchObject({ what: 'person.unlink', actor: { name: 'ada' } });
    const only = service.browser();
    await service.store.accounts.remove((await service.store.accounts.findByEmail(EMAIL))?.id ?? '');
    await signIn(only);
    expect((await only.post('/v1/auth/unlink-provider', {})).status).toBe(409);
    vi.setSystemTime(Date.now() + 16 * 60_000);
    try {
      expect((await (await only.post('/v1/auth/unlink-provider', {})).json()).code).toBe('FRESH_SIGN_IN_REQUIRED');
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('an ID token is validated as in OpenID Connect Core, section 3.1.3.7', () => {
  test.each([
    ['issued to another client', { azp: 'another' }],
    ['for several clients without an issued one', { aud: [CLIENT.clientId, 'another'] }],
    ['for several clients, issued to another one', { aud: [CLIENT.clientId, 'another'], azp: 'another' }],
    ['without a nonce', { nonce: undefined }],
    ['without an audience', { aud: undefined }],
    ['without an issuer', { iss: undefined }],
    ['without an end', { exp: undefined }],
    ['without a time', { iat: undefined }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject of 256 characters', { sub: 'x'.repeat(256) }],
    ['with a subject that is a list', { sub: ['sub-of-ada'] }],
    ['with a number as azp', { azp: 1 }],
    ['of an issuer with another path', { iss: 'http://127.0.0.1/other' }],
  ])('%s: refused', async (_, forge) => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    provider.forge = forge;
    const browser = service.browser();
    expect(await signIn(browser)).toMatch(/^\/sign-in\?error=/);
    expect(await status(browser)).toBe(401);
    expect(await emails(service)).toEqual([]);
  });

  test('for several clients and issued to this one: accepted', async () => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    provider.forge = { aud: [CLIENT.clientId, 'another'], azp: CLIENT.clientId };
    expect(await signIn(service.browser())).toBe('/keys');
  });

  test('a provider that sends none is rejected, for any userinfo', async () => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    provider.withoutIdToken = true;
    expect(await signIn(service.browser())).toMatch(/^\/sign-in\?error=/);
    expect(await emails(service)).toEqual([]);
  });

  test('a discovery document that names another issuer is refused', async () => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    provider.discovery = { issuer: 'https://evil.example' };
    provider.forge = { iss: 'https://evil.example' };
    expect(await signIn(service.browser())).toMatch(/^\/sign-in\?error=/);
  });
});

describe('the provider’s claims about a person', () => {
  test.each([
    ['the Kelvin sign for a k', '\u212Aate@example.com'],
    ['a Cyrillic a', '\u0430da@example.com'],
    ['a full-width letter', '\uff41da@example.com'],
    ['two addresses', 'ada@example.com,eve@example.com'],
    ['a quoted local part', '"ada@example.com"@example.com'],
    ['a list', ['ada@example.com']],
    ['a line break', 'ada@example.com\n'.concat('eve@example.com')],
  ])('an e-mail with %s is not one', async (_, email) => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    await service.join('kate@example.com');
    provider.next = { sub: 'sub-of-eve', email, email_verified: true, name: 'Eve' };
    const eve = service.browser();
    expect(await signIn(eve)).toMatch(/^\/sign-in\?error=/);
    expect(await status(eve)).toBe(401);
    expect(await emails(service)).toEqual(['kate@example.com']);
  });

  test.each([
    ['escapes, bidi and zero-width characters', '\u001b]0;x\u0007A\u202Eda\u200B \n King', ']0;x A da King'],
    ['too many characters', 'x'.repeat(500), 'x'.repeat(100)],
    ['a surrogate pair at the cut', `${'x'.repeat(99)}😀`, 'x'.repeat(99)],
    ['nothing to print', '\u200B\u0000', 'ada'],
    ['no text', { first: 'Ada' }, 'ada'],
  ])('a name with %s is cleaned', async (_, name, shown) => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    provider.next = { sub: 'sub-of-ada', email: 'Ada@Example.com', email_verified: true, name };
    await signIn(service.browser());
    expect((await service.store.accounts.list()).map((person) => [person.name, person.email])).toEqual([[shown, EMAIL]]);
  });

  test('an account outside the allowed domains is not linked either', async () => {
    const { service } = await start({ allowedDomains: ['elsewhere.org'] });
    await service.join(EMAIL);
    expect(await signIn(service.browser())).toMatch(/^\/sign-in\?error=not_invited/);
  });
});

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'keys'])('no redirect leads to %s', async (callbackURL) => {
  const { service } = await start();
  const answer = await service.browser().post('/v1/auth/sign-in/social', { callbackURL });
  expect({ status: answer.status, code: (await answer.json()).code }).toEqual({ status: 400, code: 'INVALID_REQUEST' });
});

test('a provider that is down is reported, blocks no other sign-in, and is retried', async () => {
  const { provider, service } = await start({ allowedDomains: ['example.com'] });
  provider.up = false;
  const ada = service.browser();
  const answer = await ada.post('/v1/auth/sign-in/social', {});
  expect({ status: answer.status, code: (await answer.json()).code }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  await service.join('bob@example.com');
  provider.up = true;
  expect(await signIn(ada)).toBe('/keys');
});
