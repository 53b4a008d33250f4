import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../../test/support/folder';
import { SecretKeysSource } from '../../../src/connections/secret-keys-source';
import { openKeptTexts } from '../../../src/lifecycle/open-kept-texts';
import { openSqliteStore } from '../../../src/store/sqlite/open';
import { aSecretsKey } from '../../support/connections/kept-rows';

const PLACE = ['inv_1', 'key_1'];
const DATABASE = 'postgres://localhost/svc';

async function aStore() {
  const store = await openSqliteStore({ path: ':memory:', durability: 'normal', onError: () => {} });
  onTestFinished(() => store.close());
  return store;
}

test('a database without secrets keys seals with a secret of its own, which all nodes have', async () => {
  const store = await aStore();
  const node = () =>
    openKeptTexts({
      store,
      secretKeys: new SecretKeysSource({ secretsKey: undefined, data: undefined, database: DATABASE }),
    });
  const kept = (await node()).seal('{"amount":5}', PLACE);
  expect(kept.sealed).not.toContain('amount');
  expect((await node()).open(kept, PLACE)).toBe('{"amount":5}');
  expect((await node()).open(kept, ['inv_2', 'key_1'])).toBeUndefined();
});

test('secrets keys that are set later seal, and what the database sealed still opens', async () => {
  const store = await aStore();
  const node = (secretsKey?: string) =>
    openKeptTexts({ store, secretKeys: new SecretKeysSource({ secretsKey, data: undefined, database: DATABASE }) });
  const before = (await node()).seal('before', PLACE);
  const keyed = await node(aSecretsKey('own'));
  const after = keyed.seal('after', PLACE);
  expect(after.sealedBy).toBe('own');
  expect(keyed.open(before, PLACE)).toBe('before');
  expect((await node()).open(after, PLACE)).toBeUndefined();
});

test('a data directory seals with its file, which the first text makes, and no connection opens it', async () => {
  const store = await aStore();
  const { path: data, remove } = makeFolder();
  onTestFinished(remove);
  const secretKeys = new SecretKeysSource({ secretsKey: undefined, data, database: undefined });
  const texts = await openKeptTexts({ store, secretKeys });
  expect(statSync(join(data, 'secrets.key'), { throwIfNoEntry: false })).toBeUndefined();
  const kept = texts.seal('hello', PLACE);
  expect(statSync(join(data, 'secrets.key')).isFile()).toBe(true);
  expect(secretKeys.open()!.open(kept, PLACE)).toBeUndefined();
  const again = new SecretKeysSource({ secretsKey: undefined, data, database: undefined });
  expect((await openKeptTexts({ store, secretKeys: again })).open(kept, PLACE)).toBe('hello');
});
