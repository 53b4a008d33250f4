/** Queries and actions that read, change or destroy. */
import { describe, expect, test } from 'vitest';
import { SearchIndex } from '../../../src/catalog/search';
import { effectFit, effectOfAction, effectOfQuery } from '../../../src/catalog/search/effects';

describe('the effect that a query requests', () => {
  test.each([
    ['show the pods of a namespace', 'reads'],
    ['Which of our emails bounced?', 'reads'],
    ['could you please add a label', 'changes'],
    ['how do I delete a branch', 'destroys'],
    ['weather in a city', 'unknown'],
    ['get a phone number', 'unknown'],
    ['constructor', 'unknown'],
    ['', 'unknown'],
  ])('%s: %s', (query, effect) => {
    expect(effectOfQuery(query)).toBe(effect);
  });
});

test.each([
  [{}, 'unknown'],
  [{ readOnly: true }, 'reads'],
  [{ readOnly: true, destructive: true }, 'reads'],
  [{ destructive: true, idempotent: true }, 'destroys'],
  [{ idempotent: true }, 'changes'],
  [{ readOnly: false }, 'changes'],
])('an action with %o: %s', (annotations, effect) => {
  expect(effectOfAction(annotations)).toBe(effect);
});

test('a query without an effect prefers no action', () => {
  const effects = ['unknown', 'reads', 'changes', 'destroys'] as const;
  expect(effects.map((does) => effectFit('unknown', does))).toEqual([0, 0, 0, 0]);
});

test('of actions with the same words, the action with the effect of the query is first', () => {
  const index = new SearchIndex();
  const add = (name: string, annotations: object) =>
    index.upsert({
      id: `tunes__${name}`,
      toolkitId: 'tunes',
      toolkitName: 'Tunes',
      toolkitDescription: '',
      name,
      description: 'Songs of a playlist',
      payloadSchema: { type: 'object' },
      annotations,
    });
  add('one', { destructive: true });
  add('other', { readOnly: true });
  add('third', { idempotent: true });
  const first = (query: string) => index.search(query, { limit: 3 })[0];
  expect(first('show songs of a playlist')).toBe('tunes__other');
  expect(first('remove songs of a playlist')).toBe('tunes__one');
  expect(first('put songs on a playlist')).toBe('tunes__third');
});
