// @module-tag postgres
// @module-tag nats
/** Results that do not fit what their toolkit declares: delivered, counted, shown to its developer, and without an output schema at /mcp. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CatalogAction } from '#sdk/protocol/http';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { runToolkit, startService, type TestService } from '../../../test/support/service';

const ID = 'shop__get_order';
const ORDER = {
  action: 'get_order',
  actionDescription: 'Gets one order of the shop by its number',
  resultDescription: { id: { type: 'integer', required: true }, note: 'Of the customer' },
};
const WRONG = { id: 'secret', note: 'x' };

async function listed(service: TestService): Promise<CatalogAction> {
  return (await (await service.request(`/v1/actions/${ID}`)).json()) as CatalogAction;
}

async function outputSchema(service: TestService): Promise<unknown> {
  const { key } = await service.keys.create({ kind: 'agent', name: 'host' });
  const client = new Client({ name: 'host', version: '1' });
  onTestFinished(() => client.close());
  const url = new URL(`${service.url}/mcp?dynamicTools=false&staticToolkits=shop`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }));
  return (await client.listTools()).tools[0]?.outputSchema;
}

test('a result that does not fit arrives, is counted by place, and takes the output schema from MCP clients until the action changes', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const toolkit = await runToolkit(service.url, key, (shop) => {
    void shop.updateToolkit({ description: 'Orders and customers of a tea business' });
    shop.action(ORDER, (ctx, { right }: { right?: boolean }) => ctx.result(right ? { id: 1 } : WRONG));
  });
  expect((await toolkit.ready).warnings.map(({ rule }) => rule)).not.toContain('result-misfit');
  const tools = await service.tools();
  expect((await tools.search(ID)).actions[0]).toMatchObject({
    result: expect.stringContaining('id:int'),
    resultSchema: { required: ['id'] },
  });

  expect(await tools.invoke(ID, { right: true })).toMatchObject({ result: { id: 1 } });
  expect(await listed(service)).not.toHaveProperty('resultMisfits');
  expect(await outputSchema(service)).toMatchObject({ required: ['id'] });

  expect(await tools.invoke(ID, {})).toMatchObject({ result: WRONG });
  await vi.waitFor(async () => expect(await listed(service)).toMatchObject({ resultMisfits: [{ path: '/id', results: 1 }] }));
  expect(JSON.stringify(await listed(service))).not.toContain('secret');
  expect(await outputSchema(service)).toBeUndefined();
  expect(await tools.invoke(ID, {})).toMatchObject({ result: WRONG });

  const again = await runToolkit(service.url, key, (shop) => shop.action(ORDER, (ctx) => ctx.result(WRONG)));
  const [warning] = (await again.ready).warnings.filter(({ rule }) => rule === 'result-misfit');
  expect(warning).toMatchObject({ action: ID, severity: 'warning', message: expect.stringContaining('/id') });

  const changed = await runToolkit(service.url, key, (shop) =>
    shop.action({ ...ORDER, resultDescription: { id: { type: 'string', required: true } } }, (ctx) => ctx.result(WRONG)),
  );
  await changed.ready;
  expect(await listed(service)).not.toHaveProperty('resultMisfits');
  expect(await outputSchema(service)).toMatchObject({ required: ['id'] });
});

test('each node knows the misfits of the calls that another node ran', async () => {
  const [near, far] = (await startNodes(2)) as [TestService, TestService];
  await far.toolkit('shop', (shop) => shop.action(ORDER, (ctx) => ctx.result(WRONG)));
  await offeredAt([near, far], ID);
  const tools = await near.tools();
  for (let call = 0; call < 3; call++) expect(await tools.invoke(ID, {})).toMatchObject({ result: WRONG });
  for (const node of [near, far]) {
    await vi.waitFor(async () => expect(await listed(node)).toMatchObject({ resultMisfits: [{ path: '/id', results: 3 }] }), {
      timeout: 30_000,
    });
    expect(await outputSchema(node)).toBeUndefined();
  }
});
