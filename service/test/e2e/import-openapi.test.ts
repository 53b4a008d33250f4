/** An OpenAPI document behind `search_services` and `invoke_service`. */
import { openapiToolkit } from 'svc-service/import';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../../test/support/service';
import { recordedApi } from '../support/recorded-api';

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Pet Shop', description: 'Sells pets.' },
  paths: {
    '/pets/{id}': {
      get: { operationId: 'getPet', summary: 'Shows one pet', parameters: [{ name: 'id', in: 'path', schema: { type: 'integer' } }] },
    },
    '/pets': {
      post: {
        operationId: 'addPet',
        summary: 'Adds a pet to the shop',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } },
        },
      },
    },
  },
};

test('agents find an imported action, its payload is checked, and its errors are explained', async () => {
  const service = await startService();
  const api = await recordedApi(({ method, url }, response) => {
    const status = url === '/pets/404' ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ method, message: 'no such pet' }));
  });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const toolkit = await openapiToolkit({
    document: DOCUMENT,
    baseUrl: api.url,
    toolkitId: 'shop',
    toolkit: { apiKey: key, baseUrl: service.url },
  });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
  const tools = await service.tools();

  const { actions } = await tools.search('add a pet');
  expect(actions[0]).toMatchObject({ action: 'shop__addPet' });
  expect(await tools.invoke('shop__addPet', { name: 'Rex' })).toMatchObject({ result: { method: 'POST' } });
  expect(api.requests).toMatchObject([{ url: '/pets', body: Buffer.from('{"name":"Rex"}') }]);

  await expect(tools.invoke('shop__addPet', {})).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  await expect(tools.invoke('shop__getPet', { id: 404 })).rejects.toMatchObject({
    code: 'ACTION_FAILED',
    details: { cause: { code: 'HTTP_404', data: { status: 404 } } },
  });
  expect(api.requests).toHaveLength(2);
});

test.each(['get', 'post'])(
  'a %s that the API refuses with Retry-After is sent again by the retry of the client, and never without a valid one',
  async (method) => {
    let header = '0';
    let requests = 0;
    const api = await recordedApi((_request, response) => {
      const isFirst = requests++ === 0;
      response.writeHead(isFirst ? 429 : 200, { 'content-type': 'application/json', ...(isFirst && { 'retry-after': header }) });
      response.end(isFirst ? '{"message":"slow down"}' : '{"ok":true}');
    });
    const service = await startService();
    const { key } = await service.keys.create({ kind: 'toolkit', name: 'api' });
    const document = {
      openapi: '3.1.0',
      info: { title: 'Api', version: '1' },
      paths: { '/r': { [method]: { operationId: 'r', parameters: [{ name: 'Idempotency-Key', in: 'header' }], responses: {} } } },
    };
    const toolkit = await openapiToolkit({ document, toolkitId: 'api', baseUrl: api.url, toolkit: { apiKey: key, baseUrl: service.url } });
    toolkit.run().catch(() => {});
    onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
    await toolkit.ready;
    const tools = await service.tools();
    expect(await tools.invoke('api__r')).toMatchObject({ result: { ok: true } });
    expect(requests).toBe(2);
    const keys = api.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toHaveLength(36);
    for (header of ['-5', '1.5']) {
      requests = 0;
      await expect(tools.invoke('api__r')).rejects.toMatchObject({ code: 'ACTION_FAILED', retryable: true, retryAfterMs: undefined });
      expect(requests).toBe(1);
    }
  },
);
