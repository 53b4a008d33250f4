import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Signer } from '../../../src/keys/signer';
import { identityOf } from '../../../src/oauth/client';
import { isSecretOf, readRegisteredClient, registerClient } from '../../../src/oauth/registered-clients';

const signer = new Signer(randomBytes(32));
const register = (body: object) =>
  registerClient({ redirect_uris: ['https://good.example/cb'], ...body }, signer) as { client_id: string; client_secret?: string };

test('a registration is in the id, and every node reads it', () => {
  const { client_id: id, client_secret: secret } = register({ client_name: 'Claude', token_endpoint_auth_method: 'client_secret_post' });
  expect(readRegisteredClient(id, signer)).toMatchObject({
    id,
    name: 'Claude',
    redirectUris: ['https://good.example/cb'],
    authMethod: 'client_secret_post',
  });
  expect(isSecretOf(id, secret ?? '', signer)).toBe(true);
  expect(isSecretOf(id, `${secret}x`, signer)).toBe(false);
});

test('a client that names no method gets a secret for Basic, one with none gets no secret', () => {
  expect(register({})).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic', client_secret: expect.any(String) });
  expect(register({ token_endpoint_auth_method: 'none' })).not.toHaveProperty('client_secret');
});

test('two equal registrations have different ids and secrets', () => {
  const [first, second] = [register({ client_name: 'Claude' }), register({ client_name: 'Claude' })];
  expect(second.client_id).not.toBe(first.client_id);
  expect(second.client_secret).not.toBe(first.client_secret);
});

test('an id of another service, and a changed one, is unknown', () => {
  const { client_id: id } = register({});
  expect(readRegisteredClient(id, new Signer(randomBytes(32)))).toBeUndefined();
  expect(readRegisteredClient(`${id.slice(0, 20)}x${id.slice(21)}`, signer)).toBeUndefined();
  expect(readRegisteredClient('svc_client_', signer)).toBeUndefined();
  expect(readRegisteredClient(signer.sign('svc_refresh_a.1'), signer)).toBeUndefined();
});

test('an app that registers again on another port is the same app', () => {
  const clientOf = (uri: string, name = 'Inspector') => {
    const client = readRegisteredClient(register({ client_name: name, redirect_uris: [uri] }).client_id, signer);
    if (!client) throw new Error('unknown');
    return client;
  };
  const identity = identityOf(clientOf('http://localhost:1/cb'));
  expect(identityOf(clientOf('http://localhost:2/cb'))).toBe(identity);
  expect(identityOf(clientOf('http://localhost:2/other'))).not.toBe(identity);
  expect(identityOf(clientOf('http://localhost:1/cb', 'Other'))).not.toBe(identity);
});

test.for([
  [{ redirect_uris: [] }, /redirect_uris must name at least one/],
  [{ redirect_uris: Array.from({ length: 11 }, (_, n) => `https://good.example/${n}`) }, /at most 10/],
  [{ redirect_uris: Array.from({ length: 10 }, (_, n) => `https://good.example/${n}${'x'.repeat(300)}`) }, /too long/],
  [{ token_endpoint_auth_method: 'private_key_jwt' }, /token_endpoint_auth_method must be one of none/],
  [{ grant_types: ['client_credentials'] }, /authorization_code/],
  [{ response_types: ['token'] }, /response_types/],
] as const)('a registration with %j is refused', ([body, message]) => expect(() => register(body)).toThrow(message));
