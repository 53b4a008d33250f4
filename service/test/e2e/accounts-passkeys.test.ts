/** Passkeys over HTTP, with an authenticator in software; `console-*.test.ts` has a browser's. */
import { expect, test, vi } from 'vitest';
import { startAccounts } from '../support/accounts';
import { Authenticator } from '../support/authenticator';
import type { CookieJar } from '../support/cookie-jar';

const EMAIL = 'ada@example.com';
const AUTH = '/v1/auth/passkey';

async function register(browser: CookieJar, authenticator: Authenticator): Promise<Response> {
  const options = await (await browser.get(`${AUTH}/generate-register-options`)).json();
  return browser.post(`${AUTH}/verify-registration`, { name: 'phone', response: authenticator.create(options) });
}

async function signIn(browser: CookieJar, authenticator: Authenticator): Promise<Response> {
  const options = await (await browser.get(`${AUTH}/generate-authenticate-options`)).json();
  return browser.post(`${AUTH}/verify-authentication`, { response: authenticator.get(options) });
}

const codeOf = async (answer: Response) => ({ status: answer.status, code: (await answer.json()).code });

test('a person adds a passkey, signs in with it, renames and removes it', async () => {
  const service = await startAccounts();
  const ada = await service.join(EMAIL);
  const phone = new Authenticator(service.url);
  expect((await register(ada, phone)).status).toBe(200);
  const [kept] = await (await ada.get(`${AUTH}/list-user-passkeys`)).json();
  expect(kept).toMatchObject({ name: 'phone', backedUp: false, deviceType: 'singleDevice' });

  const elsewhere = service.browser();
  expect((await signIn(elsewhere, phone)).status).toBe(200);
  expect(await (await elsewhere.get('/who')).json()).toMatchObject({ kind: 'person', name: 'ada' });

  expect((await ada.post(`${AUTH}/update-passkey`, { id: kept.id, name: 'old phone' })).status).toBe(200);
  expect((await ada.post(`${AUTH}/delete-passkey`, { id: kept.id })).status).toBe(200);
  const written = (await service.store.audit.list({ limit: 9 })).toReversed().map(({ what, subject, details }) => [what, subject, details]);
  expect(written).toEqual([
    ['passkey.add', kept.id, { name: 'phone' }],
    ['session.begin', expect.stringMatching(/^per_/), expect.objectContaining({ by: 'passkey' })],
    ['passkey.rename', kept.id, { from: { name: 'phone' }, to: { name: 'old phone' } }],
    ['passkey.remove', kept.id, { name: 'old phone' }],
  ]);
  expect(await codeOf(await signIn(service.browser(), phone))).toEqual({ status: 401, code: 'SIGN_IN_FAILED' });
});

test('only its owner can see, rename or remove a passkey', async () => {
  const service = await startAccounts();
  const ada = await service.join(EMAIL);
  const eve = await service.join('eve@example.com');
  await register(ada, new Authenticator(service.url));
  const [{ id }] = await (await ada.get(`${AUTH}/list-user-passkeys`)).json();
  expect(await (await eve.get(`${AUTH}/list-user-passkeys`)).json()).toEqual([]);
  for (const [path, body] of [
    ['update-passkey', { id, name: 'mine' }],
    ['delete-passkey', { id }],
  ] as const)
    expect((await eve.post(`${AUTH}/${path}`, body)).status).toBe(401);
  expect(await (await ada.get(`${AUTH}/list-user-passkeys`)).json()).toMatchObject([{ id, name: 'phone' }]);
});

test('a passkey that was made for another site, or an answer that was seen before, is not accepted', async () => {
  const service = await startAccounts();
  const ada = await service.join(EMAIL);
  expect(await codeOf(await register(ada, new Authenticator('https://evil.example')))).toEqual({ status: 400, code: 'INVALID_REQUEST' });

  const phone = new Authenticator(service.url);
  await register(ada, phone);
  const browser = service.browser();
  const options = await (await browser.get(`${AUTH}/generate-authenticate-options`)).json();
  const response = phone.get(options);
  expect((await browser.post(`${AUTH}/verify-authentication`, { response })).status).toBe(200);
  expect(await codeOf(await service.browser().post(`${AUTH}/verify-authentication`, { response }))).toEqual({
    status: 400,
    code: 'INVALID_REQUEST',
  });
  await service.browser().get(`${AUTH}/generate-authenticate-options`);
  expect((await browser.post(`${AUTH}/verify-authentication`, { response })).status).toBe(400);
});

test('without a session, or with a sign-in of 15 minutes before, no passkey is added', async () => {
  const service = await startAccounts();
  const ada = await service.join(EMAIL);
  expect(await codeOf(await service.browser().get(`${AUTH}/generate-register-options`))).toEqual({ status: 401, code: 'NOT_SIGNED_IN' });
  vi.setSystemTime(Date.now() + 15 * 60_000);
  try {
    expect(await codeOf(await ada.get(`${AUTH}/generate-register-options`))).toEqual({ status: 403, code: 'FRESH_SIGN_IN_REQUIRED' });
  } finally {
    vi.useRealTimers();
  }
});
