import { inspect } from 'node:util';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { CallConnection, jsonWithoutSecrets } from '../../../src/lib/call-connection';
import { CallerCredentials } from '../../../src/lib/caller-credentials';

const bearer = CallConnection.of({ type: 'bearer', token: 'canary-1' });

test('a connection and the credentials of a caller print nothing of their secret', () => {
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => lines.push(line) });
  for (const value of [
    bearer,
    bearer.renewed(CallConnection.of({ type: 'bearer', token: 'canary-2' })),
    CallerCredentials.read('a Bearer canary-3'),
  ]) {
    logger.error({ value, error: Object.assign(new Error('x'), { value }) }, `failed: ${value}`);
    lines.push(
      JSON.stringify({ value }),
      inspect({ value }, { depth: 9, showHidden: true }),
      JSON.stringify(structuredClone(value)),
      `${value}`,
    );
  }
  expect(lines.join('\n')).not.toContain('canary');
});

test('a renewed connection remembers its earlier secrets', () => {
  const renewed = bearer.renewed(CallConnection.of({ type: 'bearer', token: 'canary-2' }));
  expect(renewed.secrets).toEqual(['canary-1', 'canary-2']);
  expect(JSON.parse(renewed.frameJson)).toEqual({ type: 'bearer', token: 'canary-2' });
});

test('secrets vanish from names and texts of JSON, however they are escaped, and nothing else changes', () => {
  const secrets = ['1234', 'nab"c', 'é-key'];
  const json = '{"a1234":1234,"b":"x\\nab\\"c 12345","c":["\\u00e9-key","\\\\nab\\"c"],"d":1.50}';
  expect(jsonWithoutSecrets(json, secrets)).toBe(
    '{"a[connection]":1234,"b":"x\\nab\\"c [connection]5","c":["[connection]","\\\\[connection]"],"d":1.50}',
  );
});

test('a secret of less than four characters stays: it occurs by chance', () => {
  expect(CallConnection.of({ type: 'basic', username: 'ada', password: 'x' }).secrets).toEqual([btoa('ada:x')]);
  expect(CallConnection.of({ type: 'basic', username: 'sk_live_1', password: '' }).secrets).toEqual(['sk_live_1', btoa('sk_live_1:')]);
});
