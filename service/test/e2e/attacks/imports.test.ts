/** Attacks by imported documents and MCP servers: other addresses, large sizes, changes after their approval. */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { SvcError, type Tools } from 'svc-sdk';
import { importOpenapi, openapiToolkit } from 'svc-service/import';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { listening } from '../../../../test/support/listening';
import { startService } from '../../../../test/support/service';
import { openMcp } from '../../../import/mcp/open-mcp';
import { type RecordedApi, recordedApi } from '../../support/recorded-api';

const TRAVERSALS = [
  '../admin',
  '..\\admin',
  '%2e%2e%2fadmin',
  '..%2fadmin',
  '.%2e/admin',
  '%252e%252e%252fadmin',
  'x/../../admin',
  '..;/admin',
  '..%00/admin',
  '%c0%ae%c0%ae%c0%afadmin',
  '\uff0e\uff0e\uff0fadmin',
  '..#/admin',
];

async function serve(document: object, api: RecordedApi): Promise<Tools> {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'api' });
  const toolkit = await openapiToolkit({
    document: { openapi: '3.0.3', info: { title: 'API' }, ...document },
    toolkitId: 'api',
    baseUrl: `${api.url}/v1`,
    auth: { bearer: 'secret-token-1' },
    toolkit: { apiKey: key, baseUrl: service.url },
  });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
  return service.tools();
}

describe('a path value', () => {
  const paths = { '/pets/{id}': { get: { operationId: 'getPet' } } };

  test.each(TRAVERSALS)('%j reaches no operation', async (id) => {
    const api = await recordedApi();
    const tools = await serve({ paths }, api);
    await expect(tools.invoke('api__getPet', { id })).rejects.toMatchObject({ details: { cause: { code: 'INVALID_PATH_VALUE' } } });
    expect(api.requests).toEqual([]);
  });
});

describe('a document', () => {
  test.each(['http://127.0.0.1:PORT/inside', 'https://169.254.169.254/latest', 'https://localhost:PORT'])(
    'whose server is %s reaches nothing there',
    async (server) => {
      const inside = await recordedApi();
      const url = server.replace('PORT', new URL(inside.url).port);
      const paths = { '/pets': { servers: [{ url }], get: { operationId: 'list' } }, '/all': { get: { operationId: 'all' } } };
      const document = { openapi: '3.0.3', info: { title: 'API' }, servers: [{ url }], paths };
      expect(() => importOpenapi({ ...document, paths: {} })).toThrow(SvcError);
      const api = await recordedApi();
      const own = importOpenapi({ ...document, servers: [] }, { baseUrl: api.url });
      expect(own.skipped).toMatchObject([{ what: 'GET /pets' }]);
      expect(inside.requests).toEqual([]);
    },
  );

  test('with references to other addresses and files reads none of them', async () => {
    const other = await recordedApi();
    const references = [`${other.url}/pet.json`, 'file:///etc/passwd', '/etc/passwd', '../package.json'];
    const paths = Object.fromEntries(
      references.flatMap(($ref, index) => {
        const content = { 'application/json': { schema: { $ref } } };
        return [
          [`/item${index}`, { $ref }],
          [`/body${index}`, { post: { operationId: `body${index}`, requestBody: { content } } }],
        ];
      }),
    );
    const { actions, skipped } = importOpenapi({ openapi: '3.0.3', info: { title: 'API' }, paths }, { baseUrl: other.url });
    expect(actions).toHaveLength(references.length);
    expect(skipped.filter(({ part }) => part === undefined)).toHaveLength(references.length);
    expect(skipped.flatMap(({ part }) => part ?? [])).toEqual(references.map((each) => `reference ${each}`));
    expect(JSON.stringify(actions)).not.toMatch(/root:|"version"|\$ref/);
    expect(other.requests).toEqual([]);
  });

  test('whose API redirects to another address sends it neither a request nor the credential', async () => {
    const inside = await recordedApi();
    const api = await recordedApi((_request, response) => response.writeHead(302, { location: `${inside.url}/latest/meta-data` }).end());
    const tools = await serve({ paths: { '/pets': { get: { operationId: 'list' }, post: { operationId: 'add' } } } }, api);
    expect((await tools.invoke('api__list')).result).toMatchObject({ status: 302 });
    await expect(tools.invoke('api__add')).rejects.toMatchObject({ code: 'ACTION_FAILED' });
    expect(inside.requests).toEqual([]);
  });

  test('with a schema of a megabyte becomes an action that the service accepts', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`field${index}`, { type: 'string', description: 'x'.repeat(500) }]),
    );
    const content = { 'application/json': { schema: { type: 'object', properties } } };
    const paths = { '/pets': { post: { operationId: 'add', requestBody: { required: true, content } } } };
    expect(JSON.stringify(paths).length).toBeGreaterThan(1_000_000);
    const api = await recordedApi();
    const tools = await serve({ paths }, api);
    await tools.invoke('api__add', { field0: 'a' });
    expect(api.requests).toHaveLength(1);
    const [action] = importOpenapi({ openapi: '3.0.3', info: { title: 'API' }, paths }, { baseUrl: api.url }).actions;
    expect(JSON.stringify(action?.payloadDescription).length).toBeLessThanOrEqual(DEFAULT_LIMITS.payloadDescriptionBytes);
  });
});

describe('an MCP server', () => {
  const script = fileURLToPath(new URL('../../../../test/support/faulty-mcp-server.mjs', import.meta.url));

  test('gets no variable of the service, in any spelling of its name', async () => {
    for (const name of ['SVC_ADMIN_API_KEY', 'svc_admin_api_key', 'Svc_Toolkit_Api_Key']) {
      const source = openMcp({ command: process.execPath, args: [script], env: { [name]: 'secret' } });
      onTestFinished(() => source.close());
      await expect(source.listActions()).rejects.toThrow(name);
    }
  });

  test('over HTTP that redirects to another address reaches nothing there', async () => {
    const inside = await recordedApi();
    const server = createServer((_request, response) => response.writeHead(307, { location: `${inside.url}/mcp` }).end());
    const source = openMcp({ url: await listening(server), headers: { Authorization: 'Bearer secret-token-1' } });
    onTestFinished(() => source.close());
    await expect(source.listActions()).rejects.toThrow();
    expect(inside.requests).toEqual([]);
  });
});
