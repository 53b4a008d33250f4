import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { type ReceivedRequest, sendJson, sendProblem, wireServer } from './wire-server';

const schema = { type: 'object', properties: { city: { type: 'string', 'x-own': [1] } }, $defs: { empty: {} } };
const action = (id: string) => ({
  action: id,
  toolkit: id.split('__')[0] ?? '',
  description: `Does ${id}`,
  payloadSchema: schema,
  online: false,
});

/** Serves pages of two actions out of these. */
const catalogue = (ids: string[]) =>
  wireServer((response, { query }: ReceivedRequest) => {
    const wanted = query.get('ids')?.split(',');
    const unknown = wanted?.find((id) => !ids.includes(id));
    if (unknown === 'gone__one') return sendProblem(response, 'ACTION_NOT_FOUND', `There is no ${unknown}`, { didYouMean: [ids[0] ?? ''] });
    const all = ids.filter((id) => (wanted ? wanted.includes(id) : id.startsWith(query.has('toolkit') ? `${query.get('toolkit')}__` : '')));
    const from = Number(query.get('cursor') ?? 0);
    const nextCursor = from + 2 < all.length ? { nextCursor: String(from + 2) } : {};
    sendJson(response, { actions: all.slice(from, from + 2).map(action), ...nextCursor });
  });

const names = (tools: { function: { name: string } }[]) => tools.map((tool) => tool.function.name);

test('promise 3, one name everywhere: a static action is a function named by its id, with its schema untouched', async () => {
  const service = await catalogue(['weather__get']);
  const tools = await service.tools().getTools({ staticActions: ['weather__get'] });
  expect(names(tools)).toEqual(['search_services', 'invoke_service', 'weather__get']);
  expect(tools[2]).toEqual({ type: 'function', function: { name: 'weather__get', description: 'Does weather__get', parameters: schema } });
});

test('all actions of a toolkit are loaded, over all pages, sorted by id and without duplicates', async () => {
  const service = await catalogue(['b__5', 'b__3', 'b__1', 'b__4', 'b__2', 'a__1']);
  const tools = await service.tools().getTools({
    dynamicTools: false,
    staticToolkits: ['b', 'b'],
    staticActions: ['b__3', 'a__1', 'a__1'],
  });
  expect(names(tools)).toEqual(['a__1', 'b__1', 'b__2', 'b__3', 'b__4', 'b__5']);
});

test('* is every toolkit', async () => {
  const service = await catalogue(['b__2', 'b__1', 'a__1', 'c__1']);
  const tools = await service.tools().getTools({ dynamicTools: false, staticToolkits: ['*', 'a'] });
  expect(names(tools)).toEqual(['a__1', 'b__1', 'b__2', 'c__1']);
  const nothing = await catalogue([]);
  await expect(nothing.tools().getTools({ staticToolkits: ['*'] })).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });
});

test('many ids are requested in URLs short enough for every proxy', async () => {
  const ids = Array.from({ length: 120 }, (_, index) => `toolkit__${'a'.repeat(50)}${String(index).padStart(3, '0')}`);
  const service = await wireServer((response, { query }) => sendJson(response, { actions: query.get('ids')?.split(',').map(action) }));
  expect(names(await service.tools().getTools({ dynamicTools: false, staticActions: ids }))).toEqual(ids);
  expect(service.requests).toHaveLength(3);
  expect(Math.max(...service.requests.map(({ query }) => query.toString().length))).toBeLessThan(4_000);
});

test.each([
  [{ staticActions: ['gone__one'] }, { code: 'ACTION_NOT_FOUND', details: { didYouMean: ['weather__get'] } }],
  [{ staticActions: ['hidden__one'] }, { code: 'ACTION_NOT_FOUND', message: expect.stringContaining('hidden__one') }],
  [{ staticActions: ['get_weather,weather__get'] }, { code: 'ACTION_NOT_FOUND', message: expect.stringContaining('not an action id') }],
  [{ staticActions: [''] }, { code: 'ACTION_NOT_FOUND' }],
  [{ staticToolkits: ['empty'] }, { code: 'ACTION_NOT_FOUND', message: expect.stringContaining('"empty"') }],
  [{ staticToolkits: ['No Toolkit'] }, { code: 'TOOLKIT_NOT_FOUND', message: expect.stringContaining('not a toolkit id') }],
  [{ dynamicTools: false }, { code: 'INVALID_REQUEST', message: expect.stringContaining('staticToolkits') }],
])('%j is an error and never a silently shorter list', async (options, error) => {
  const service = await catalogue(['weather__get']);
  await expect(service.tools().getTools(options)).rejects.toMatchObject(error);
});

test('a service whose pages never end is an error', async () => {
  const service = await wireServer((response) => sendJson(response, { actions: [action('a__b')], nextCursor: 'again' }));
  await expect(service.tools().getTools({ staticToolkits: ['a'] })).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(service.requests).toHaveLength(2);
});

test('static tools with a key of the wrong kind reject with its error', async () => {
  const service = await catalogue([]);
  await expect(service.tools({ apiKey: 'svc_toolkit_x' }).getTools({ staticToolkits: ['a'] })).rejects.toMatchObject({
    code: 'WRONG_KEY_KIND',
  });
});

test('one id in the place of a list is an error', async () => {
  for (const options of [{ staticToolkits: 'weather' }, { staticActions: 'weather__get' }])
    await expect(new Tools().getTools(options as object)).rejects.toThrow(/are lists of ids/);
});
