import { expect, test } from 'vitest';
import { redactor } from '../../../src/cli/redact';
import { makeKey } from '../../../src/service/keys/key-text';

const plain = redactor({});

test.each(['agent', 'toolkit', 'admin'] as const)('an %s key is taken out wherever it stands, whole or in part', (kind) => {
  const key = makeKey(kind);
  expect(plain(`{"path":"/v1/${key}?k=${key}","half":"${key.slice(0, 30)}"}`)).toBe(
    `{"path":"/v1/svc_${kind}_[redacted]?k=svc_${kind}_[redacted]","half":"svc_${kind}_[redacted]"}`,
  );
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
