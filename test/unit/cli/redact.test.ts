import { expect, test } from 'vitest';
import { makeSecret } from '../../../service/src/keys/checked-secret';
import { makeKey } from '../../../service/src/keys/key-text';
import { redactor } from '../../../src/cli/redact';

const plain = redactor({});

test.each(['agent', 'toolkit', 'admin'] as const)('an %s key is removed at every place, whole or in part', (kind) => {
  const key = makeKey(kind);
  expect(plain(`{"path":"/v1/${key}?k=${key}","half":"${key.slice(0, 30)}"}`)).toBe(
    `{"path":"/v1/svc_${kind}_[redacted]?k=svc_${kind}_[redacted]","half":"svc_${kind}_[redacted]"}`,
  );
});

test.each([
  ['an agent token', 'svc_token_', `${Buffer.from('{"key":"key_1"}').toString('base64url')}.aB-_9xYz`],
  ['the claims of an agent token', 'svc_token_', 'eyJrZXkiOiJrZXlf'],
  ['a refresh token', 'svc_refresh_', 'a1B2c3D4e5F6g7H8i9J0.12.aB-_9xYz'],
  ['an authorization code', 'svc_code_', 'aB-_9xYzaB-_9xYz'],
  ['an invitation', 'inv_', makeSecret('')],
  ['a link for the first owner', 'inv_setup_', makeSecret('')],
  ['a webhook secret', 'whsec_', `${Buffer.alloc(25, 255).toString('base64')}`],
  ['a session', 'svc_session=', 'a1B2.c3%2BD4%3D'],
  ['a session over https', '__Host-svc_session=', 'a1B2.c3%2BD4%3D'],
  ['a passkey challenge', 'svc_passkey=', 'a1B2'],
  ['a token of another service', 'Authorization: Bearer ', 'ghp_0123456789abcdefghij'],
  ['a password of another service', 'authorization: Basic ', Buffer.from('user:pass word 12').toString('base64')],
])('%s is taken out', (_name, start, secret) => {
  const shown = `${start}[redacted]`;
  expect(plain(`{"path":"/x#${start}${secret}?a=1","cookie":"a=b; ${start}${secret}; c=d","last":"${start}${secret}"}`)).toBe(
    `{"path":"/x#${shown}${start.endsWith('=') ? '' : '?a=1'}","cookie":"a=b; ${shown}; c=d","last":"${shown}"}`,
  );
});

test('ids and prose stay', () => {
  const text =
    'inv_0mwxnu28csVD-zbZx-l7_x395 of key_7vq: basic authentication, Bearer realm="svc-sdk", send svc_token_…, whsec_ and a base64';
  expect(plain(text)).toBe(text);
});

test.each([
  ['postgres://svc:s3cret@db:5432/svc', 'postgres://[redacted]@db:5432/svc'],
  ['nats://token@nats:4222,nats://a:b@two:4222', 'nats://[redacted]@two:4222'],
  ['postgres://svc:a@b/c#d@db/svc', 'postgres://[redacted]@db/svc'],
  [String.raw`postgres://svc:quo\"te\\s@db/svc`, 'postgres://[redacted]@db/svc'],
  ['http://127.0.0.1:8787/v1/search', 'http://127.0.0.1:8787/v1/search'],
])('the credentials of %s are taken out', (text, shown) => expect(plain(text)).toBe(shown));

test('the secrets of the environment are taken out, also alone and as JSON', () => {
  const redact = redactor({
    SVC_METRICS_TOKEN: 'metrics-"token"',
    SVC_EMBEDDINGS_API_KEY: 'sk-embeddings',
    SVC_DATABASE_URL: 'postgres://svc:pass%20word@db/svc',
    SVC_NATS_URL: 'nats://one:4222,nats://svc:nats-word@two:4222',
    SVC_METRICS_KEY: '',
    HOME: 'not-secret',
  });
  const text = JSON.stringify(['metrics-"token"', 'sk-embeddings', 'pass word', 'pass%20word', 'nats-word', 'not-secret']);
  expect(JSON.parse(redact(text))).toEqual([...Array(5).fill('[redacted]'), 'not-secret']);
});
