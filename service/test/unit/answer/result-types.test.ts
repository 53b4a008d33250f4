import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import type { FoundAction, JsonSchema, SearchResponse } from '#sdk/protocol/http';
import { answerSearch } from '../../../src/catalog/answer/index';
import type { ActionRecord } from '../../../src/store/store';

const ORDER: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'integer', description: 'Of the order' }, note: { type: ['string', 'null'] } },
  required: ['id', 'note'],
};
const TYPE = '{id:int, note:string|null}';

function record(name: string, resultSchema?: JsonSchema): ActionRecord {
  const payloadSchema = {
    type: 'object',
    properties: { id: { type: 'integer', description: `The number of the order, as in the list of orders, for ${name}` } },
    required: ['id'],
  };
  return {
    toolkitId: 'shop',
    name,
    description: `Does ${name} with an order.`,
    payloadSchema,
    annotations: {},
    ...(resultSchema && { resultSchema }),
  };
}

/** A search that finds all records in their order. */
async function search(records: ActionRecord[], { text = 'an order', maxTokens = 1_200 } = {}): Promise<SearchResponse> {
  const byId = new Map(records.map((one) => [`shop__${one.name}`, one]));
  const parts = {
    rank: async () => [...byId.keys()],
    action: (id: string) => byId.get(id),
    toolkit: () => undefined,
    isOnline: () => true,
    mayUse: () => true,
  };
  const { json } = await answerSearch(parts, { query: { text }, limit: 50, maxTokens });
  expect(encode(json).length).toBeLessThanOrEqual(text.includes('__') ? 6 * maxTokens : maxTokens);
  return JSON.parse(json);
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `action_${index}`);
const withoutResults = ({ actions, ...rest }: SearchResponse) => ({ ...rest, actions: actions.map(({ result, ...action }) => action) });
const shaped = ({ actions }: SearchResponse) => actions.filter(({ result }) => result !== undefined);

test('a search shows the result as a type, and its schema only for the exact id', async () => {
  const [found] = (await search([record('get', ORDER)])).actions;
  expect(found).toMatchObject({ result: TYPE });
  expect(found).not.toHaveProperty('resultSchema');
  const [asked] = (await search([record('get', ORDER)], { text: 'shop__get' })).actions;
  expect(asked).toMatchObject({ result: TYPE, resultSchema: ORDER });
  expect(asked).not.toHaveProperty('shortened');
});

test.each([
  ['no declared result', undefined],
  ['a result that may be anything', {}],
])('%s gives no type', async (_, schema) => {
  expect((await search([record('get', schema)])).actions[0]).not.toHaveProperty('result');
});

test('a type takes at most 100 tokens', async () => {
  const properties = Object.fromEntries(names(200).map((name) => [name, ORDER]));
  const { result } = (await search([record('get', { type: 'object', properties })])).actions[0] as FoundAction;
  expect(result).toMatch(/ more\}$/);
  expect(encode(JSON.stringify(result)).length).toBeLessThanOrEqual(110);
});

test.each([200, 400, 600, 900, 1_200, 2_400])('in %d tokens, types take nothing from what is shown without them', async (maxTokens) => {
  const without = await search(
    names(12).map((name) => record(name)),
    { maxTokens },
  );
  const found = await search(
    names(12).map((name) => record(name, ORDER)),
    { maxTokens },
  );
  expect(withoutResults(found)).toEqual(without);
  // The best actions have them first.
  expect(found.actions.slice(0, shaped(found).length)).toEqual(shaped(found));
  if (maxTokens === 2_400) expect(shaped(found)).toHaveLength(12);
});

test('a shorter type is shown where the longer one does not fit', async () => {
  const wide = { type: 'object', properties: Object.fromEntries(names(20).map((name) => [name, ORDER])) };
  const budgets = Array.from({ length: 20 }, (_, index) => 100 + 10 * index);
  const types = budgets.map(async (maxTokens) => (await search([record('get', wide)], { maxTokens })).actions[0]?.result);
  const lengths = (await Promise.all(types)).map((type = '') => encode(type).length);
  expect(lengths[0]).toBe(0);
  expect(lengths.find((length) => length > 0)).toBeLessThanOrEqual(45);
  expect(lengths.at(-1)).toBeGreaterThan(60);
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
});

test('a schema of a result that is too long for an exact id gives way to its type, and that to the schema of the payload', async () => {
  const properties = Object.fromEntries(names(600).map((name) => [name, { type: 'string', description: 'words '.repeat(10) }]));
  const huge = { type: 'object', properties };
  const [asked] = (await search([record('get', huge)], { text: 'shop__get', maxTokens: 1_200 })).actions;
  expect(asked).toMatchObject({ payloadSchema: { required: ['id'] }, result: expect.stringContaining('more}') });
  expect(asked).not.toHaveProperty('resultSchema');
  const [short] = (await search([record('get', huge)], { maxTokens: 115 })).actions;
  expect(short).toMatchObject({ payloadSchema: { required: ['id'] } });
  expect(short).not.toHaveProperty('result');
});
