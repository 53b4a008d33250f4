/** The title of an action and the shape of its result: from its registration to the catalogue and to MCP clients. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type ActionReport, ADMIN_PATHS } from '#sdk/protocol/admin';
import type { ActionsPage } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { startService, type TestService } from '../../../test/support/service';

const WEATHER = {
  action: 'now',
  actionDescription: 'Says the weather of a city',
  title: 'Weather now',
  resultDescription: { degrees: { type: 'number', required: true }, sky: 'text' },
};
const SCHEMA = {
  type: 'object',
  properties: { degrees: { type: 'number' }, sky: { description: 'text' } },
  required: ['degrees'],
};

async function clientOf(service: TestService): Promise<Client> {
  const { key } = await service.keys.create({ kind: 'agent', name: 'host' });
  const client = new Client({ name: 'host', version: '1' });
  onTestFinished(() => client.close());
  const url = new URL(`${service.url}/mcp?dynamicTools=false&staticToolkits=weather`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }));
  return client;
}

test('the catalogue has both, a search has neither, and they stay on the data', async () => {
  const { path: data, remove } = makeFolder();
  onTestFinished(remove);
  const first = await startService({ data });
  await first.toolkit('weather', (toolkit) => toolkit.action(WEATHER, () => ({ degrees: 20 })));
  expect(await listed(first)).toMatchObject({ title: 'Weather now', resultSchema: SCHEMA });
  expect((await (await first.tools()).search('weather')).actions[0]).not.toHaveProperty('resultSchema');
  await first.close();

  const second = await startService({ data });
  expect(await listed(second)).toMatchObject({ title: 'Weather now', resultSchema: SCHEMA, online: false });
});

test('an MCP client gets the title and the output schema, and a structured result, also beside an image and a repair', async () => {
  const service = await startService();
  await service.toolkit('weather', (toolkit) => {
    toolkit.action({ ...WEATHER, payloadDescription: { days: { type: 'integer' } } }, (ctx, { days }: { days?: number }) => {
      if (days === 2) ctx.image(Buffer.from('iVBORw0KGgo=', 'base64'), 'image/png');
      return days === 3 ? 'no object' : { degrees: 20 };
    });
  });
  const client = await clientOf(service);

  const [tool] = (await client.listTools()).tools;
  expect(tool).toMatchObject({ name: 'weather__now', title: 'Weather now', outputSchema: SCHEMA });
  const call = (days: unknown) => client.callTool({ name: 'weather__now', arguments: { days } });
  expect(await call(1)).toMatchObject({ structuredContent: { degrees: 20 } });
  expect(await call('1')).toMatchObject({ structuredContent: { degrees: 20 }, content: [{ text: expect.stringContaining('note') }] });
  expect(await call(2)).toMatchObject({ structuredContent: { degrees: 20 }, content: [{ type: 'text' }, { type: 'image' }] });
  // A result of another shape arrives too.
  expect(await call(3)).toMatchObject({ isError: true, content: [{ type: 'text', text: 'no object' }] });
});

test('a shape that cannot be read costs the shape alone, and the developer is warned at each registration', async () => {
  const service = await startService();
  const resultDescription = { type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } };
  const toolkit = await service.toolkit('weather', (starting) => {
    starting.action({ ...WEATHER, resultDescription }, () => ({ degrees: 20 }));
    starting.action({ ...WEATHER, action: 'later' }, () => ({ degrees: 21 }));
  });
  const warned = {
    rule: 'result-dropped',
    action: 'weather__now',
    message: expect.stringContaining('resultDescription at /properties/a/$ref'),
  };
  expect((await toolkit.ready).warnings).toContainEqual(expect.objectContaining(warned));
  expect(await listed(service)).not.toHaveProperty('resultSchema');
  expect(await (await service.tools()).invoke('weather__now', {})).toMatchObject({ result: { degrees: 20 } });
  expect((await listed(service, 'weather__later')).resultSchema).toEqual(SCHEMA);
});

test('a shape that names no member is reported to the developer, and the console has the shape of an action', async () => {
  const service = await startConsole();
  const toolkit = await service.toolkit('weather', (starting) => {
    starting.action({ ...WEATHER, resultDescription: { type: 'object' } }, () => ({ degrees: 20 }));
    starting.action({ ...WEATHER, action: 'later', actionDescription: 'Forecasts rain at sea' }, () => ({ degrees: 21 }));
  });
  const opaque = { rule: 'result-opaque', action: 'weather__now' };
  const { warnings } = await toolkit.ready;
  expect(warnings?.filter(({ rule }) => rule === 'result-opaque')).toMatchObject([opaque]);
  const report = await service.owner.json<ActionReport>('GET', `${ADMIN_PATHS.reports}/actions/weather__now`);
  expect(report).toMatchObject({ resultSchema: { type: 'object' }, findings: [opaque] });
});

test('a result may be a list or a text: programs see its shape, and MCP clients, which know objects alone, do not', async () => {
  const service = await startService();
  const cities = z.array(z.object({ name: z.string(), founded: z.string().transform(Number).pipe(z.int()) }));
  await service.toolkit('weather', (toolkit) => {
    toolkit.action({ ...WEATHER, resultDescription: cities }, (ctx) => ctx.result([{ name: 'Rome', founded: -753 }]));
    toolkit.action({ ...WEATHER, action: 'sky', resultDescription: 'The sky in one word' }, () => 'clear');
  });
  expect((await listed(service)).resultSchema).toMatchObject({ type: 'array', items: { type: 'object', required: ['name', 'founded'] } });
  expect((await listed(service, 'weather__sky')).resultSchema).toEqual({ description: 'The sky in one word' });
  const client = await clientOf(service);
  for (const tool of (await client.listTools()).tools) expect(tool).not.toHaveProperty('outputSchema');
  const answer = await client.callTool({ name: 'weather__now', arguments: {} });
  expect(answer).toMatchObject({ content: [{ type: 'text', text: '[{"name":"Rome","founded":-753}]' }] });
  expect(answer).not.toHaveProperty('isError');
});

async function listed(service: TestService, id = 'weather__now') {
  const { actions } = (await (await service.request(`/v1/actions?ids=${id}`)).json()) as ActionsPage;
  return actions[0] ?? expect.fail(`no ${id}`);
}
