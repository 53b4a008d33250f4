import { expect, test } from 'vitest';
import { DEFAULT_RANK_WEIGHTS, type SearchDocument, SearchIndex, UsageIndex, usageTerms } from '../../../src/catalog/search';
import { action } from './documents';

const documents: SearchDocument[] = [
  action('mail__send_email', { description: 'Sends an email to people', toolkitDescription: 'Mail for everyone' }),
  action('mail__list_folders', { description: 'All folders of a mailbox' }),
  action('files__list_folders', {
    description: 'Folders on a disk',
    payloadSchema: { type: 'object', properties: { recipient: { type: 'string' } } },
  }),
];

function indexOf(usage?: UsageIndex): SearchIndex {
  const index = new SearchIndex(usage);
  for (const document of documents) index.upsert(document);
  return index;
}
const documentOf = (id: string) => documents.find((document) => document.id === id) as SearchDocument;
const explain = (query: string, id: string, options = { limit: 5 }) => indexOf().explain(query, documentOf(id), options);

test('the points of all fields together are the score', () => {
  const { score, terms, rank } = explain('send an email to a recipient', 'mail__send_email');
  const points = terms.flatMap(({ fields }) => Object.values(fields)).reduce((sum, value) => sum + value, 0);
  expect(rank).toBe(1);
  expect(score).toBeGreaterThan(0);
  // The index keeps impacts in steps of a thousandth.
  expect(points / score).toBeCloseTo(1, 2);
});

test('each word has the fields in which it was found', () => {
  const { terms } = explain('email everyone', 'mail__send_email');
  const fieldsOf = (word: string) => Object.keys(terms.find(({ term }) => term === word)?.fields ?? {});
  expect(fieldsOf('email').sort()).toEqual(['description', 'id', 'name']);
  expect(fieldsOf('everyon')).toEqual(['toolkitDescription']);
  expect(explain('recipients', 'files__list_folders').terms[0]?.fields).toHaveProperty('payload');
});

test('words that the action does not answer are missing, those with a synonym or a slip in it are not', () => {
  expect(explain('email a spaceship', 'mail__send_email').missing).toEqual(['spaceship']);
  expect(explain('deliver an emali', 'mail__send_email').missing).toEqual([]);
});

test('the rank is that of the search, and the better results are listed', () => {
  const index = indexOf();
  const query = 'folders of a mailbox';
  const found = index.search(query, { limit: 5 });
  for (const [place, id] of found.entries()) {
    const { rank, above } = index.explain(query, documentOf(id), { limit: 5 });
    expect(rank).toBe(place + 1);
    expect(above.map(({ action: other }) => other)).toEqual(found.slice(0, place));
  }
});

test('only accepted actions count in the rank and are listed before it', () => {
  const accept = (id: string) => id !== 'mail__list_folders';
  const { rank, above } = indexOf().explain('folders of a mailbox', documentOf('files__list_folders'), { limit: 5, accept });
  expect(rank).toBe(1);
  expect(above).toEqual([]);
});

test('for few accepted actions in a large catalogue, the rank equals that of the search, which scans further', () => {
  const others = Array.from({ length: 20_000 }, (_, i) => action(`x__y${i}`, { description: i < 9_000 ? 'paper' : 'stone scissors' }));
  const own = [action('own__a', { description: 'paper' }), action('own__b', { description: 'stone scissors' })];
  const index = new SearchIndex();
  for (const document of [...others, ...own]) index.upsert(document);
  const options = { limit: 5, accept: (id: string) => id.startsWith('own__') };
  expect(index.search('paper stone scissors', options)).toEqual(['own__b', 'own__a']);
  expect(own.map((document) => index.explain('paper stone scissors', document, options).rank)).toEqual([2, 1]);
});

test('a query that finds nothing of it has no rank', () => {
  expect(explain('spaceship', 'mail__send_email')).toMatchObject({ rank: null, score: 0, terms: [], missing: ['spaceship'] });
});

test.each([
  ['mail__send_email', 'id'],
  ['send email', 'name'],
  ['Mail', 'toolkit'],
])('%s is its %s', (query, exact) => {
  expect(explain(query, 'mail__send_email').exact).toBe(exact);
});

test('the points of past queries are listed separately', () => {
  const usage = new UsageIndex();
  usage.set({ id: '1', action: 'mail__list_folders', terms: usageTerms('where is my post kept'), weight: 1, key: null });
  const {
    rank,
    features,
    usage: points,
  } = indexOf(usage).explain('where is the post kept', documentOf('mail__list_folders'), { limit: 5 });
  expect(rank).toBe(1);
  expect(points).toBeGreaterThan(0);
  expect(features).toContainEqual({ feature: 'usage', value: expect.closeTo(0.76, 2), weight: DEFAULT_RANK_WEIGHTS.usage });
});
