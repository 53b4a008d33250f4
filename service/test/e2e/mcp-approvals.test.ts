/** Calls at `/mcp` that a rule asks about: real clients of each revision, with timeouts below the wait, and forged states. */
import { Client, type ClientOptions, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Rule } from 'svc-sdk';
import { svcMcpServer } from 'svc-sdk/mcp';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startConsole } from '../../../test/support/console-service';
import { connect as connectOverStdio } from '../../../test/support/mcp-client';
import { startService, type TestService } from '../../../test/support/service';
import { startApprover } from '../support/approver';
import { McpDoor, MODERN, shortWaits } from '../support/mcp-door';

const ORDER = { name: 'invoke_service', arguments: { action: 'shop__order', payload: { item: 'tea' } } };
const ORDERED = { content: [{ type: 'text', text: 'tea is ordered' }] };
const ASKS: Rule = { match: { action: 'shop__order' }, do: 'ask' };

async function startShop(rule = ASKS, service?: TestService) {
  const shop = service ?? (await startService());
  const ran: unknown[] = [];
  await shop.toolkit('shop', (toolkit) => {
    toolkit.action({ action: 'order', actionDescription: 'Orders an item', payloadDescription: { item: 'text' } }, (_, payload) => {
      ran.push(payload);
      return `${payload.item} is ordered`;
    });
  });
  const { key } = await shop.keys.create({ kind: 'agent', name: 'client', rules: [rule] });
  return { service: shop, ran, key, approver: await startApprover(shop) };
}

async function connect({ url }: TestService, key: string, options: ClientOptions = {}, send: FetchLike = fetch): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  onTestFinished(() => client.close());
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: send,
  });
  await client.connect(transport);
  return client;
}

async function connectV1({ url }: TestService, key: string): Promise<ClientV1> {
  const client = new ClientV1({ name: 'test', version: '1' }, { capabilities: { elicitation: { url: {} } } });
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new TransportV1(new URL(`${url}/mcp`), { requestInit }) as Parameters<typeof client.connect>[0]);
  return client;
}

test('2026-07-28: the call is made again in rounds, each with a fresh timeout, and runs once when a person has approved', async () => {
  shortWaits();
  const { service, ran, key, approver } = await startShop();
  let requests = 0;
  const client = await connect(service, key, MODERN, (...request) => {
    requests++;
    return fetch(...request);
  });
  const connecting = requests;
  const startedAt = performance.now();
  const call = client.callTool(ORDER, { timeout: 2_500 });
  const { id } = await approver.question();
  await vi.waitUntil(() => requests - connecting >= 3 && performance.now() - startedAt > 2_500, { timeout: 20_000 });
  await approver.decide(id, 'approve');
  expect(await call).toMatchObject(ORDERED);
  expect(ran).toEqual([{ item: 'tea' }]);
});

test('2026-07-28: a client with URL elicitation shows the page of the question at once', async () => {
  shortWaits();
  const { service, ran, key, approver } = await startShop(ASKS, await startConsole());
  const client = await connect(service, key, { ...MODERN, capabilities: { elicitation: { url: {} } } });
  const pages: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    pages.push(params.mode === 'url' ? params.url : 'a form');
    await approver.decideNext('approve');
    return { action: 'accept' };
  });
  expect(await client.callTool(ORDER)).toMatchObject(ORDERED);
  expect(pages).toEqual([expect.stringMatching(/\/approvals\/apr_/)]);
  expect(ran).toHaveLength(1);
});

test('2026-07-28: after its rounds the model reads the handle, with which it gets the result later', async () => {
  shortWaits({ rounds: 1 });
  const { service, ran, key, approver } = await startShop();
  const client = await connect(service, key, MODERN);
  const { isError, structuredContent } = await client.callTool(ORDER);
  const { error } = structuredContent as { error: { message: string; approval: { id: string } } };
  expect([isError, error]).toMatchObject([true, { code: 'APPROVAL_REQUIRED', message: expect.stringContaining('svc__read_result') }]);
  await approver.decideNext('approve');
  const read = { action: 'svc__read_result', payload: { handle: error.approval.id, wait: 30 } };
  expect(await client.callTool({ name: 'invoke_service', arguments: read })).toMatchObject(ORDERED);
  expect(ran).toHaveLength(1);
});

test('a denied call runs nothing, and the model reads the reason', async () => {
  shortWaits();
  const { service, ran, key, approver } = await startShop();
  const client = await connect(service, key, MODERN);
  const call = client.callTool(ORDER);
  await approver.decideNext('deny', 'too much tea');
  expect(await call).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'APPROVAL_DENIED', approval: { reason: 'too much tea' } } },
  });
  expect(ran).toEqual([]);
});

test('two clients with the same call share its one run', async () => {
  shortWaits();
  const { service, ran, key, approver } = await startShop();
  const clients = await Promise.all([connect(service, key, MODERN), connect(service, key, MODERN), connectV1(service, key)]);
  const calls = clients.map((client) => client.callTool(ORDER));
  await approver.decideNext('approve');
  for (const answer of await Promise.all(calls)) expect(answer).toMatchObject(ORDERED);
  expect(ran).toHaveLength(1);
});

test('SDK v1: the call is held, and ends with the result, or with the link and the next step; no -32042', async () => {
  shortWaits();
  const { service, ran, key, approver } = await startShop(ASKS, await startConsole());
  const client = await connectV1(service, key);
  const call = client.callTool(ORDER);
  await approver.decideNext('approve');
  expect(await call).toMatchObject(ORDERED);
  expect(ran).toHaveLength(1);

  const other = { name: 'invoke_service', arguments: { action: 'shop__order', payload: { item: 'milk' } } };
  expect(await client.callTool(other)).toMatchObject({
    isError: true,
    structuredContent: {
      error: {
        code: 'APPROVAL_REQUIRED',
        message: expect.stringContaining('svc__read_result'),
        approval: { url: expect.stringMatching(/\/approvals\/apr_/) },
      },
    },
  });
  expect(ran).toHaveLength(1);
});

const APP: Rule = { ...ASKS, decidedBy: 'app' };
const WITH_FORM = { ...MODERN, capabilities: { elicitation: { form: {}, url: {} } } };

test.each([
  ['approve', ORDERED, 1],
  ['deny', { isError: true, structuredContent: { error: { code: 'APPROVAL_DENIED' } } }, 0],
] as const)('a rule that the app decides: the client asks its user in a form, who says %s', async (decision, answer, runs) => {
  shortWaits();
  const { service, ran, key } = await startShop(APP);
  const client = await connect(service, key, WITH_FORM);
  const shown: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    shown.push(params.message);
    return { action: 'accept', content: { decision } };
  });
  expect(await client.callTool(ORDER)).toMatchObject(answer);
  expect(shown).toEqual(['May this run? shop__order {"item":"tea"}']);
  expect(ran).toHaveLength(runs);
});

test('the form shows characters that no screen shows as escapes', async () => {
  shortWaits();
  const { service, key } = await startShop(APP);
  const client = await connect(service, key, WITH_FORM);
  const shown: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    shown.push(params.message);
    return { action: 'decline' };
  });
  await client.callTool({ name: 'invoke_service', arguments: { action: 'shop__order', payload: { item: 'tea\u202e' } } });
  expect(shown).toEqual(['May this run? shop__order {"item":"tea\\u202e"}']);
});

test('a token decides nothing: its user gets no form', async () => {
  shortWaits({ rounds: 1 });
  const { service, ran, key } = await startShop(APP);
  const minted = await fetch(`${service.url}/v1/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ttlSeconds: 600 }),
  });
  const client = await connect(service, (await minted.json()).token, WITH_FORM);
  client.setRequestHandler('elicitation/create', () => {
    throw new Error('No question was expected');
  });
  expect(await client.callTool(ORDER)).toMatchObject({ isError: true, structuredContent: { error: { code: 'APPROVAL_REQUIRED' } } });
  expect(ran).toEqual([]);
});

test('a state that is forged, or of another key, user or call, is refused; a replayed one runs nothing again', async () => {
  shortWaits();
  const { service, ran, key, approver } = await startShop();
  const { key: otherKey } = await service.keys.create({ kind: 'agent', name: 'other', rules: [ASKS] });
  const door = new McpDoor(service, key, { 'svc-user-id': 'ada' });
  const { requestState } = await door.call(ORDER);
  const [version = '', body = '', mac = ''] = String(requestState).split('.');
  const content = JSON.parse(Buffer.from(body, 'base64url').toString());
  const forged = (change: object) => Buffer.from(JSON.stringify({ ...content, ...change })).toString('base64url');
  const elsewhere = { name: 'invoke_service', arguments: { action: 'shop__order', payload: { item: 'gold' } } };
  const refused = { error: { code: -32_602, message: 'Invalid or expired requestState' } };

  for (const state of [
    `${version}.${forged({ p: { ...content.p, approvalId: 'apr_other' } })}.${mac}`,
    `${version}.${forged({ p: { ...content.p, callId: 'x' } })}.${mac}`,
    `${version}.${forged({ exp: content.exp + 1 })}.${mac}`,
    `${version}.${body}.${mac.split('').reverse().join('')}`,
    `${version}.${body}.`,
    'approved',
    '',
  ])
    expect(await door.send(ORDER, { requestState: state })).toMatchObject(refused);
  expect(await door.send(elsewhere, { requestState })).toMatchObject(refused);
  expect(await door.send({ ...ORDER, name: 'shop__order' }, { requestState })).toMatchObject({ error: { code: -32_602 } });
  for (const other of [
    new McpDoor(service, otherKey, { 'svc-user-id': 'ada' }),
    new McpDoor(service, key, { 'svc-user-id': 'bob' }),
    new McpDoor(service, key),
  ])
    expect(await other.send(ORDER, { requestState })).toMatchObject(refused);
  const decided = { decide: { action: 'accept', content: { decision: 'approve' } } };
  expect(await door.call(ORDER, { requestState, inputResponses: decided })).toMatchObject({ resultType: 'input_required' });
  expect(ran).toEqual([]);

  await approver.decideNext('approve');
  for (let time = 0; time < 3; time++) expect(await door.call(ORDER, { requestState })).toMatchObject(ORDERED);
  expect(ran).toHaveLength(1);
});

test.each([
  ['2025-11-25', {}],
  ['2026-07-28', MODERN],
])('over stdio a client of %s waits, and the call runs once when a person has approved', async (_revision, options) => {
  shortWaits({ holdMs: 3_000 });
  const { service, ran, key, approver } = await startShop();
  const client = await connectOverStdio(svcMcpServer({ apiKey: key, baseUrl: service.url }), options);
  const call = client.callTool(ORDER);
  await approver.decideNext('approve');
  expect(await call).toMatchObject(ORDERED);
  expect(ran).toHaveLength(1);
});
