/** The title of an action and the shape of its result: from its registration to the catalogue and to MCP clients. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import type { ActionsPage } from '#sdk/protocol/http';
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
  const listed = async (service: TestService) =>
    ((await (await service.request('/v1/actions?ids=weather__now')).json()) as ActionsPage).actions[0];
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

test('a result description that is not a schema rejects the action, like such a payload description', async () => {
  const service = await startService();
  const resultDescription = { type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } };
  const registering = service.toolkit('weather', (toolkit) => toolkit.action({ ...WEATHER, resultDescription }, () => ({})));
  await expect(registering).rejects.toMatchObject({ code: 'INVALID_ACTION', message: expect.stringContaining('$ref') });
});
