import { expect, test } from 'vitest';
import type { UsageExample } from '../../../src/catalog/search/index';
import type { EvidenceBounds } from '../../../src/learning/bounds';
import { Evidence, type UseOfAction } from '../../../src/learning/evidence';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = 1_700_000_000_000;

/** Evidence, and the votes that it has in the index. */
function setUp(bounds: Partial<EvidenceBounds> = {}) {
  const votes = new Map<string, UsageExample>();
  const index = { set: (vote: UsageExample) => void votes.set(vote.id, vote), remove: (id: string) => void votes.delete(id) };
  const evidence = new Evidence(index, bounds);
  const use = (keyId: string, action: string, query: string, more: Partial<UseOfAction> = {}) =>
    evidence.record({ keyId, action, terms: query.split(' ').sort(), at: NOW, ok: true, ...more });
  const weight = (action: string, query?: string) => {
    const found = [...votes.values()].filter((vote) => vote.action === action && (!query || vote.terms.join(' ') === query));
    return found.reduce((sum, vote) => sum + vote.weight, 0);
  };
  return { evidence, votes, use, weight };
}

test('evidence counts keys, not calls', () => {
  const { use, weight } = setUp();
  for (let call = 0; call < 100; call++) use('key_a', 'mail__send', 'mail', { at: NOW + call });
  expect(weight('mail__send')).toBeCloseTo(1, 5);
  use('key_b', 'mail__send', 'mail');
  expect(weight('mail__send')).toBeCloseTo(2, 5);
});

test('a vote has its key while all evidence is from one key', () => {
  const { evidence, use, votes } = setUp();
  const key = () => [...votes.values()][0]?.key;
  use('key_a', 'mail__send', 'mail');
  expect(key()).toBe('key_a');
  use('key_b', 'mail__send', 'mail');
  expect(key()).toBe(null);
  evidence.dropKey('key_a');
  evidence.settle(NOW);
  expect(key()).toBe('key_b');
});

test('a success that is less sure counts less, and two of them count as one', () => {
  const { use, weight } = setUp();
  use('key_a', 'mail__send', 'mail', { strength: 0.5 });
  expect(weight('mail__send')).toBeCloseTo(0.5, 5);
  use('key_a', 'mail__send', 'mail', { strength: 0.5 });
  expect(weight('mail__send')).toBeCloseTo(1, 5);
});

test('the same words in another order are the same query', () => {
  const { use, votes } = setUp();
  use('key_a', 'mail__send', 'mail send');
  use('key_b', 'mail__send', 'send mail');
  expect([...votes.values()]).toEqual([expect.objectContaining({ weight: 2 })]);
});

test('evidence counts half after thirty days, and is deleted after six times that', () => {
  const { evidence, use, weight } = setUp();
  use('key_a', 'mail__send', 'mail');
  evidence.settle(NOW + 30 * DAY_MS);
  expect(weight('mail__send')).toBeCloseTo(0.5, 2);
  evidence.settle(NOW + 181 * DAY_MS);
  expect(evidence.size).toBe(0);
  expect(evidence.takeChanges()).toMatchObject({ save: [], remove: [{ action: 'mail__send', agentKeyId: 'key_a' }] });
});

test('more failures than successes give nothing, and success after failure counts again', () => {
  const { use, weight } = setUp();
  use('key_a', 'mail__send', 'mail', { ok: false });
  expect(weight('mail__send')).toBe(0);
  use('key_a', 'mail__send', 'mail');
  expect(weight('mail__send')).toBeCloseTo(0.5, 5);
  for (let call = 0; call < 3; call++) use('key_a', 'mail__send', 'mail', { ok: false });
  expect(weight('mail__send')).toBe(0);
});

test('an action that fails for many keys loses weight for all queries; one key alone, however often, lowers nothing of others', () => {
  const { evidence, use, weight } = setUp();
  for (const key of ['a', 'b', 'c', 'd']) use(key, 'mail__send', 'mail');
  for (let call = 0; call < 1_000; call++) use('bad', 'mail__send', `words ${call}`, { ok: false });
  evidence.settle(NOW);
  expect(weight('mail__send', 'mail')).toBeCloseTo(4, 5);

  for (const key of ['e', 'f', 'g', 'h', 'i', 'j', 'k']) use(key, 'mail__send', 'other words', { ok: false });
  evidence.settle(NOW);
  expect(weight('mail__send', 'mail')).toBeCloseTo(2, 5);
});

test('the evidence of one key about one toolkit has a budget: many pushed queries weigh as much as few', () => {
  const { evidence, use, weight } = setUp({ toolkitWeight: 0 });
  for (let query = 0; query < 100; query++) use('bad', `evil__${query}`, `popular ${query}`);
  use('bad', 'mail__send', 'mail');
  evidence.settle(NOW);
  const total = Array.from({ length: 100 }, (_, query) => weight(`evil__${query}`)).reduce((sum, each) => sum + each, 0);
  expect(total).toBeCloseTo(2, 2);
  expect(weight('evil__0')).toBeCloseTo(0.02, 3);
  expect(weight('mail__send')).toBeCloseTo(1, 5);
});

test('with few searching keys each has a larger budget, which shrinks with more keys', () => {
  const { evidence, use, weight } = setUp();
  for (let query = 0; query < 100; query++) use('only', 'shop__find', `thing ${query}`);
  evidence.settle(NOW, Number.POSITIVE_INFINITY);
  expect(weight('shop__find')).toBeCloseTo(80, 1);
  for (let key = 0; key < 19; key++) use(`key_${key}`, 'mail__send', 'mail');
  evidence.settle(NOW, Number.POSITIVE_INFINITY);
  expect(weight('shop__find')).toBeCloseTo(4, 1);
});

test('an action keeps its strongest queries, a key its latest, and all of it has an end', () => {
  const { evidence, use, votes, weight } = setUp({ queriesPerAction: 3, talliesPerKey: 5, tallies: 8 });
  for (const key of ['a', 'b']) use(key, 'mail__send', 'mail');
  for (let query = 0; query < 10; query++) use('c', 'mail__send', `other ${query}`);
  expect(weight('mail__send', 'mail')).toBe(2);
  expect(votes.size).toBe(3);
  for (let action = 0; action < 10; action++) use('d', `shop__${action}`, 'find');
  expect([...votes.values()].filter(({ action }) => action.startsWith('shop')).map(({ action }) => action)).toEqual(
    [5, 6, 7, 8, 9].map((action) => `shop__${action}`),
  );
  for (let key = 0; key < 100; key++) use(`key_${key}`, `tool__${key}`, 'find');
  expect(evidence.size).toBe(8);
  expect(votes.size).toBe(8);
});

test('long queries of all keys together have an end, and the newest stay', () => {
  const { evidence, use, votes } = setUp({ terms: 12 });
  for (let key = 0; key < 9; key++) use(`key_${key}`, `tool__${key}`, 'one two three four five');
  expect([...votes.values()].map(({ action }) => action)).toEqual(['tool__7', 'tool__8']);
  evidence.clear();
  use('key', 'tool__other', 'one two three');
  expect(evidence.size).toBe(1);
});

test('a key that was dropped no longer counts, the others do', () => {
  const { evidence, use, weight } = setUp();
  for (const key of ['a', 'b']) use(key, 'mail__send', 'mail');
  use('a', 'mail__read', 'mail');
  expect(evidence.dropKey('a')).toBe(true);
  expect(evidence.dropKey('a')).toBe(false);
  evidence.settle(NOW);
  expect(weight('mail__send')).toBeCloseTo(1, 5);
  expect(weight('mail__read')).toBe(0);
});

test('evidence that is merged from the store keeps its weight, and older records have no effect', () => {
  const first = setUp();
  for (const key of ['a', 'b']) first.use(key, 'mail__send', 'mail');
  first.use('b', 'mail__send', 'mail', { ok: false, at: NOW + 1 });
  const { save } = first.evidence.takeChanges();

  const second = setUp();
  for (const record of save) second.evidence.merge(record, NOW);
  expect(second.weight('mail__send')).toBeCloseTo(first.weight('mail__send'), 5);
  expect(second.evidence.takeChanges()).toEqual({ save: [], remove: [] });
  second.use('a', 'mail__send', 'mail', { ok: false, at: NOW + 2 });
  const before = second.weight('mail__send');
  for (const record of save) second.evidence.merge(record, NOW);
  expect(second.weight('mail__send')).toBe(before);
});

test('a success that only repeats a fresh one is not written again', () => {
  const { evidence, use } = setUp();
  for (let call = 0; call < 3; call++) use('a', 'mail__send', 'mail', { at: NOW + call });
  expect(evidence.takeChanges().save).toHaveLength(1);
  use('a', 'mail__send', 'mail', { at: NOW + 60_000 });
  expect(evidence.takeChanges().save).toHaveLength(0);
  use('a', 'mail__send', 'mail', { at: NOW + DAY_MS });
  expect(evidence.takeChanges().save).toHaveLength(1);
});

test('a query without terms teaches nothing', () => {
  const { evidence } = setUp();
  evidence.record({ keyId: 'a', action: 'mail__send', terms: [], at: NOW, ok: true });
  expect(evidence.size).toBe(0);
});
