import { describe, expect, test } from 'vitest';
import { type Meaning, type SearchDocument, SearchIndex, WORDS_ALONE } from '../../../src/catalog/search';
import { action } from './documents';

const documents: SearchDocument[] = [
  action('mail__send', { description: 'Sends a letter, a letter to one person, a letter to many persons' }),
  action('post__send_letter_abroad', { description: 'Letters to other countries, by air and by sea, tracked on their way, with a stamp' }),
  action('shop__stamps', { description: 'Sells stamps' }),
];

function indexOf(all: readonly SearchDocument[], weights = undefined as typeof WORDS_ALONE | undefined): SearchIndex {
  const index = new SearchIndex(undefined, weights);
  for (const document of all) index.upsert(document);
  return index;
}
const featuresOf = (index: SearchIndex, query: string, document: SearchDocument, meaning?: Meaning) =>
  Object.fromEntries(index.explain(query, document, { limit: 5, meaning }).features.map(({ feature, value }) => [feature, value]));

test('an action with more words of the query ranks before one that repeats some of them', () => {
  const repeats = action('a__list_invoices', { description: 'Invoices: lists invoices, by number of invoice' });
  const description =
    'What customers of a warehouse still owe, as one page for each month and each year: orders that were delivered, the open invoice, its refund';
  const others = Array.from({ length: 30 }, (_, i) => action(`x__y${i}`, { description: i < 10 ? 'warehouse refund' : '' }));
  const all = [repeats, action('b__overview', { description }), ...others];
  const query = 'invoice of a warehouse with a refund';
  expect(indexOf(all, WORDS_ALONE).search(query, { limit: 1 })).toEqual(['a__list_invoices']);
  expect(indexOf(all).search(query, { limit: 1 })).toEqual(['b__overview']);
});

test('a name that is a synonym does not outrank a description that has the words', () => {
  const toolkit = { toolkitName: 'Weather', toolkitDescription: 'The weather of a few cities' };
  const cityAnd = (...names: string[]) => ({
    payloadSchema: {
      type: 'object',
      properties: Object.fromEntries(['city', ...names].map((name) => [name, { type: 'string', description: 'In English' }])),
    },
  });
  const today = "Today's weather in a city: temperature in degrees Celsius and a word for the sky";
  const forecast = 'Forecast for a city: lowest and highest temperature of the next days, in degrees Celsius';
  const documents = [
    action('weather__today', { ...toolkit, description: today, ...cityAnd() }),
    action('weather__forecast', { ...toolkit, description: forecast, ...cityAnd('days') }),
    ...['write_note', 'list_notes', 'delete_all_notes', 'bar_chart', 'proofread'].map((name) => action(`other__${name}`)),
  ];
  expect(indexOf(documents).search('weather in a city', { limit: 2 })).toEqual(['weather__today', 'weather__forecast']);
});

describe('the features of an action', () => {
  const index = indexOf(documents);
  const [mail, post, shop] = documents as [SearchDocument, SearchDocument, SearchDocument];

  test('words are a share of the points of the best', () => {
    const all = documents.map((document) => featuresOf(index, 'send a letter', document).words ?? 0);
    expect(Math.max(...all)).toBe(1);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
  });

  test('the query is answered wholly by an action with all of its words, and half by a synonym', () => {
    expect(featuresOf(index, 'letter to other countries', post).query).toBe(1);
    expect(featuresOf(index, 'letter to other countries', mail).query).toBeLessThan(1);
    const synonym = indexOf([action('a__mail', { description: 'Sends an email' }), action('b__other')]);
    expect(featuresOf(synonym, 'deliver', action('a__mail', { description: 'Sends an email' })).query).toBe(0.5);
  });

  test('a name counts by the words of it that the query has, a description by its own', () => {
    const { name, description } = featuresOf(index, 'stamps', shop);
    expect(name).toBe(1);
    expect(description).toBeGreaterThan(0);
    expect(featuresOf(index, 'send', post).name).toBeLessThan(1);
  });

  test('a number is a value for the payload, and no word that an action should answer', () => {
    expect(featuresOf(index, 'letter 4711', mail).query).toBe(1);
  });

  test('a toolkit counts by its best three actions', () => {
    const toolkit = Array.from({ length: 5 }, (_, i) => action(`cars__wash${i}`, { description: 'wash' }));
    const alone = action('dogs__wash', { description: 'wash' });
    const washing = indexOf([...toolkit, alone]);
    const of = (document: SearchDocument) => featuresOf(washing, 'wash', document).toolkit ?? 0;
    expect(of(alone)).toBeCloseTo(1 / 3, 5);
    expect(of(toolkit[4] as SearchDocument)).toBeCloseTo(of(toolkit[0] as SearchDocument), 5);
    expect(of(toolkit[0] as SearchDocument)).toBeGreaterThan(0.5);
  });
});

test('without the second stage points by words are the score', () => {
  const index = indexOf(documents, WORDS_ALONE);
  const { score, terms, features } = index.explain('send a letter', documents[0] as SearchDocument, { limit: 5 });
  const points = terms.flatMap(({ fields }) => Object.values(fields)).reduce((sum, value) => sum + value, 0);
  expect(features).toEqual([]);
  expect(points / score).toBeCloseTo(1, 2);
});

test('a hundred actions with equal words are ranked by the second stage', () => {
  const alike = Array.from({ length: 100 }, (_, i) => action(`t${i}__paint`, { description: `wall number${i}` }));
  const index = indexOf([...alike, action('zz__paint_wall', { description: 'x1 x2 x3 x4 x5 x6 x7 x8 x9' })]);
  const found = index.search('paint wall', { limit: 101 });
  expect(new Set(found).size).toBe(101);
  expect(found[0]).toBe('zz__paint_wall');
});

describe('vectors', () => {
  const index = indexOf(documents);
  const meaning = (cosines: Record<string, number>): Meaning => ({ nearest: Object.keys(cosines), cosine: (id) => cosines[id] });

  test('find an action that has no word of the query', () => {
    const near = meaning({ shop__stamps: 0.9, mail__send: 0.1 });
    expect(index.search('briefmarke', { limit: 5 })).toEqual([]);
    expect(index.search('briefmarke', { limit: 5, meaning: near })).toEqual(['shop__stamps', 'mail__send']);
  });

  test('count as standard deviations, so that cosines close together say as much as others', () => {
    const values = (scale: number) => {
      const near = meaning(Object.fromEntries(documents.map(({ id }, place) => [id, 0.5 + scale * place ** 2])));
      return documents.map((document) => featuresOf(index, 'send a letter', document, near).meaning ?? 0);
    };
    const [narrow, wide] = [values(0.001), values(0.1)];
    for (const [i, value] of narrow.entries()) expect(value).toBeCloseTo(wide[i] as number, 6);
    expect(Math.max(...wide)).toBeGreaterThan(1);
  });

  test('count three times as much where no action has a word of the query', () => {
    const near = meaning(Object.fromEntries(documents.map(({ id }, place) => [id, 0.5 + 0.1 * place ** 2])));
    for (const document of documents) {
      const usual = featuresOf(index, 'send a letter', document, near).meaning as number;
      expect(featuresOf(index, 'briefmarke', document, near).meaning).toBeCloseTo(3 * usual, 6);
    }
  });

  test('an action without a vector is neither nearer nor farther than the others', () => {
    const near = meaning({ mail__send: 0.9, post__send_letter_abroad: 0.1 });
    expect(featuresOf(index, 'stamps', documents[2] as SearchDocument, near).meaning).toBeUndefined();
  });

  test('change nothing when all are equally near', () => {
    const near = meaning(Object.fromEntries(documents.map(({ id }) => [id, 0.7])));
    const found = index.search('send a letter', { limit: 2 });
    expect(index.search('send a letter', { limit: 2, meaning: near })).toEqual(found);
  });

  test('never lift an action above one whose id is the query', () => {
    const near = meaning({ shop__stamps: 0.99, mail__send: -0.9, post__send_letter_abroad: 0.9 });
    expect(index.search('mail__send', { limit: 1, meaning: near })).toEqual(['mail__send']);
  });
});

test('an action that is not accepted is not a candidate and changes nothing', () => {
  const accept = (id: string) => !id.startsWith('forbidden');
  const forbidden = Array.from({ length: 60 }, (_, i) => action(`forbidden${i}__send_letter`, { description: 'letter to send' }));
  const found = indexOf([...documents, ...forbidden]).search('send a letter abroad', { limit: 3, accept });
  expect(found).toEqual(['post__send_letter_abroad', 'mail__send']);
});
