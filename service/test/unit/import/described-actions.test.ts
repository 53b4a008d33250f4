import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../../test/support/folder';
import { openSource } from '../../../import/open-source';
import { documentOf } from './documents';

const paths = { '/pets': { get: { operationId: 'list' }, post: { operationId: 'add' } } };

function folderWith(texts: string | Uint8Array): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  writeFileSync(join(path, 'words.yaml'), texts);
  return path;
}

function open(folder: string, entry: object = {}, describe: string | Record<string, string> = 'words.yaml') {
  const document = JSON.stringify(documentOf(paths));
  return openSource('pets', { openapi: { file: 'unused.json' }, describe, ...entry }, { folder, env: {}, document });
}

test('`describe` may name a file beside toolkits.yaml, and the pins keep the words of the source', async () => {
  const { presented, actions, skipped } = await open(folderWith('# shared\nlist: Shows the pets of the shop.\n'));
  expect(presented.map(({ actionDescription }) => actionDescription)).toEqual(['Shows the pets of the shop.', 'Add: pets.']);
  expect(actions.map(({ actionDescription }) => actionDescription)).toEqual(['List: pets.', 'Add: pets.']);
  expect(skipped).toEqual([]);
});

test('a file may describe actions that a filter leaves out; those that the document does not have are named', async () => {
  const folder = folderWith('list: Shows pets.\nadd: Adds a pet.\nsell: Sells a pet.\n');
  const { presented, skipped } = await open(folder, { include: ['list'] });
  expect(presented.map(({ actionDescription }) => actionDescription)).toEqual(['Shows pets.']);
  expect(skipped).toEqual([{ what: 'sell in words.yaml', why: 'the document has no such operation' }]);
  await expect(open(folder, {}, { sell: 'Sells a pet.' })).rejects.toThrow('describe names the action "sell"');
});

test.each<[string, string | Uint8Array, RegExp]>([
  ['is a list', '- list', /words\.yaml cannot be read: write one line for each action/],
  ['is empty', '', /write one line for each action/],
  ['has another value than a text', 'list: 5', /"list" has no text/],
  ['has a blank text', 'list: " "', /"list" has no text/],
  ['is not YAML', 'list: [', /words\.yaml cannot be read/],
  ['refers to itself', 'a: &a x\nb: *a', /words\.yaml cannot be read/],
  ['is not a text', new Uint8Array([0, 1, 2, 255]), /is not a text/],
  ['is huge', `list: ${'x'.repeat(4 * 1024 * 1024)}`, /more than 4194304 bytes/],
])('a file that %s is refused', async (_, texts, message) => {
  await expect(open(folderWith(texts))).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(message) });
});

test('a file that is not there is refused with its path', async () => {
  await expect(open(folderWith(''), {}, 'nowhere.yaml')).rejects.toThrow(/nowhere\.yaml cannot be read: .*ENOENT/);
});
