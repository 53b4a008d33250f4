/** The charge of a handler for a call of a paid action. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ActionContext, type CallWarning, SvcError } from '../../../src/index';
import type { Payment } from '../../../src/protocol/http';
import { type Frame, gate, newToolkit, running, type ServiceSocket, startService, until } from './wire-service';

const HOLD: Payment = { amount: '0.05', currency: 'USD' };
const sell = { action: 'sell', actionDescription: 'Sells a report', payment: { amount: '0.05' } };

function invoke(socket: ServiceSocket, id: string, payment: unknown = HOLD): void {
  socket.send({ id, method: 'invoke', params: { action: 'sell', agentId: 'key_agent', timeoutMs: 10_000, payment } });
}

function call(socket: ServiceSocket, id: string, payment?: unknown): Promise<Frame> {
  invoke(socket, id, payment);
  return socket.frame((frame) => frame.id === id && frame.method === undefined);
}

/** The answer frame of a call to the handler. */
async function answerOf(handler: (ctx: ActionContext) => unknown, payment?: unknown): Promise<Frame> {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(sell, handler);
  return call(await running(service, toolkit), 'inv_1', payment);
}

/** The message of the INVALID_REQUEST that `charge` throws in a handler. */
async function refusalOf(charge: (ctx: ActionContext) => void, payment?: unknown): Promise<string> {
  const { result } = await answerOf((ctx) => {
    try {
      charge(ctx);
    } catch (error) {
      return SvcError.is(error) ? `${error.code}: ${error.message}` : error;
    }
    return 'charged';
  }, payment);
  return result;
}

test('the price is sent with the registration, unchanged', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(sell, () => 1);
  toolkit.action({ ...sell, action: 'rent', payment: { amount: '1', currency: 'credits' } }, () => 1);
  toolkit.action({ ...sell, action: 'give', payment: undefined }, () => 1);
  const socket = await running(service, toolkit);
  expect(socket.frames[0]?.params.actions).toEqual([
    { action: 'sell', actionDescription: 'Sells a report', payment: { amount: '0.05' } },
    { action: 'rent', actionDescription: 'Sells a report', payment: { amount: '1', currency: 'credits' } },
    { action: 'give', actionDescription: 'Sells a report' },
  ]);
});

test.each([0.05, '5e-2', '0,05', '-1', '0.0000001', '1000000000000'])('an action with the price %j is refused at once', async (amount) => {
  const toolkit = newToolkit(await startService());
  const define = () => toolkit.action({ ...sell, payment: { amount: amount as string } }, () => 1);
  expect(define).toThrow(expect.objectContaining({ code: 'INVALID_ACTION', message: expect.stringContaining('such as "0.05", not') }));
});

test('the handler gets the hold of the call; without a charge the service decides', async () => {
  const answer = await answerOf(({ payment }) => ({ ...payment }));
  expect(answer).toEqual({ jsonrpc: '2.0', id: 'inv_1', result: HOLD });
});

test.each<[string, (ctx: ActionContext) => unknown, string]>([
  [
    'ctx.charge',
    (ctx) => {
      ctx.charge('0.03');
      return 'sold';
    },
    '0.03',
  ],
  ['ctx.result', (ctx) => ctx.result('sold', { payment: { amount: '0.030' } }), '0.030'],
  [
    'all of it',
    ({ charge, payment, result }) => {
      charge(payment?.amount ?? '');
      result('sold');
    },
    '0.05',
  ],
  [
    'nothing',
    (ctx) => {
      ctx.charge('0');
      return 'sold';
    },
    '0',
  ],
])('a charge is sent with the result: %s', async (_what, handler, amount) => {
  expect(await answerOf(handler)).toEqual({ jsonrpc: '2.0', id: 'inv_1', result: 'sold', payment: { amount } });
});

test('a charge is the last member of a result', async () => {
  const answer = await answerOf((ctx) => {
    ctx.charge('0.01');
    ctx.text('a report');
    return 'sold';
  });
  expect(Object.keys(answer)).toEqual(['jsonrpc', 'id', 'result', 'content', 'payment']);
});

test.each<[string, (ctx: ActionContext) => unknown]>([
  [
    'throws',
    (ctx) => {
      ctx.charge('0.03');
      throw new Error('The printer is broken');
    },
  ],
  [
    'returns an error',
    (ctx) => {
      ctx.charge('0.03');
      return ctx.error('BROKEN', 'The printer is broken');
    },
  ],
  [
    'gives a result that cannot be written',
    (ctx) => {
      ctx.charge('0.03');
      return {
        toJSON() {
          throw new Error('no');
        },
      };
    },
  ],
])('a handler that %s costs nothing, also after a charge', async (_what, handler) => {
  const answer = await answerOf(handler);
  expect(answer).toMatchObject({ error: { code: -32000 } });
  expect(answer).not.toHaveProperty('payment');
});

test.each<[unknown, string]>([
  [0.03, 'number'],
  [3n, 'bigint'],
  ['3e-2', '"3e-2"'],
  ['-0.03', '"-0.03"'],
  ['+0.03', '"+0.03"'],
  ['0,03', '"0,03"'],
  ['0.0300000', '"0.0300000"'],
  ['', '""'],
  [undefined, 'undefined'],
  [null, 'object'],
  [{ amount: '0.03' }, 'object'],
])('a wrong charge is refused (%#)', async (amount, shown) => {
  const advice = 'must be a decimal text with at most 12 digits before the point and 6 behind it, such as "0.05"';
  expect(await refusalOf((ctx) => ctx.charge(amount as string))).toBe(`INVALID_REQUEST: The charge ${advice}, not ${shown}`);
});

test('a charge above the hold is refused, and a smaller one may follow', async () => {
  expect(await refusalOf((ctx) => ctx.charge('0.050001'))).toBe(
    'INVALID_REQUEST: The charge 0.050001 is more than ctx.payment.amount, 0.05: charge less, or raise the payment of the action',
  );
  const answer = await answerOf((ctx) => {
    expect(() => ctx.charge('1')).toThrow(SvcError);
    ctx.charge('0.05');
  });
  expect(answer).toMatchObject({ result: null, payment: { amount: '0.05' } });
});

const TWICE = 'INVALID_REQUEST: The call is charged 0.01 already: add up what it costs, and charge once';

test.each<[string, (ctx: ActionContext) => void]>([
  ['ctx.charge', (ctx) => ctx.charge('0.01')],
  ['ctx.result', (ctx) => void ctx.result('sold', { payment: { amount: '0.01' } })],
])('a second charge is refused, and the first stays: %s', async (_what, first) => {
  for (const second of [
    (ctx: ActionContext) => ctx.charge('0.02'),
    (ctx: ActionContext) => void ctx.result(1, { payment: { amount: '0.02' } }),
  ]) {
    const refused = await refusalOf((ctx) => {
      first(ctx);
      second(ctx);
    });
    expect(refused).toBe(TWICE);
  }
});

test.each([undefined, null, 'free', { amount: 0.05, currency: 'USD' }, { amount: '0.05' }])(
  'a call without a hold is free, and is not charged: %j',
  async (payment) => {
    const handler = (ctx: ActionContext) => {
      expect(ctx.payment).toBeUndefined();
      ctx.charge('0.01');
    };
    const service = await startService();
    const toolkit = newToolkit(service);
    toolkit.action(sell, handler);
    const { error } = await call(await running(service, toolkit), 'inv_1', payment ?? null);
    expect(error?.data).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'The call is free: give the action a payment to charge for its calls',
    });
  },
);

test('a charge is refused after a handler has returned, has thrown, or was given up', async () => {
  const service = await startService();
  const toolkit = newToolkit(service);
  const contexts: ActionContext[] = [];
  toolkit.action(sell, (ctx) => {
    contexts.push(ctx);
    if (ctx.invocationId === 'inv_throws') throw new Error('no');
    return ctx.invocationId === 'inv_hangs' ? new Promise(() => {}) : 'sold';
  });
  const socket = await running(service, toolkit);
  await call(socket, 'inv_returns');
  await call(socket, 'inv_throws');
  const hanging = call(socket, 'inv_hangs');
  await until(() => contexts.length === 3);
  await toolkit.stop({ timeoutMs: 0 });
  expect(await hanging).toMatchObject({ error: { code: -32001 } });
  const ended = expect.objectContaining({ code: 'INVALID_REQUEST', message: 'The call has ended: charge before the handler returns' });
  for (const ctx of contexts) expect(() => ctx.charge('0.01')).toThrow(ended);
});

test('a charge stays with its result through reconnects and second deliveries', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.02);
  onTestFinished(() => random.mockRestore());
  const service = await startService();
  const toolkit = newToolkit(service);
  const { open, opened } = gate();
  let started = false;
  toolkit.action(sell, async (ctx) => {
    started = true;
    ctx.charge('0.03');
    await opened;
    return 'sold';
  });
  const first = await running(service, toolkit);
  invoke(first, 'inv_1');
  await until(() => started);
  first.webSocket.terminate();
  const second = await service.registeredSocket(1);
  open();
  const { params } = await second.frame(({ method }) => method === 'result');
  expect(params).toEqual({ invocationId: 'inv_1', result: 'sold', payment: { amount: '0.03' } });
  expect(await call(second, 'inv_1')).toMatchObject({ result: 'sold', payment: { amount: '0.03' } });
});

test('a warning of the service reaches `onWarning`, whose errors are ignored; an invalid warning is dropped', async () => {
  const service = await startService();
  const warnings: CallWarning[] = [];
  const onWarning = (warning: CallWarning) => {
    warnings.push(warning);
    throw new Error('a bad listener');
  };
  const toolkit = newToolkit(service, { onWarning });
  toolkit.action(sell, () => 'sold');
  const socket = await running(service, toolkit);
  for (const params of [undefined, null, 'x', {}, { invocationId: 1, message: 'x' }, { invocationId: 'inv_1' }])
    socket.send({ method: 'warning', params });
  socket.send({ method: 'warning', params: { invocationId: 'inv_1', message: 'Nothing is charged', more: 1 } });
  await call(socket, 'inv_2');
  await vi.waitFor(() => expect(warnings).toEqual([{ invocationId: 'inv_1', message: 'Nothing is charged' }]));
});

test('without `onWarning` a warning changes and prints nothing; it must be a function', async () => {
  const stderr = vi.spyOn(process.stderr, 'write');
  onTestFinished(() => stderr.mockRestore());
  const service = await startService();
  const toolkit = newToolkit(service);
  toolkit.action(sell, () => 'sold');
  const socket = await running(service, toolkit);
  socket.send({ method: 'warning', params: { invocationId: 'inv_1', message: 'Nothing is charged' } });
  expect(await call(socket, 'inv_2')).toMatchObject({ result: 'sold' });
  expect(stderr).not.toHaveBeenCalled();
  expect(() => newToolkit(service, { onWarning: 'log' as never })).toThrow('onWarning is a function that gets a CallWarning');
});
