/** Passkeys of the built service, in which files of `accounts/bundle` replace parts of the packages. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type * as SvcService from '../../service/src/index';
import { Authenticator } from '../../service/test/support/authenticator';
import { CookieJar } from '../../service/test/support/cookie-jar';
import { ADMIN_PATHS } from '../../src/protocol/admin';

const AUTH = `${ADMIN_PATHS.auth}/passkey`;
const BUILT = new URL('../../service/dist/', import.meta.url);

test.each(['none', 'packed'] as const)('a passkey with the attestation "%s" signs in, and one of another key does not', async (format) => {
  const { createService }: typeof SvcService = await import(new URL('index.js', BUILT).href);
  const service = await createService({ port: 0, console: true });
  onTestFinished(() => service.close());
  const owner = new CookieJar(service.url);
  const token = new URL((await service.setupLink()) ?? 'about:blank').hash.slice(1);
  const person = { token, name: 'Ada', email: 'ada@example.com', password: 'seven green bottles' };
  expect((await owner.post('/v1/invitations/accept', person)).status).toBe(200);

  const phone = new Authenticator(service.url, format);
  const made = await (await owner.get(`${AUTH}/generate-register-options`)).json();
  expect((await owner.post(`${AUTH}/verify-registration`, { name: 'phone', response: phone.create(made) })).status).toBe(200);

  const signIn = async (authenticator: Authenticator) => {
    const browser = new CookieJar(service.url);
    const asked = await (await browser.get(`${AUTH}/generate-authenticate-options`)).json();
    return (await browser.post(`${AUTH}/verify-authentication`, { response: authenticator.get(asked) })).status;
  };
  expect(await signIn(phone)).toBe(200);
  phone.changeKey();
  expect(await signIn(phone)).toBe(401);
});

test('no parser of certificates is bundled', () => {
  const { components }: { components: { purl: string }[] } = JSON.parse(readFileSync(new URL('sbom.cdx.json', BUILT), 'utf8'));
  expect(components.map(({ purl }) => decodeURIComponent(purl)).filter((purl) => purl.includes('npm/@peculiar/'))).toEqual([]);
});
