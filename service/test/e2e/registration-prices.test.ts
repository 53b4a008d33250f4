/** The price of an action: read with its registration, in the currency of the service, or a reason to reject the action. */
import type { ActionInfo } from 'svc-sdk';
import type { ServiceOptions } from 'svc-service';
import { expect, test } from 'vitest';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';

interface Answer {
  result: { accepted: string[]; rejected: { action: string; message: string }[] };
}

const action = (payment: unknown, name = 'sell') => ({ action: name, actionDescription: 'Sells a report', payment });

async function openService(options: ServiceOptions = {}) {
  const service = await startService(options);
  return { service, toolkit: await RawToolkit.connect(service) };
}

async function register(toolkit: RawToolkit, actions: unknown[]): Promise<Answer['result']> {
  return ((await toolkit.register(actions)) as unknown as Answer).result;
}

/** Action id -> price, as listed for an agent with a budget. */
async function prices(service: TestService): Promise<Record<string, ActionInfo['payment']>> {
  const budget = { perCall: '1000', perDay: '1000' };
  const { key } = await service.keys.create({ kind: 'agent', name: 'buyer', budget });
  const response = await fetch(`${service.url}/v1/actions`, { headers: { authorization: `Bearer ${key}` } });
  const { actions } = (await response.json()) as { actions: ActionInfo[] };
  return Object.fromEntries(actions.map(({ action: id, payment }) => [id, payment]));
}

test('prices are in the currency of the service and in their shortest text; a price of 0 is none', async () => {
  const { service, toolkit } = await openService();
  const actions = [
    action({ amount: '0.050' }),
    action({ amount: '12', currency: 'USD' }, 'rent'),
    action({ amount: '0.000' }, 'give'),
    action(undefined, 'show'),
  ];
  expect(await register(toolkit, actions)).toMatchObject({ rejected: [] });
  expect(await prices(service)).toEqual({
    raw__sell: { amount: '0.05', currency: 'USD' },
    raw__rent: { amount: '12', currency: 'USD' },
    raw__give: undefined,
    raw__show: undefined,
  });
});

test('a service may count in credits', async () => {
  const { service, toolkit } = await openService({ currency: 'credits' });
  expect(await register(toolkit, [action({ amount: '3' }), action({ amount: '0', currency: 'USD' }, 'rent')])).toMatchObject({
    accepted: ['raw__sell'],
    rejected: [
      {
        action: 'rent',
        message:
          'payment.currency of action "rent" must be "credits", the currency of this service, or left out; write the amount in credits',
      },
    ],
  });
  expect(await prices(service)).toEqual({ raw__sell: { amount: '3', currency: 'credits' } });
});

test.each<[unknown, RegExp]>([
  [{ amount: 0.05 }, /^payment\.amount of action "sell" must be a decimal text .*such as "0\.05", not number$/],
  [{ amount: '5e-2' }, /decimal text/],
  [{ amount: '1,50' }, /decimal text/],
  [{ amount: '-1' }, /decimal text/],
  [{ amount: '+1' }, /decimal text/],
  [{ amount: '0.0000001' }, /6 behind it/],
  [{ amount: '1000000000000' }, /12 digits before the point/],
  [{}, /not undefined$/],
  [{ amount: '1', currency: 'EUR' }, /must be "USD", the currency of this service/],
  [{ amount: '1', currency: 'usd' }, /must be "USD"/],
  [{ amount: '1', currency: null }, /must be "USD"/],
  [{ amount: '1', currency: ['USD'] }, /must be "USD"/],
  ['0.05', /not undefined$/],
  [null, /not undefined$/],
  [['0.05'], /not undefined$/],
])('the price %j is rejected with what to write, and the other actions are accepted', async (payment, message) => {
  const { service, toolkit } = await openService();
  expect(await register(toolkit, [action(payment), action({ amount: '1' }, 'rent')])).toMatchObject({
    accepted: ['raw__rent'],
    rejected: [{ action: 'sell', message: expect.stringMatching(message) }],
  });
  expect(Object.keys(await prices(service))).toEqual(['raw__rent']);
});

test('a price can rise and fall, and end, while the rest of the action stays', async () => {
  const { service, toolkit } = await openService();
  for (const amount of ['1', '2', '0.5']) {
    await register(toolkit, [action({ amount })]);
    expect(await prices(service)).toEqual({ raw__sell: { amount, currency: 'USD' } });
  }
  await register(toolkit, [action(undefined)]);
  expect(await prices(service)).toEqual({ raw__sell: undefined });
});
