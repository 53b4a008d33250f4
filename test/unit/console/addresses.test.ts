import { expect, test } from 'vitest';
import { overviewSearch } from '../../../console/src/pages/overview/overview-search';
import { searchPageSearch } from '../../../console/src/pages/search/search-page-search';
import { DEFAULT_SEARCH_LIMIT, DEFAULT_SEARCH_TOKENS } from '../../../src/protocol/http';

const FROM = '2026-11-20T09:00:00.000Z';
const TO = '2026-11-20T10:00:00.000Z';

test('the overview looks at a span and at a time within it, and at nothing that is neither', () => {
  expect(overviewSearch({ span: '6h', from: FROM, to: TO })).toEqual({ span: '6h', from: FROM, to: TO });
  for (const wrong of [{ from: TO, to: FROM }, { from: FROM }, { from: 'then', to: TO }, { from: 1, to: TO }, { span: 'ever' }])
    expect(overviewSearch(wrong), JSON.stringify(wrong)).toEqual({});
});

test('how much a search may find is in the address where it is not as usual, and within bounds', () => {
  expect(searchPageSearch({ query: 'bells', as: 'key_1', limit: 3, maxTokens: 500 })).toEqual({
    query: 'bells',
    as: 'key_1',
    limit: 3,
    maxTokens: 500,
  });
  expect(searchPageSearch({ limit: DEFAULT_SEARCH_LIMIT, maxTokens: DEFAULT_SEARCH_TOKENS })).toEqual({});
  for (const limit of [0, 51, 1.5, '3']) expect(searchPageSearch({ limit }), `limit ${limit}`).toEqual({});
});
