import { expect, test } from 'vitest';
import { startService, toolCall } from '../support/service';

test('a model finds an action with search_services and uses it with invoke_service', async () => {
  const service = await startService();
  await service.toolkit('weather', (toolkit) => {
    toolkit.action(
      {
        action: 'today',
        actionDescription: "Today's weather in a city: temperature in degrees Celsius",
        payloadDescription: { city: { type: 'string', description: 'Name of the city', required: true } },
      },
      (ctx, payload) => ctx.result({ city: payload.city, celsius: 21, agent: ctx.agentId }),
    );
  });
  const tools = await service.tools();

  const [found] = await tools.callTools([toolCall('search_services', { query: 'temperature in a city' })]);
  const { actions } = JSON.parse(found?.content ?? '');
  expect(actions).toEqual([
    {
      action: 'weather__today',
      description: "Today's weather in a city: temperature in degrees Celsius",
      payloadSchema: { type: 'object', properties: { city: { type: 'string', description: 'Name of the city' } }, required: ['city'] },
    },
  ]);

  const [used] = await tools.callTools([toolCall('invoke_service', { action: actions[0].action, payload: { city: 'Rome' } })]);
  expect(JSON.parse(used?.content ?? '')).toEqual({ city: 'Rome', celsius: 21, agent: expect.stringMatching(/^key_/) });
});

test('a slip of the model is understood and reported', async () => {
  const service = await startService();
  await service.toolkit('maths', (toolkit) => {
    toolkit.action(
      { action: 'double', actionDescription: 'Doubles a number', payloadDescription: { n: { type: 'number', required: true } } },
      (_ctx, payload) => ({ doubled: (payload.n as number) * 2 }),
    );
  });
  const tools = await service.tools();
  const slips = [
    { action: 'maths__double', payload: '{"n": 4}' },
    { action: 'maths__double', payload: JSON.stringify('{"n":4}') },
    { action: 'maths__double', n: 4 },
    { payload: { action: 'maths__double', payload: { n: 4 } } },
    { action: 'maths__double', payload: { n: '4' } },
  ];
  const answers = await tools.callTools(slips.map((slip) => toolCall('invoke_service', slip)));
  for (const { content } of answers) {
    expect(JSON.parse(content)).toMatchObject({ result: { doubled: 8 }, note: expect.any(String) });
  }
});

test('the error of an invalid payload has the failing path and the violated part of the schema', async () => {
  const service = await startService();
  await service.toolkit('maths', (toolkit) => {
    toolkit.action(
      { action: 'double', actionDescription: 'Doubles', payloadDescription: { n: { type: 'number', required: true } } },
      () => 1,
    );
  });
  const tools = await service.tools();
  const [answer] = await tools.callTools([toolCall('invoke_service', { action: 'maths__double', payload: { m: 'x' } })]);
  expect(JSON.parse(answer?.content ?? '')).toMatchObject({
    error: { code: 'INVALID_PAYLOAD', retryable: false, received: ['m'], issues: [{ path: '/n', schema: { type: 'number' } }] },
  });
});

test('the error of an unknown action has the nearest ids', async () => {
  const service = await startService();
  await service.toolkit('maths', (toolkit) => {
    toolkit.action({ action: 'double', actionDescription: 'Doubles' }, () => 1);
  });
  const tools = await service.tools();
  await expect(tools.invoke('maths__doubel')).rejects.toMatchObject({
    code: 'ACTION_NOT_FOUND',
    details: { didYouMean: ['maths__double'] },
  });
});

test('calls go to the replica with the least to do', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'slow' });
  const { runToolkit } = await import('../support/service');
  const counts = [0, 0];
  const allBegan = Promise.withResolvers<void>();
  for (const replica of [0, 1]) {
    await runToolkit(service.url, key, (toolkit) => {
      toolkit.action({ action: 'wait', actionDescription: 'Waits' }, () => {
        counts[replica]!++;
        if (counts[0]! + counts[1]! === 10) allBegan.resolve();
        return allBegan.promise;
      });
    });
  }
  const tools = await service.tools();
  await Promise.all(Array.from({ length: 10 }, () => tools.invoke('slow__wait')));
  expect(counts).toEqual([5, 5]);
});
