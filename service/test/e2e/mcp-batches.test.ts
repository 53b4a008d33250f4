/** Batches of JSON-RPC messages over `/mcp`: only revision 2025-03-26 has them, and each message is a separate call. */
import { expect, test, vi } from 'vitest';
import { PATHS } from '#sdk/protocol/http';
import { startStage } from '../../../test/contract/stage';
import { startService, type TestService } from '../../../test/support/service';

interface Message {
  id?: unknown;
  result?: { isError?: boolean; content: { text: string }[] };
  error?: { code: number; message: string };
}

const ECHO = { name: 'invoke_service', arguments: { action: 'echo__echo', payload: { said: 'hello' } } };
const HANG = { name: 'invoke_service', arguments: { action: 'probe__hang', payload: {} } };
const call = (id: number, params: object = ECHO) => ({ jsonrpc: '2.0', id, method: 'tools/call', params });

function post(url: string, key: string, batch: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  const own = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return fetch(url + PATHS.mcp, {
    method: 'POST',
    headers: { ...own, ...headers },
    body: JSON.stringify(batch),
    ...(signal && { signal }),
  });
}

async function messagesOf(response: Response): Promise<Message[]> {
  const text = await response.text();
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, json]) => JSON.parse(String(json)));
}

async function startEcho(): Promise<{ service: TestService; runs: () => number }> {
  const service = await startService();
  let runs = 0;
  await service.toolkit('echo', (toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => {
      runs++;
      return payload;
    });
  });
  return { service, runs: () => runs };
}

test.each(['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28', 'x'])('revision %s has no batches: nothing runs', async (revision) => {
  const { service, runs } = await startEcho();
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });
  const response = await post(service.url, key, [call(1), call(2)], { 'mcp-protocol-version': revision });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ id: null, error: { code: -32_600, message: expect.stringContaining(revision) } });
  expect(runs()).toBe(0);
});

test.each<[string, Record<string, string>]>([
  ['named', { 'mcp-protocol-version': '2025-03-26' }],
  ['assumed', {}],
])('with revision 2025-03-26, %s, each call counts against the calls per minute', async (_name, headers) => {
  const { service, runs } = await startEcho();
  const { key } = await service.keys.create({ kind: 'agent', name: 'a', callsPerMinute: 3 });
  const batch = Array.from({ length: 50 }, (_, id) => call(id));
  const messages = await messagesOf(await post(service.url, key, batch, headers));
  expect(messages.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))).toEqual(batch.map(({ id }) => id));
  expect(messages.filter(({ result }) => !result?.isError)).toHaveLength(3);
  expect(messages.filter(({ result }) => result?.content[0]?.text.includes('RATE_LIMITED'))).toHaveLength(47);
  expect(runs()).toBe(3);
});

test.each<[string, unknown[], RegExp]>([
  ['no message', [], /1 to 50/],
  ['51 messages', Array.from({ length: 51 }, (_, id) => call(id)), /1 to 50/],
  ['the handshake', [call(1), { jsonrpc: '2.0', id: 2, method: 'initialize', params: {} }], /initialize/],
  ['a batch in a batch', [[call(1), call(2)], call(3)], /another batch/],
])('a batch of %s is refused whole', async (_name, batch, message) => {
  const { service, runs } = await startEcho();
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });
  const response = await post(service.url, key, batch);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: -32_600, message: expect.stringMatching(message) } });
  expect(runs()).toBe(0);
});

test('messages that are wrong or of a kind without an answer do not hinder the others', async () => {
  const { service } = await startEcho();
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });
  const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } };
  const batch = [null, 7, 'text', {}, call(1), { jsonrpc: '2.0', id: 2, method: 'ping' }, notification];
  const messages = await messagesOf(await post(service.url, key, batch));
  expect(messages.filter(({ result }) => result).map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2]));
  expect(messages.filter(({ error }) => error)).toHaveLength(4);
  expect((await post(service.url, key, [notification, notification])).status).toBe(202);
});

test('an invalid query is refused as for one message', async () => {
  const { service } = await startEcho();
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });
  const response = await fetch(`${service.url}${PATHS.mcp}?nothing=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify([call(1), call(2)]),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('a notification cancels one call of a batch, and the others go on until the client disconnects', async () => {
  const stage = await startStage();
  const { baseUrl, apiKey } = stage.connection;
  const session = { 'mcp-session-id': 'a-session' };
  const client = new AbortController();
  const batch = [call(1, HANG), call(2, HANG), call(3, HANG)];
  const answer = post(baseUrl, apiKey, batch, session, client.signal).then((response) => response.text());
  answer.catch(() => {});
  const handlers = [await stage.hanging(), await stage.hanging(), await stage.hanging()];
  const cancelled = () => stage.records().filter(({ code }) => code === 'INVOCATION_CANCELLED').length;

  await post(baseUrl, apiKey, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }, session);
  await Promise.race(handlers.map(({ aborted }) => aborted));
  await vi.waitFor(() => expect(cancelled()).toBe(1));

  client.abort();
  await Promise.all(handlers.map(({ aborted }) => aborted));
  await vi.waitFor(() => expect(cancelled()).toBe(3));
});
