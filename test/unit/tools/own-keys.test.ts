import { expect, test } from 'vitest';
import { sendJson, sendResult, toolCall, wireServer } from './wire-server';

const service = () =>
  wireServer((response, { path }) => (path === '/v1/search' ? sendJson(response, { actions: [] }) : sendResult(response, 'done')));

test('promise 7, one call runs once: the idempotency key of the caller overrides the id of the tool call', async () => {
  const wire = await service();
  const tools = wire.tools();
  await tools.callTool('a__b', {}, { toolCallId: 'call_9fKq2LmZ7xTb', idempotencyKey: 'turn-1/0/0' });
  await tools.answerTool('a__b', {}, { toolCallId: 'call_9fKq2LmZ7xTb', idempotencyKey: 'turn-1/0/1' });
  expect(wire.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['turn-1/0/0', 'turn-1/0/1']);
});

test('promise 7: call n of a list has the key <idempotencyKey>/<n>, searches and broken calls counted', async () => {
  const wire = await service();
  const calls = [
    toolCall('1', 'a__b', {}),
    toolCall('2', 'search_services', { query: 'x' }),
    toolCall('3', 'a__b', '{"broken'),
    toolCall('4', 'a__b', {}),
  ];
  await wire.tools({ concurrency: 1 }).callTools(calls, { idempotencyKey: 'turn-1/0' });
  expect(wire.requests.map(({ path, headers }) => [path, headers['idempotency-key']])).toEqual([
    ['/v1/invoke', 'turn-1/0/0'],
    ['/v1/search', undefined],
    ['/v1/invoke', 'turn-1/0/3'],
  ]);
});

test('a key that no header can carry is refused, and nothing is sent', async () => {
  const wire = await service();
  const tools = wire.tools();
  for (const idempotencyKey of ['', 'two words', 'ä', 'x'.repeat(256)]) {
    const problem = { code: 'INVALID_REQUEST', message: expect.stringContaining('1 to 255 visible ASCII characters') };
    await expect(tools.callTool('a__b', {}, { idempotencyKey })).rejects.toMatchObject(problem);
    expect(await tools.answerTool('a__b', {}, { idempotencyKey })).toMatchObject({ error: problem });
  }
  for (const idempotencyKey of ['', 'two words', 'x'.repeat(251)])
    await expect(tools.callTools([toolCall('1', 'a__b', {})], { idempotencyKey })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('1 to 250'),
    });
  expect(wire.requests).toEqual([]);
});
