/** Numbers beyond ±(2^53 − 1), all the way: each digit arrives, or the call is refused before it runs. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Progress, Tools } from 'svc-sdk';
import { expect, onTestFinished, test } from 'vitest';
import { startConsole } from '../../../test/support/console-service';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService } from '../../../test/support/service';

const ID = '2512292042121000001';
const REFUSAL = `${ID} has more digits than JSON numbers keep; send its exact digits as a text, in quotes`;
const get = { action: 'get', actionDescription: 'Gets it' };

test.each([
  ['an answer', (id: string) => `{"jsonrpc":"2.0","id":"${id}","result":{"id":${ID}}}`],
  ['an answer whose members have another order', (id: string) => `{"result":{"id":${ID}},"jsonrpc":"2.0","id":"${id}"}`],
  ['an answer with content', (id: string) => `{"jsonrpc":"2.0","id":"${id}","result":{"id":${ID}},"content":[{"type":"text","text":"a"}]}`],
  ['a late result', (id: string) => `{"jsonrpc":"2.0","id":7,"method":"result","params":{"invocationId":"${id}","result":{"id":${ID}}}}`],
])('a result keeps its digits on the wire, for programs and in a replay: %s', async (_, frame) => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([get]);
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'one' };
  const call = () => fetch(`${service.url}/v1/invoke`, { method: 'POST', headers, body: '{"action":"raw__get"}' });
  const first = call();
  raw.send(frame((await raw.invoked()).id));
  expect(await (await first).text()).toContain(`"result":{"id":${ID}}`);
  expect(await (await call()).text()).toContain(`"result":{"id":${ID}}`);
  const tools = new Tools({ baseUrl: service.url, apiKey: key });
  expect(await tools.invoke('raw__get', {}, { idempotencyKey: 'one' })).toMatchObject({ result: { id: ID }, replayed: true });
});

test('a long result has its digits in its first part and in the next', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([get]);
  const tools = await service.tools({ maxResultChars: 1_000 });
  const answer = tools.answerTool('raw__get', {});
  raw.send(`{"jsonrpc":"2.0","id":"${(await raw.invoked()).id}","result":[${ID},"${'x'.repeat(1_000)}",${ID}]}`);
  const { content } = await answer;
  expect(content).toMatch(`[${ID},"xxx`);
  const [next = ''] = /\{.*\}(?=\. Or ask)/.exec(content) ?? [];
  expect((await tools.answerTool('invoke_service', next)).content).toContain(`x",${ID}]`);
});

test('the details of an error have the digits as a text, also in a replay, and a report without all digits is dropped', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([get]);
  const tools = await service.tools();
  const reports: Progress[] = [];
  const options = { idempotencyKey: 'one', onProgress: (progress: Progress) => void reports.push(progress) };
  const call = tools.invoke('raw__get', {}, options).catch((error) => error);
  const { id } = await raw.invoked();
  raw.send(`{"jsonrpc":"2.0","method":"progress","params":{"invocationId":"${id}","progress":${ID}}}`);
  raw.send(`{"jsonrpc":"2.0","method":"progress","params":{"invocationId":"${id}","progress":1,"total":9007199254740991}}`);
  const data = `{"code":"GONE","message":"Gone","data":{"id":${ID}}}`;
  raw.send(`{"jsonrpc":"2.0","id":"${id}","error":{"code":-32000,"message":"Gone","data":${data}}}`);
  const details = { cause: { code: 'GONE', data: { id: ID } } };
  expect(await call).toMatchObject({ code: 'ACTION_FAILED', details });
  expect(await tools.invoke('raw__get', {}, options).catch((error) => error)).toMatchObject({ code: 'ACTION_FAILED', details });
  expect(reports).toEqual([{ progress: 1, total: 9007199254740991 }]);
});

test('payloads that differ only in such digits never share a key: neither runs', async () => {
  const service = await startService();
  let ran = 0;
  await service.toolkit('shop', (toolkit) => toolkit.action({ action: 'buy', actionDescription: 'Buys' }, () => ++ran));
  const headers = { 'idempotency-key': 'one' };
  for (const last of [0, 1, 2]) {
    const body = `{"action":"shop__buy","payload":{"id":251229204212100000${last}}}`;
    const answer = await service.request('/v1/invoke', { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ code: 'INVALID_PAYLOAD', status: 422, issues: [{ path: '/id' }], received: ['id'] });
  }
  const tools = await service.tools();
  // The value of the literal in a program.
  await expect(tools.invoke('shop__buy', { id: Number(ID) })).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
  await expect(tools.invoke('shop__buy', { id: BigInt(ID) })).rejects.toThrow('send its digits as a text');
  // The value that a framework parses from a model's JSON.
  const { error } = await tools.answerTool('shop__buy', JSON.parse('{"wei": 1234567890123456789012}'));
  expect(error).toMatchObject({ code: 'INVALID_PAYLOAD', details: { issues: [{ path: '/wei' }] } });
  expect(ran).toBe(0);
  expect((await tools.invoke('shop__buy', { id: ID, mass: 1.989e30 })).result).toBe(1);
});

test('a text of digits is never rounded, and the error states that the action accepts no such number', async () => {
  const service = await startService();
  await service.toolkit('shop', (toolkit) => {
    const payloadDescription = { id: { type: 'integer' }, any: {} };
    toolkit.action({ action: 'buy', actionDescription: 'Buys', payloadDescription }, (_ctx, payload) => payload);
  });
  const tools = await service.tools();
  await expect(tools.invoke('shop__buy', { id: ID })).rejects.toMatchObject({
    code: 'INVALID_PAYLOAD',
    details: {
      issues: [{ path: '/id', message: `must be integer, got "${ID}"; this action takes no number beyond 9007199254740991` }],
    },
  });
  expect((await tools.invoke('shop__buy', { id: '9007199254740991', any: ID })).result).toEqual({ id: 9007199254740991, any: ID });
});

test('/mcp refuses such a number, and gives a model all digits of a result', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([get]);
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const call = client.callTool({ name: 'invoke_service', arguments: { action: 'raw__get' } });
  raw.send(`{"jsonrpc":"2.0","id":"${(await raw.invoked()).id}","result":{"id":${ID}}}`);
  expect(await call).toMatchObject({ content: [{ type: 'text', text: `{"id":"${ID}"}` }] });

  const params = `{"name":"invoke_service","arguments":{"action":"raw__get","payload":{"id":${ID}}}}`;
  const answer = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
  });
  expect(await answer.text()).toContain(REFUSAL);
});

test('the console shows all digits: of a result, of a redacted one, and of a refused payload', async () => {
  const console = await startConsole();
  await console.owner.json('PATCH', '/v1/settings', { content: 'all' });
  const raw = await RawToolkit.connect(console);
  await raw.register([get]);
  const { key } = await console.keys.create({ kind: 'agent', name: 'agent' });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const call = (payload: string) =>
    fetch(`${console.url}/v1/invoke`, { method: 'POST', headers, body: `{"action":"raw__get","payload":${payload}}` });
  await call(`{"id":${ID}}`);
  const answer = call('{}');
  raw.send(`{"jsonrpc":"2.0","id":"${(await raw.invoked()).id}","result":{"id":${ID},"password":"secret"}}`);
  await answer;
  await expect
    .poll(async () => {
      const { invocations } = await console.owner.json<{ invocations: { id: string; outcome?: string }[] }>('GET', '/v1/invocations');
      return Promise.all(invocations.map(({ id }) => console.owner.json('GET', `/v1/invocations/${id}`)));
    })
    .toMatchObject([
      { action: 'raw__get', result: { json: `{"id":${ID},"password":"[redacted]"}` } },
      { action: 'raw__get', payload: { json: `{"id":${ID}}` } },
    ]);
});
