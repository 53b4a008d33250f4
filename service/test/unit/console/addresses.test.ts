import { expect, test } from 'vitest';
import { DEFAULT_SEARCH_LIMIT, DEFAULT_SEARCH_TOKENS } from '#sdk/protocol/http';
import { callsSearch } from '../../../console/src/pages/calls/calls-search';
import { overviewSearch } from '../../../console/src/pages/overview/overview-search';
import { searchPageSearch } from '../../../console/src/pages/search/search-page-search';

const FROM = '2026-11-20T09:00:00.000Z';
const TO = '2026-11-20T10:00:00.000Z';

test('the address of the overview has a span and a time within it; other values are ignored', () => {
  expect(overviewSearch({ span: '6h', from: FROM, to: TO })).toEqual({ span: '6h', from: FROM, to: TO });
  for (const wrong of [{ from: TO, to: FROM }, { from: FROM }, { from: 'then', to: TO }, { from: 1, to: TO }, { span: 'ever' }])
    expect(overviewSearch(wrong), JSON.stringify(wrong)).toEqual({});
});

test('the limits of a search are in the address if they are not the default, and within bounds', () => {
  expect(searchPageSearch({ query: 'bells', as: 'key_1', limit: 3, maxTokens: 500 })).toEqual({
    query: 'bells',
    as: 'key_1',
    limit: 3,
    maxTokens: 500,
  });
  expect(searchPageSearch({ limit: DEFAULT_SEARCH_LIMIT, maxTokens: DEFAULT_SEARCH_TOKENS })).toEqual({});
  for (const limit of [0, 51, 1.5, '3']) expect(searchPageSearch({ limit }), `limit ${limit}`).toEqual({});
});

test('calls are filtered by known names, times that are times, and ids that a person typed without quotes', () => {
  const all = {
    mine: 'toolkits',
    key: 'key_1',
    toolkit: 'a',
    action: 'a__b',
    outcome: 'ok',
    toolkitCode: 'CARD_DECLINED',
    session: 'chat/7',
    user: 'ada',
    from: '1h',
    to: TO,
    id: 'inv_1',
  };
  expect(callsSearch(all)).toEqual(all);
  expect(callsSearch({ user: 4711, session: 0 })).toEqual({ user: '4711', session: '0' });
  expect(callsSearch({ from: 'yesterday', to: 'now', key: '', user: 1e21, session: true, other: 'x' })).toEqual({});
});
