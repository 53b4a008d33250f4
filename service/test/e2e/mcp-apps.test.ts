/** MCP Apps: the pages of imported servers for MCP clients of the service. Real servers of the official SDK, and its clients. */
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as StreamableHTTPClientTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Rule } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import { startService, type TestService } from '../../../test/support/service';
import { mcpToolkit } from '../../import/mcp/mcp-toolkit';

const SERVER = fileURLToPath(new URL('../../../test/support/app-mcp-server.mjs', import.meta.url));
const PAGE = 'ui://shop/board/view.html';
const NOT_FOUND = { code: -32602, message: expect.stringContaining('not found') };

async function importServer(service: TestService, id: string, { size = '0', include }: { size?: string; include?: string[] } = {}) {
  const { key } = await service.keys.create({ kind: 'toolkit', name: id });
  const toolkit = await mcpToolkit({
    server: { command: process.execPath, args: [SERVER, id, size] },
    toolkit: { baseUrl: service.url, apiKey: key },
    toolkitId: id,
    include,
  });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  void toolkit.run();
  await toolkit.ready;
}

interface Door {
  query?: string;
  allow?: { toolkits: string[]; actions: string[] };
  callsPerMinute?: number;
  rules?: Rule[];
}

async function door(service: TestService, { query = '?dynamicTools=false&staticToolkits=shop', ...limits }: Door) {
  const { key } = await service.keys.create({ kind: 'agent', name: 'host', ...limits });
  return { url: new URL(`${service.url}/mcp${query}`), requestInit: { headers: { authorization: `Bearer ${key}` } } };
}

async function connect(service: TestService, limits: Door = {}, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'host', version: '1' }, options);
  onTestFinished(() => client.close());
  const { url, requestInit } = await door(service, limits);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

test.each([{}, { versionNegotiation: { mode: 'auto' } } as const])(
  'a client lists a tool with its app and icons, reads the page, and calls tools by their own names, with %j',
  async (options) => {
    const service = await startService();
    await importServer(service, 'shop');
    const client = await connect(service, {}, options);

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'shop__large',
      'shop__list_resources',
      'shop__move-card',
      'shop__read_resource',
      'shop__show-board',
    ]);
    const found = (id: string) => tools.find(({ name }) => name === id);
    expect(found('shop__show-board')).toMatchObject({
      title: 'Show the board',
      annotations: { readOnlyHint: true },
      icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
      outputSchema: { type: 'object' },
      _meta: { ui: { resourceUri: PAGE }, 'ui/resourceUri': PAGE, 'example.com/kept': { of: 'shop' } },
    });
    expect(found('shop__show-board')?.icons).toHaveLength(1);
    expect(found('shop__move-card')?._meta).toMatchObject({ ui: { resourceUri: PAGE, visibility: ['app'] } });
    expect(found('shop__large')).not.toHaveProperty('_meta');

    expect((await client.listResources()).resources).toEqual([
      { uri: PAGE, name: 'shop__move-card', mimeType: 'text/html;profile=mcp-app' },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    expect((await client.readResource({ uri: PAGE })).contents).toEqual([
      {
        uri: PAGE,
        mimeType: 'text/html;profile=mcp-app',
        text: '<!doctype html><title>shop</title>',
        _meta: { ui: { csp: { connectDomains: ['https://api.example.com'] }, permissions: { camera: {} }, prefersBorder: true } },
      },
    ]);
    expect(await client.callTool({ name: 'shop__show-board', arguments: {} })).toMatchObject({
      structuredContent: { cards: 3 },
      _meta: { 'example.com/cursor': 'shop-1' },
    });
    expect(await client.callTool({ name: 'move-card', arguments: {} })).toMatchObject({ content: [{ text: 'moved at shop' }] });
  },
);

test('the SDK v1 reads the page too', async () => {
  const service = await startService();
  await importServer(service, 'shop');
  const client = new ClientV1({ name: 'host', version: '1' });
  onTestFinished(() => client.close());
  const { url, requestInit } = await door(service, {});
  await client.connect(new StreamableHTTPClientTransportV1(url, { requestInit }));
  await client.listTools();
  expect((await client.readResource({ uri: PAGE })).contents).toMatchObject([{ uri: PAGE, text: expect.stringContaining('shop') }]);
  expect(await client.callTool({ name: 'show-board', arguments: {} })).toMatchObject({ structuredContent: { cards: 3 } });
});

test('two toolkits with the same page have an address each, and a tool of both needs its whole name', async () => {
  const service = await startService();
  await Promise.all([importServer(service, 'shop'), importServer(service, 'desk')]);
  const client = await connect(service, { query: '?staticToolkits=shop,desk' });
  for (const id of ['shop', 'desk'])
    expect((await client.readResource({ uri: `ui://${id}/board/view.html` })).contents).toMatchObject([
      { uri: `ui://${id}/board/view.html`, text: `<!doctype html><title>${id}</title>` },
    ]);
  await expect(client.callTool({ name: 'move-card', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  expect(await client.callTool({ name: 'desk__move-card', arguments: {} })).toMatchObject({ content: [{ text: 'moved at desk' }] });
});

test('a key reads the pages of the actions on its list and no others, and cannot tell hidden ones from unknown ones', async () => {
  const service = await startService();
  await Promise.all([importServer(service, 'shop'), importServer(service, 'desk')]);
  const client = await connect(service, {
    query: '?dynamicTools=false&staticActions=shop__show-board',
    allow: { toolkits: [], actions: ['shop__show-board'] },
  });
  expect((await client.readResource({ uri: PAGE })).contents).toHaveLength(1);
  const refusals: unknown[] = [];
  for (const uri of [
    'ui://desk/board/view.html',
    'ui://none/board/view.html',
    'ui://shop/board/secret.html',
    'ui://shop/',
    'file:///etc/passwd',
  ]) {
    const refused = await client.readResource({ uri }).catch((error: unknown) => error);
    expect(refused).toMatchObject(NOT_FOUND);
    refusals.push(String(refused).replace(uri, ''));
  }
  expect(new Set(refusals).size).toBe(1);
});

test('agents neither find nor call the action that reads the pages, and a search shows no tool that only the page calls', async () => {
  const service = await startService();
  await importServer(service, 'shop', { include: ['show-board', 'move-card'] });
  const tools = await service.tools();
  const [first] = (await tools.search('shop__show-board')).actions;
  expect(first?.action).toBe('shop__show-board');
  const { actions, more = [] } = await tools.search('shows the board, moves a card, reads a page of the apps', { limit: 50 });
  expect([...actions, ...more].map(({ action }) => action)).toEqual(['shop__show-board']);
  const listed = (await (await service.request('/v1/actions')).json()) as { actions: { action: string }[] };
  expect(listed.actions.map(({ action }) => action)).toEqual(['shop__move-card', 'shop__show-board']);
  for (const action of ['shop__move-card', 'shop__read_app_page']) {
    const body = { query: 'moves a card', action };
    const explained = await service.request('/v1/explain', { method: 'POST', body: JSON.stringify(body) });
    expect(await explained.json()).toMatchObject({ found: false, reason: expect.stringContaining('MCP Apps') });
  }
  await expect(tools.invoke('shop__read_app_page', { uri: 'ui://board/secret.html' })).rejects.toMatchObject({
    code: 'ACTION_NOT_ALLOWED',
  });
  expect((await tools.invoke('svc__read_resource', { uri: PAGE })).result).toMatchObject({ contents: [{ text: expect.any(String) }] });
});

test('a page counts as a call, one above the limit of a result is an error that says so, and so is a toolkit that has gone', async () => {
  const service = await startService();
  await importServer(service, 'shop', { size: '1100000' });
  const client = await connect(service, { callsPerMinute: 2 });
  await expect(client.readResource({ uri: PAGE })).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('at most 1048576'),
  });
  await client.readResource({ uri: PAGE }).catch(() => {});
  await expect(client.readResource({ uri: PAGE })).rejects.toMatchObject({ code: -32603, data: { code: 'RATE_LIMITED' } });
});

test('a toolkit of its own serves an app with two actions', async () => {
  const service = await startService();
  await service.toolkit('shop', (toolkit) => {
    toolkit.action(
      {
        action: 'show',
        actionDescription: 'Shows the board',
        meta: { ui: { resourceUri: 'ui://board' } },
        icons: [{ src: 'data:image/png;base64,AA==' }],
      },
      (ctx, { size = 1 }: { size?: number }) =>
        ctx.result('shown', { meta: { cards: 'x'.repeat(size), 'svc-sdk/payment': { charged: '0' } } }),
    );
    toolkit.action(
      {
        action: 'page',
        actionDescription: 'Reads the page',
        payloadDescription: { uri: { type: 'string', required: true } },
        meta: { 'svc-sdk/resources': true },
      },
      (_ctx, { uri }) => ({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: '<p>Hello' }] }),
    );
  });
  const client = await connect(service);
  const [tool] = (await client.listTools()).tools;
  expect(tool).toMatchObject({
    name: 'shop__show',
    _meta: { ui: { resourceUri: 'ui://shop/board' } },
    icons: [{ src: 'data:image/png;base64,AA==' }],
  });
  // No toolkit speaks of payments in the name of the service.
  const shown = await client.callTool({ name: 'shop__show', arguments: {} });
  expect(shown).toMatchObject({ content: [{ text: 'shown' }], _meta: { cards: 'x' } });
  expect(shown._meta).not.toHaveProperty('svc-sdk/payment');
  const tools = await service.tools();
  expect((await tools.invoke('shop__show')).meta).toMatchObject({ cards: 'x' });
  await expect(tools.invoke('shop__show', { size: 70_000 })).rejects.toMatchObject({ details: { cause: { code: 'INVALID_RESULT' } } });
  expect((await client.readResource({ uri: 'ui://shop/board' })).contents).toEqual([
    { uri: 'ui://shop/board', mimeType: 'text/html;profile=mcp-app', text: '<p>Hello' },
  ]);
});

test('meta above 8 KiB, and an icon of another kind of address, reject the action', async () => {
  const service = await startService();
  const action = { action: 'show', actionDescription: 'Shows the board' };
  const registering = (id: string, more: object) => service.toolkit(id, (toolkit) => toolkit.action({ ...action, ...more }, () => 1));
  const tooLarge = { code: 'INVALID_ACTION', message: expect.stringContaining('8192') };
  await expect(registering('large', { meta: { large: 'x'.repeat(9_000) } })).rejects.toMatchObject(tooLarge);
  await expect(registering('script', { icons: [{ src: 'javascript:alert(1)' }] })).rejects.toMatchObject({ code: 'INVALID_ACTION' });
});

test('rules hold for pages: of a hidden action none is listed or read, and a rule for the reading action denies it', async () => {
  const service = await startService();
  await importServer(service, 'shop');
  const hidden = await connect(service, {
    rules: [
      { match: { action: 'shop__show-board' }, do: 'deny' },
      { match: { action: 'shop__move-card' }, do: 'deny' },
    ],
  });
  expect((await hidden.listResources()).resources).toEqual([]);
  await expect(hidden.readResource({ uri: PAGE })).rejects.toMatchObject(NOT_FOUND);
  const reader = (matches: string) => connect(service, { rules: [{ match: { payload: [{ path: '/uri', matches }] }, do: 'deny' }] });
  expect((await (await reader('other')).readResource({ uri: PAGE })).contents).toHaveLength(1);
  await expect((await reader('board')).readResource({ uri: PAGE })).rejects.toMatchObject(NOT_FOUND);
});
