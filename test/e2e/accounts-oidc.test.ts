/** People who sign in at an OpenID provider: who comes in, and who must not. */
import { describe, expect, test } from 'vitest';
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

/** Where the browser is in the end. */
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

test('whoever has a verified e-mail of an allowed domain comes in as a member, and is the same person the next time', async () => {
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

describe('who must not come in', () => {
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

  test('whose e-mail the provider has not verified, or does not tell', async () => {
    const { provider, service } = await start({ allowedDomains: ['example.com'] });
    expect(await refused(provider, service, { email_verified: false })).toMatch(/^\/sign-in\?error=/);
    expect(await refused(provider, service, { email_verified: undefined })).toMatch(/^\/sign-in\?error=/);
    expect(await refused(provider, service, { email: undefined })).toMatch(/^\/sign-in\?error=/);
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

  test('who brings the answer of a sign-in that another browser began', async () => {
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

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'keys'])('nobody is led to %s', async (callbackURL) => {
  const { service } = await start();
  const answer = await service.browser().post('/v1/auth/sign-in/social', { callbackURL });
  expect({ status: answer.status, code: (await answer.json()).code }).toEqual({ status: 400, code: 'INVALID_REQUEST' });
});

test('a provider that is down is told as such, keeps nobody else out, and is asked again', async () => {
  const { provider, service } = await start({ allowedDomains: ['example.com'] });
  provider.up = false;
  const ada = service.browser();
  const answer = await ada.post('/v1/auth/sign-in/social', {});
  expect({ status: answer.status, code: (await answer.json()).code }).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  await service.join('bob@example.com');
  provider.up = true;
  expect(await signIn(ada)).toBe('/keys');
});
