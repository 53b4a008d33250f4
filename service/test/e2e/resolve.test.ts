/** POST /v1/resolve: what an invoke would run, with the rules of an invoke and without its effects. */
import { expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/support/service';

async function startWithOrders(): Promise<{ service: TestService; cancelled: unknown[] }> {
  const service = await startService();
  const cancelled: unknown[] = [];
  await service.toolkit('orders', (toolkit) => {
    toolkit.action(
      {
        action: 'cancel',
        actionDescription: 'Cancels an order',
        payloadDescription: { order: { type: 'integer', required: true } },
        annotations: { destructive: true },
      },
      (_ctx, payload) => cancelled.push(payload),
    );
  });
  return { service, cancelled };
}

test.each([
  ['as it should be', { action: 'orders__cancel', payload: { order: 17 } }],
  ['as texts', JSON.stringify({ action: 'orders__cancel', payload: '{"order": "17"}' })],
  ['beside the action', { action: 'orders__cancel', order: 17 }],
  ['one level too deep', { invoke_service: { action: 'orders__cancel', payload: { order: 17 } } }],
])('a call written %s resolves to what would run, and nothing runs', async (_how, input) => {
  const { service, cancelled } = await startWithOrders();
  const tools = await service.tools();
  expect(await tools.resolve('invoke_service', input)).toMatchObject({
    action: { action: 'orders__cancel', annotations: { destructive: true } },
    payload: { order: 17 },
  });
  expect(cancelled).toEqual([]);
});

test('the payload of a static tool is always a payload, for any content', async () => {
  const { service } = await startWithOrders();
  const tools = await service.tools();
  expect(await tools.resolve('orders__cancel', { order: 17 })).toMatchObject({ payload: { order: 17 } });
  await expect(tools.resolve('orders__cancel', { action: 'orders__other', payload: {} })).rejects.toMatchObject({
    code: 'INVALID_PAYLOAD',
  });
});

test('it returns the errors of the call', async () => {
  const { service } = await startWithOrders();
  const tools = await service.tools();
  const code = (input: unknown) =>
    tools.resolve('invoke_service', input).then(
      () => 'resolved',
      (error) => error.code,
    );
  expect(await code({ action: 'orders__cancel', payload: {} })).toBe('INVALID_PAYLOAD');
  expect(await code({ action: 'orders__cancle', payload: {} })).toBe('ACTION_NOT_FOUND');
  expect(await code({ payload: {} })).toBe('INVALID_REQUEST');
  expect(await code('{"action": "orders__can')).toBe('INVALID_REQUEST');
  const others = await service.tools({}, { allow: { toolkits: ['weather'] } });
  await expect(others.resolve('orders__cancel', { order: 1 })).rejects.toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
  const limited = await service.tools({ timeoutMs: 500 }, { callsPerMinute: 1 });
  await limited.resolve('orders__cancel', { order: 1 });
  await expect(limited.resolve('orders__cancel', { order: 1 })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('the wait ends when the caller disconnects', async () => {
  const { service } = await startWithOrders();
  const tools = await service.tools();
  await expect(tools.resolve('orders__cancel', { order: 1 }, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
});
