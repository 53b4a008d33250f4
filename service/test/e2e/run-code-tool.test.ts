/** The tool `run_code`, as models and programs use it: `Tools`, an adapter, MCP clients. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { Tools, type ToolsOptions } from 'svc-sdk';
import { agentTools } from 'svc-sdk/agent-tool';
import type { CreateKeyRequest } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../../test/support/service';
import { Shop } from '../support/code-runs';

const ORDERS = `
  const prices = await Promise.all(['tea', 'bread'].map((item) => tools.shop.price({ item })));
  const order = await tools.shop.order({ item: 'tea' });
  console.log('cents', prices.map(({ data }) => data.cents).join());
  return order.data ?? order.error.code;`;

async function setUp({ key = {}, ...options }: Omit<ToolsOptions, 'apiKey' | 'baseUrl'> & { key?: object } = {}) {
  const service = await startService({ code: true });
  const shop = new Shop();
  await service.toolkit('shop', shop.define);
  const { key: apiKey } = await service.keys.create({ kind: 'agent', name: 'coder', code: true, ...key });
  return { service, shop, apiKey, tools: new Tools({ apiKey, baseUrl: service.url, code: true, ...options }) };
}

const call = (input: object, id = 'call_8kQ2vYtZ0bXnLs4HdWcRjM1p') => ({
  id,
  type: 'function',
  function: { name: 'run_code', arguments: JSON.stringify(input) },
});

const contentOf = async (tools: Tools, input: object, id?: string) => {
  const [message] = await tools.callTools([call(input, id)]);
  return JSON.parse(message?.content ?? '');
};

test('the third tool costs at most 150 tokens, and only those who ask for it get it', async () => {
  const { tools, apiKey, service } = await setUp();
  const all = await tools.getTools();
  expect(all.map(({ function: { name } }) => name)).toEqual(['search_services', 'invoke_service', 'run_code']);
  expect(encode(JSON.stringify(all[2])).length).toBeLessThanOrEqual(150);
  const without = new Tools({ apiKey, baseUrl: service.url });
  expect(without.definitions()).toHaveLength(2);
  expect(await contentOf(without, { code: 'return 1' })).toMatchObject({ error: { code: 'UNKNOWN_TOOL' } });
});

test('a program runs once for one tool call, whatever is asked again, and the model reads result and log', async () => {
  const { tools, shop } = await setUp();
  const first = await contentOf(tools, { code: ORDERS });
  expect(first).toMatchObject({ status: 'done', result: { order: 1 }, log: 'cents 300,500', calls: 3 });
  expect(await contentOf(tools, { code: ORDERS })).toEqual(first);
  expect(await contentOf(tools, { run: first.run }, 'call_3fG7mPq9xTe5KuVa2YzNo6Ci')).toEqual(first);
  expect(shop.orders.get('tea')).toBe(1);
});

test('an image that a program emits is seen, and wrong arguments teach', async () => {
  const { tools } = await setUp();
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const code = `emit({ type: 'image', data: '${png}', mimeType: 'image/png' }); return 'drawn';`;
  const answer = await tools.answerTool('run_code', { code });
  expect(answer.media).toMatchObject([{ mediaType: 'image/png' }]);
  expect(answer.content).toContain('drawn');
  expect(await contentOf(tools, {})).toMatchObject({ error: { code: 'INVALID_PAYLOAD', message: expect.stringContaining('`code`') } });
  expect(await tools.runCode(`return (await tools.describe('run_code')).data`)).toMatchObject({
    status: 'done',
    result: expect.stringContaining('At most 100 calls'),
  });
});

const APP_ASKS = { rules: [{ match: { action: 'shop__order' }, do: 'ask', decidedBy: 'app' }] } satisfies Partial<CreateKeyRequest>;

test('the user of the application is asked about exactly the call, and the run goes on', async () => {
  const asked: unknown[] = [];
  const { tools, shop } = await setUp({
    key: APP_ASKS,
    userId: 'u_1',
    onApprovalRequired: ({ action, payload, userId }) => {
      asked.push({ action, payload, userId });
      return 'approve';
    },
  });
  expect(await contentOf(tools, { code: ORDERS })).toMatchObject({ status: 'done', result: { order: 1 } });
  expect(asked).toEqual([{ action: 'shop__order', payload: { item: 'tea' }, userId: 'u_1' }]);
  expect(shop.orders.get('tea')).toBe(1);
});

test('without an answer now the model reads what is asked, and goes on with the run later', async () => {
  const { tools, shop, apiKey, service } = await setUp({ key: APP_ASKS });
  const waiting = await contentOf(tools, { code: ORDERS });
  expect(waiting).toMatchObject({
    status: 'waiting',
    asks: [{ action: 'shop__order', payload: { item: 'tea' }, approval: { status: 'pending' } }],
    message: expect.stringContaining(`run_code {"run":"${waiting.run}"}`),
  });
  await tools.decideApproval(waiting.asks[0].approval.id, { decision: 'deny' });
  const later = new Tools({ apiKey, baseUrl: service.url, code: true, approvals: 'wait' });
  expect(await contentOf(later, { run: waiting.run }, 'call_Zr1Jw8HsLx4bQvTn7MdEk0Yp')).toMatchObject({
    status: 'done',
    result: 'APPROVAL_DENIED',
  });
  expect(shop.orders.size).toBe(0);
});

test('an adapter has the tool, and its own rule asks about the calls of a program', async () => {
  const { tools, shop } = await setUp();
  const tool = agentTools({ tools, needsApproval: true }).find(({ name }) => name === 'run_code');
  const { value } = (await tool?.answer({ code: ORDERS }, { toolCallId: 'call_U5cXo2RgAi9fWtBm6SlKq3De' })) ?? {};
  expect(value).toMatchObject({ status: 'waiting', asks: [{ action: 'shop__price' }, { action: 'shop__price' }] });
  expect(shop.calls).toEqual([]);
});

test('an MCP client gets the tool by the query, where service and key run code', async () => {
  const { service, apiKey, shop } = await setUp();
  const client = async (query: string, key = apiKey) => {
    const connected = new Client({ name: 'host', version: '1' });
    onTestFinished(() => connected.close());
    const headers = { authorization: `Bearer ${key}` };
    await connected.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp${query}`), { requestInit: { headers } }));
    return connected;
  };
  const namesOf = async (query: string) => (await (await client(query)).listTools()).tools.map(({ name }) => name);
  expect(await namesOf('')).not.toContain('run_code');
  expect(await namesOf('?code=true')).toContain('run_code');
  const run = { name: 'run_code', arguments: { code: ORDERS } };
  expect(await (await client('?code=true')).callTool(run)).toMatchObject({ structuredContent: { status: 'done', result: { order: 1 } } });
  expect(shop.orders.get('tea')).toBe(1);
  const { key } = await service.keys.create({ kind: 'agent', name: 'no coder' });
  expect(await (await client('?code=true', key)).callTool(run)).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'ACTION_NOT_ALLOWED' } },
  });
});
