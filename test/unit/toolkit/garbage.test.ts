import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RegisterParams } from '../../../src/protocol/frames';
import { readFrame } from '../../../src/toolkit/frames-in';
import { newToolkit, running, startService, until } from './wire-service';

const today = { action: 'today', actionDescription: 'The weather of today' };

test('reading any text returns a frame or undefined and does not throw', () => {
  const almost = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.anything(),
      method: fc.anything(),
      params: fc.anything(),
      result: fc.anything(),
      error: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    almost.map((frame) => JSON.stringify(frame)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const frame = readFrame(text);
      if (frame?.kind === 'request') expect(['string', 'number']).toContain(typeof frame.id);
    }),
  );
});

test('well-formed but unknown frames are ignored', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(today, () => 'sunny');
  const socket = await running(service, toolkit);

  const odd = fc.sample(
    fc.record(
      {
        id: fc.oneof(fc.string(), fc.integer(), fc.constantFrom('__proto__', 1, 2)),
        method: fc.constantFrom('invoke', 'cancel', 'register', 'heartbeat', 'toString', ''),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record({ action: fc.constantFrom('today', '__proto__', 'constructor'), payload: fc.jsonValue(), timeoutMs: fc.double() }),
        ),
      },
      { requiredKeys: ['method'] },
    ),
    300,
  );
  for (const frame of odd) socket.send(frame);
  for (const answer of fc.sample(fc.record({ id: fc.jsonValue(), result: fc.jsonValue() }), 100)) socket.send(answer);
  for (const answer of [
    { id: null, error: { code: -32700, message: 'What?' } },
    { id: 77, error: { code: 1, message: 'x' } },
  ])
    socket.send(answer);

  expect((await socket.call('inv_last', 'today')).result).toBe('sunny');
  expect(socket.closeCode).toBeUndefined();
  const asked = odd.filter(({ id }) => id !== undefined).length;
  expect(socket.frames.filter(({ method }) => method === undefined)).toHaveLength(asked + 1);
});

test('the third malformed frame closes with 4400, and a new connection is made', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(today, () => 'sunny');
  const first = await running(service, toolkit);
  first.webSocket.send('not JSON');
  first.webSocket.send(Buffer.from([1, 2, 3]));
  expect((await first.call('inv_1', 'today')).result).toBe('sunny');
  first.webSocket.send('[{"jsonrpc":"2.0","method":"cancel"}]');
  await until(() => first.closeCode);
  expect(first.closeCode).toBe(4400);
  const second = await service.registeredSocket(1);
  expect((await second.call('inv_2', 'today')).result).toBe('sunny');
});

test.each([
  ['null', null],
  ['a text', 'ok'],
  ['a list', []],
  ['no heartbeat', { toolkit: { id: 't' }, accepted: [], rejected: [], awaiting: [] }],
  ['a heartbeat of 0 ms', { toolkit: { id: 't' }, accepted: [], rejected: [], awaiting: [], heartbeatMs: 0 }],
  ['a heartbeat longer than a timer', { toolkit: { id: 't' }, accepted: [], rejected: [], awaiting: [], heartbeatMs: 2 ** 31 }],
  ['lists that are none', { toolkit: { id: 't' }, accepted: {}, rejected: 1, awaiting: null, heartbeatMs: 1_000 }],
])('%s as the answer to register closes with 4400', async (_name, answer) => {
  const service = await startService();
  service.respond.register = () => answer;
  newToolkit(service).run();
  const socket = await service.registeredSocket();
  await until(() => socket.closeCode);
  expect(socket.closeCode).toBe(4400);
});

test.each([
  ['a text', 'many', 'some'],
  ['garbage among good ones', [null, 7, { rule: 'x' }, { rule: 'colliding', message: 'm', hint: 'h' }], null],
])('a registration with %s as its warnings succeeds', async (_name, warnings, moreWarnings) => {
  const service = await startService();
  service.respond.register = (params) => ({ ...service.registered(params as unknown as RegisterParams), warnings, moreWarnings });
  const toolkit = newToolkit(service);
  toolkit.run();
  const good = Array.isArray(warnings) ? [{ rule: 'colliding', message: 'm', hint: 'h' }] : [];
  expect(await toolkit.ready).toMatchObject({ warnings: good, moreWarnings: 0 });
});
