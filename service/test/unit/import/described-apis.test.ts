/** The files of `examples/describe`, without the documents: `npm run imports:words` compares them with those. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import questions from '../../../../bench/imports/api-questions.json' with { type: 'json' };
import { readDescriptions } from '../../../import/described-actions';
import { SearchIndex } from '../../../src/catalog/search';
import { action } from '../search/documents';

const FOLDER = fileURLToPath(new URL('../../../../examples/describe/', import.meta.url));
const APIS = readdirSync(FOLDER).map((file) => basename(file, '.yaml'));
const textsOf = async (id: string) => Object.entries((await readDescriptions(`${id}.yaml`, FOLDER)) ?? {});

test.each(APIS)('%s: each description is a short text that begins with a verb and ends with a full stop', async (id) => {
  const texts = await textsOf(id);
  expect(texts.length).toBeGreaterThanOrEqual(10);
  for (const [name, text] of texts) {
    expect(name).toMatch(/^[\w-]+$/);
    expect(text).toMatch(/^[A-Z][a-z]+s\b[^\n]{3,220}\.$/);
  }
  const names = readFileSync(`${FOLDER}${id}.yaml`, 'utf8').match(/^[\w-]+(?=:)/gm) ?? [];
  expect(names).toHaveLength(texts.length);
});

test('twenty APIs have descriptions and five questions each', () => {
  expect(APIS).toHaveLength(20);
  for (const id of APIS)
    expect(questions.filter(({ actions }) => actions.every((one) => one.startsWith(`${id}__`))).length).toBeGreaterThan(4);
});

test('the words of people find the actions', async () => {
  const index = new SearchIndex();
  for (const id of APIS) for (const [name, description] of await textsOf(id)) index.upsert(action(`${id}__${name}`, { description }));
  const ranks = questions.map(({ question, actions }) =>
    index.search(question, { limit: 5 }).findIndex((found) => actions.includes(found)),
  );
  expect(ranks.filter((rank) => rank === 0).length).toBeGreaterThanOrEqual(85);
  expect(ranks.filter((rank) => rank !== -1).length).toBeGreaterThanOrEqual(95);
});
