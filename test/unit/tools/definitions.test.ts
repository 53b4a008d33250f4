import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { Tools } from '../../../src/index';

const offline = new Tools({ fetch: () => Promise.reject(new Error('no network call is allowed')) });

test('promise 2, two tools: both definitions together cost at most 280 tokens, well below the promised 350', async () => {
  expect(encode(JSON.stringify(await offline.getTools())).length).toBeLessThanOrEqual(280);
});

test('promise 2, byte-stable: getTools() gives the same bytes every time, from every client, without key and network', async () => {
  const first = JSON.stringify(await offline.getTools());
  expect(JSON.stringify(await offline.getTools())).toBe(first);
  expect(JSON.stringify(await new Tools({ apiKey: 'svc_toolkit_wrong' }).getTools({ staticActions: [], staticToolkits: [] }))).toBe(first);
});

test('names and shapes of the two tools match the interface', () => {
  expect(offline.definitions().map(({ name, parameters }) => ({ name, required: parameters.required }))).toEqual([
    { name: 'search_services', required: ['query'] },
    { name: 'invoke_service', required: ['action', 'payload'] },
  ]);
  expect(offline.definitions()).toMatchObject([
    { parameters: { properties: { query: { type: 'string' }, limit: { type: 'integer' } } } },
    { parameters: { properties: { action: { type: 'string' }, payload: { type: 'object', additionalProperties: true } } } },
  ]);
});

test('the definitions are frozen all the way down, and a list from getTools is the caller’s own', async () => {
  const [search] = offline.definitions();
  expect(Object.isFrozen(offline.definitions())).toBe(true);
  expect(() => Object.assign(search?.parameters.properties as object, { query: 0 })).toThrow(TypeError);
  const tools = await offline.getTools();
  tools.pop();
  expect(await offline.getTools()).toHaveLength(2);
});
