import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../../test/support/folder';
import { SecretKeys } from '../../../src/connections/secret-keys';
import { SecretKeysSource } from '../../../src/connections/secret-keys-source';
import { aSecretsKey } from '../../support/connections/kept-rows';

const PLACE = ['con_1', 'github', 'user:key_1:u_81'];

describe('secrets keys', () => {
  test('the first seals, and all open', () => {
    const [old, young] = [aSecretsKey('2026-01'), aSecretsKey('2026-02')];
    const before = SecretKeys.read(old, 'the variable').seal('hello', PLACE);
    const keys = SecretKeys.read(`${young}, ${old}`, 'the variable');
    expect(keys.id).toBe('2026-02');
    expect(keys.seal('hello', PLACE)).toMatchObject({ sealedBy: '2026-02' });
    expect(keys.open(before, PLACE)).toBe('hello');
    expect(SecretKeys.read(young, 'the variable').open(before, PLACE)).toBeUndefined();
    expect(SecretKeys.read(aSecretsKey('2026-01'), 'the variable').open(before, PLACE)).toBeUndefined();
  });

  test('the same text is never sealed to the same bytes', () => {
    const keys = SecretKeys.read(aSecretsKey(), 'the variable');
    const seals = Array.from({ length: 100 }, () => keys.seal('hello', PLACE).sealed);
    expect(new Set(seals).size).toBe(100);
    expect(seals.join()).not.toContain('hello');
  });

  test.each([
    ['', 'nothing'],
    ['c2VjcmV0LXRleHQtb2YtMzItYnl0ZXMtaW4tYmFzZTY=', 'a key without an id'],
    ['k1:c2VjcmV0', 'a short key'],
    ['k1:not base64 not base64 not base64 not base64 ', 'no base64'],
    ['k 1:c2VjcmV0LXRleHQtb2YtMzItYnl0ZXMtaW4tYmFzZTY=', 'a space in the id'],
    ['k1:c2VjcmV0LXRleHQtb2YtMzItYnl0ZXMtaW4tYmFzZTY=,k1:c2VjcmV0LXRleHQtb2YtMzItYnl0ZXMtaW4tYmFzZTY=', 'an id twice'],
  ])('a setting that is not understood is refused without its text: %#', (text) => {
    const read = () => new SecretKeysSource({ secretsKey: text, data: undefined, database: undefined });
    expect(read).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining('SVC_SECRETS_KEY must be') }));
    expect(read).not.toThrow(/c2VjcmV0|not base64/);
  });
});

describe('the place of the secrets keys', () => {
  const folder = () => {
    const { path, remove } = makeFolder();
    onTestFinished(remove);
    return path;
  };
  const sourceOf = (setting: Partial<ConstructorParameters<typeof SecretKeysSource>[0]>) =>
    new SecretKeysSource({ secretsKey: undefined, data: undefined, database: undefined, ...setting });

  test('the first use makes a file beside the data, which only its user reads, and later starts take it', () => {
    const data = folder();
    const source = sourceOf({ data });
    expect(source.hasKeys).toBe(true);
    expect(statSync(join(data, 'secrets.key'), { throwIfNoEntry: false })).toBeUndefined();
    const sealed = source.open()!.seal('hello', PLACE);
    expect(statSync(join(data, 'secrets.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(data, 'secrets.key'), 'utf8')).toMatch(/^[A-Za-z0-9]{8}:[A-Za-z0-9+/]{43}=\n$/);
    expect(source.open()).toBe(source.open());
    expect(sourceOf({ data }).open()!.open(sealed, PLACE)).toBe('hello');
  });

  test('a setting comes first, and opens what the file sealed', () => {
    const data = folder();
    const sealed = sourceOf({ data }).open()!.seal('hello', PLACE);
    const keys = sourceOf({ data, secretsKey: aSecretsKey('own') }).open()!;
    expect(keys.id).toBe('own');
    expect(keys.open(sealed, PLACE)).toBe('hello');
    const empty = folder();
    sourceOf({ data: empty, secretsKey: aSecretsKey('own') }).open();
    expect(statSync(join(empty, 'secrets.key'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('a damaged file is an error with its path, and without its text', () => {
    const data = folder();
    writeFileSync(join(data, 'secrets.key'), 'k1:c2VjcmV0');
    const open = () => sourceOf({ data }).open();
    expect(open).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining(join(data, 'secrets.key')) }));
    expect(open).not.toThrow(/c2VjcmV0/);
    expect(readFileSync(join(data, 'secrets.key'), 'utf8')).toBe('k1:c2VjcmV0');
  });

  test('a database has keys only when they are set, and data in memory have their own', () => {
    expect(sourceOf({ database: 'postgres://localhost/svc' }).hasKeys).toBe(false);
    expect(sourceOf({ database: 'postgres://localhost/svc' }).open()).toBeUndefined();
    expect(sourceOf({ database: 'postgres://localhost/svc', secretsKey: aSecretsKey('own') }).open()?.id).toBe('own');
    const sealed = sourceOf({}).open()!.seal('hello', PLACE);
    expect(sourceOf({}).open()!.open(sealed, PLACE)).toBeUndefined();
  });
});
