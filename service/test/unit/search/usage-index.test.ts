import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SearchIndex, type UsageExample, UsageIndex, usageTerms } from '../../../src/catalog/search';
import { action } from './documents';

const example = (id: string, query: string, used: string, weight = 1, key: string | null = null): UsageExample => ({
  id,
  action: used,
  terms: usageTerms(query),
  weight,
  key,
});

function usageOf(...examples: UsageExample[]): UsageIndex {
  const usage = new UsageIndex();
  for (const one of examples) usage.set(one);
  return usage;
}

test('a query gives points to actions of similar queries, more for higher similarity', () => {
  const usage = usageOf(example('1', 'umbrella today?', 'weather__now'), example('2', 'book a table', 'food__reserve'));
  const near = usage.votes('an umbrella for the picnic today').votes.get('weather__now') ?? 0;
  expect(usage.votes('umbrella today').votes.get('weather__now')).toBeGreaterThan(near);
  expect(near).toBeGreaterThan(0);
  expect(usage.votes('an umbrella for the picnic today').votes.has('food__reserve')).toBe(false);
});

test('a query without similar examples gives no points, nor does an empty index', () => {
  expect(usageOf(example('1', 'umbrella', 'weather__now')).votes('spaceship').votes.size).toBe(0);
  expect(new UsageIndex().votes('umbrella').votes.size).toBe(0);
});

test('the heavier evidence wins, and more of it adds little by little', () => {
  const rivals = (weight: number) =>
    usageOf(example('1', 'umbrella', 'weather__now', 1), example('2', 'umbrella', 'shop__buy', weight)).votes('umbrella').votes;
  expect(rivals(3).get('shop__buy')).toBeGreaterThan(rivals(3).get('weather__now') as number);
  expect(rivals(0.3).get('shop__buy')).toBeLessThan(rivals(0.3).get('weather__now') as number);
  const steps = [0.01, 0.1, 0.5, 1, 2, 4].map((weight) => rivals(weight).get('shop__buy') as number);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
});

test('an example is replaced by one with its id, and can be removed', () => {
  const usage = usageOf(example('1', 'umbrella', 'weather__now'), example('1', 'raincoat', 'shop__buy'));
  expect(usage.votes('umbrella').votes.size).toBe(0);
  expect([...usage.votes('raincoat').votes.keys()]).toEqual(['shop__buy']);
  usage.remove('1');
  usage.remove('1');
  expect(usage.size).toBe(0);
  expect(usage.votes('raincoat').votes.size).toBe(0);
});

test('terms may be hashed, when the index hashes those of queries as well', () => {
  const hash = (query: string) => usageTerms(query).map((word) => `#${[...word].reverse().join('')}`);
  const usage = new UsageIndex(hash);
  usage.set({ id: '1', action: 'weather__now', terms: hash('umbrella today'), weight: 1, key: null });
  const plain = usageOf(example('1', 'umbrella today', 'weather__now'));
  expect(usage.votes('an umbrella')).toEqual(plain.votes('an umbrella'));
});

test('points do not depend on the order of examples, nor on removed ones', () => {
  const examples = fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z]{1,3}$/),
      query: fc.constantFrom('umbrella today', 'umbrella', 'today', 'rain today', 'rain'),
      used: fc.constantFrom('a__a', 'b__b'),
    }),
    { selector: ({ id }) => id, minLength: 2, maxLength: 30 },
  );
  fc.assert(
    fc.property(examples, fc.nat(), (list, cut) => {
      const made = list.map(({ id, query, used }) => example(id, query, used));
      const gone = made.slice(0, cut % made.length);
      const kept = made.slice(cut % made.length);
      const other = usageOf(...made.reverse());
      for (const { id } of gone) other.remove(id);
      const points = (usage: UsageIndex) => [...usage.votes('umbrella rain').votes].map(([id, value]) => [id, value.toFixed(9)]).sort();
      expect(points(other)).toEqual(points(usageOf(...kept)));
    }),
  );
});

test('a search ranks by words and by use together', () => {
  const usage = new UsageIndex();
  const index = new SearchIndex(usage);
  index.upsert(action('weather__forecast', { description: 'The weather of the next days' }));
  index.upsert(action('shop__umbrellas', { description: 'Umbrellas to buy' }));
  const query = 'do I need an umbrella';
  expect(index.search(query, { limit: 2 })).toEqual(['shop__umbrellas']);
  for (const key of ['1', '2', '3']) usage.set(example(key, 'need an umbrella?', 'weather__forecast'));
  expect(index.search(query, { limit: 2 })).toEqual(['weather__forecast', 'shop__umbrellas']);
  usage.set(example('other', query, 'gone__action'));
  expect(index.search(query, { limit: 5 })).not.toContain('gone__action');
});

test('one key alone lifts no action without a word of the query above one that has one; two keys do', () => {
  const query = 'do I need an umbrella';
  const ranked = (...examples: UsageExample[]) => {
    const index = new SearchIndex(usageOf(...examples));
    index.upsert(action('weather__forecast', { description: 'The weather of the next days' }));
    index.upsert(action('shop__umbrellas', { description: 'Umbrellas to buy' }));
    index.upsert(action('shop__stand', { description: 'Umbrella stands to buy' }));
    return index.search(query, { limit: 3 });
  };
  const [forecast, stand] = ['weather__forecast', 'shop__stand'];
  expect(ranked()).not.toContain(forecast);
  // However often, in however many words.
  const often = ['1', '2', '3', '4'].map((id) => example(id, `${query} ${id}`, forecast, 1, 'key_a'));
  expect(ranked(...often)).toEqual([expect.any(String), expect.any(String), forecast]);
  expect(ranked(...often, example('5', 'I need other things', forecast, 1, 'key_b')).at(-1)).toBe(forecast);
  expect(ranked(...often, example('5', 'need an umbrella', forecast, 1, 'key_b'))[0]).toBe(forecast);
  expect(ranked(example('1', query, forecast, 2, null))[0]).toBe(forecast);
  // The example of one key may put an action first that has a word of the query.
  expect(ranked(example('1', query, stand, 1, 'key_a'))[0]).toBe(stand);
});

test('votes count less where an unused action answers the query, until a past query is the same', () => {
  const query = 'delete a reminder';
  const found = (...asked: string[]) => {
    const index = new SearchIndex(usageOf(...asked.map((past, id) => example(String(id), past, 'clock__delete_alarm'))));
    index.upsert(action('clock__delete_alarm', { description: 'Deletes an alarm' }));
    index.upsert(action('clock__delete_reminder', { description: 'Deletes a reminder' }));
    return index.search(query, { limit: 2 })[0];
  };
  expect(found('delete this alarm', 'delete all alarms')).toBe('clock__delete_reminder');
  expect(found(query)).toBe('clock__delete_alarm');
});

test('if no word matches, evidence of one key counts', () => {
  const index = new SearchIndex(usageOf(example('1', 'need an umbrella', 'weather__forecast', 1, 'key_a')));
  index.upsert(action('weather__forecast', { description: 'The weather of the next days' }));
  expect(index.search('umbrella', { limit: 3 })).toEqual(['weather__forecast']);
});

test('a query of a thousand different characters has no more terms than a long one of words', () => {
  const characters = Array.from({ length: 1_000 }, (_, i) => String.fromCharCode(0x4e00 + 7 * i)).join('');
  expect(usageTerms(characters)).toHaveLength(200);
  expect(usageTerms('send email to people')).toEqual(['send', 'email', 'peopl', '+sendemail', '+emailpeopl']);
});
