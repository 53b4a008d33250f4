/** A result that is too long for a model at once: its first part, and the rest by the same two tools. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Tools } from 'svc-sdk';
import { expect, onTestFinished, test } from 'vitest';
import { startService, type TestService } from '../../../test/support/service';

const rows = Array.from({ length: 3_000 }, (_, row) => ({ row, name: `"Zoë" 😀 ${row}` }));
const whole = JSON.stringify(rows);

async function library(): Promise<TestService> {
  const service = await startService();
  await service.toolkit('library', (toolkit) => {
    toolkit.action({ action: 'rows', actionDescription: 'Lists all' }, () => rows);
    toolkit.action({ action: 'book', actionDescription: 'Gives a text' }, () => '😀'.repeat(3_000));
    toolkit.action({ action: 'short', actionDescription: 'Gives a short text' }, () => 'short');
  });
  return service;
}

/** Follows the instructions like a model. */
async function readAll(tools: Pick<Tools, 'answerTool'>, action: string): Promise<{ text: string; parts: number; longest: number }> {
  let input: unknown = { action, payload: {} };
  let text = '';
  let longest = 0;
  for (let parts = 1; ; parts++) {
    const { content } = await tools.answerTool('invoke_service', input);
    longest = Math.max(longest, content.length);
    const [, part = '', note = ''] = /^(.*)\n\[(Characters [^\n]*)\]$/s.exec(content) ?? [];
    text += part;
    const next = /invoke_service (\{.*\})\. Or ask/.exec(note);
    if (!next) return { text, parts, longest };
    input = JSON.parse(next[1] ?? '');
  }
}

test('a model reads all of it, part by part, with the two tools that it has', async () => {
  const service = await library();
  const tools = await service.tools();
  expect(tools.definitions()).toHaveLength(2);
  const { text, parts, longest } = await readAll(tools, 'library__rows');
  expect(text).toBe(whole);
  expect(parts).toBe(Math.ceil(whole.length / 39_700));
  expect(longest).toBeLessThanOrEqual(40_000);
});

test('parts have the length that the client requests, and never end within a character', async () => {
  const service = await library();
  const tools = await service.tools({ maxResultChars: 1_001 });
  const { text, longest } = await readAll(tools, 'library__book');
  expect(text).toBe('😀'.repeat(3_000));
  expect(longest).toBeLessThanOrEqual(1_001);
});

test('a program gets all of it at once, also for a call that a model made before', async () => {
  const service = await library();
  const tools = await service.tools();
  expect((await tools.invoke('library__rows')).result).toEqual(rows);
  expect(await tools.callTool('library__short', {})).toBe('short');
});

test('an MCP client of the service reads on too, in other requests', async () => {
  const service = await library();
  const { key } = await service.keys.create({ kind: 'agent', name: 'mcp' });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  const answerTool = async (name: string, input: unknown) => {
    const { content } = (await client.callTool({ name, arguments: input as Record<string, unknown> })) as { content: { text: string }[] };
    return { value: undefined, content: content.map(({ text }) => text).join('') };
  };
  expect((await readAll({ answerTool }, 'library__rows')).text).toBe(whole);
});

test('a handle is good for the key that has the result, while that is kept and allowed', async () => {
  const service = await library();
  const tools = await service.tools();
  const { invocationId: handle } = await tools.invoke('library__rows');
  const read = (reader: Tools, payload: object) => reader.invoke('svc__read_result', payload).catch((error: unknown) => error);
  expect(await read(tools, { handle, offset: '10' })).toMatchObject({
    invocationId: handle,
    result: expect.stringContaining('[Characters 10 to'),
  });
  const other = await service.tools();
  const notFound = { code: 'NOT_FOUND', message: expect.stringContaining('Run its action again') };
  expect(await read(other, { handle, offset: 0 })).toMatchObject(notFound);
  expect(await read(tools, { handle: 'inv_none', offset: 0 })).toMatchObject(notFound);
  expect(await read(tools, { handle, offset: 10_000_000 })).toMatchObject({ code: 'INVALID_PAYLOAD' });
  expect(await read(tools, { handle, offset: -1 })).toMatchObject({ code: 'INVALID_PAYLOAD' });
});

test('a human sees the read of a result as a read-only action', async () => {
  const service = await library();
  const tools = await service.tools();
  const resolved = await tools.resolve('invoke_service', { action: 'svc__read_result', payload: { handle: 'inv_1', offset: 0 } });
  expect(resolved).toMatchObject({ action: { action: 'svc__read_result', annotations: { readOnly: true } }, payload: { handle: 'inv_1' } });
});

test('no toolkit can have the id of the built-in actions', async () => {
  const service = await startService();
  await expect(service.keys.create({ kind: 'toolkit', name: 'x', toolkit: 'svc' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('"svc", which the service keeps for itself'),
  });
  const toolkit = await service.toolkit('svc', () => {});
  expect((await toolkit.ready).toolkit.id).toBe('svc-2');
});
