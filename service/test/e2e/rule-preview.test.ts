/** `POST /v1/rules/preview`: what rules would have done to the calls of the last days. */
import type { CreatedKey, Rule } from 'svc-service';
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type InvocationsPage, type RulePreview, type Settings } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { type ConsoleService, startConsole } from '../../../test/support/console-service';

const PREVIEW = `${ADMIN_PATHS.rules}/preview`;

interface Call {
  action?: string;
  payload?: object;
  headers?: Record<string, string>;
}

/** A shop whose owner's key made these calls. */
async function startWithCalls(calls: readonly Call[], settings: Partial<Settings> = { content: 'all' }) {
  const service = await startConsole();
  await service.owner.json('PATCH', ADMIN_PATHS.settings, settings);
  await service.toolkit('shop', (shop) => {
    shop.action({ action: 'refund', actionDescription: 'Refunds' }, () => 'done');
    shop.action({ action: 'delete', actionDescription: 'Deletes', annotations: { destructive: true } }, () => 'done');
  });
  const key = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'hers' });
  for (const { action = 'shop__refund', payload = {}, headers = {} } of calls) {
    const called = await service.as(key.key).ask('POST', PATHS.invoke, { action, payload }, { headers });
    expect(called.status).toBe(200);
  }
  return { service, key };
}

const preview = (service: ConsoleService, rules: Rule[], more: object = {}) =>
  service.owner.json<RulePreview>('POST', PREVIEW, { rules, ...more });

test('each call is counted once, under the rule that decides; examples are the newest', async () => {
  const { service, key } = await startWithCalls([
    { payload: { amount: 50 } },
    { payload: { amount: 500 } },
    { payload: { amount: 5_000 } },
    { action: 'shop__delete' },
    { action: 'shop__delete', payload: { amount: 500 } },
  ]);
  const rules: Rule[] = [
    { match: { hint: 'destructive' }, do: 'ask' },
    { match: { payload: [{ path: '/amount', above: 1_000 }] }, do: 'deny' },
    { match: { action: 'shop__refund', payload: [{ path: '/amount', above: 100 }] }, do: 'ask' },
    { match: {}, do: 'allow' },
  ];
  const found = await preview(service, rules, { key: key.id, days: 1 });
  expect(found).toMatchObject({ calls: 5, allow: 1, ask: 3, deny: 1, unknown: 0 });
  expect(found.byRule).toEqual([2, 1, 1, 0].map((calls, index) => ({ index, calls })));
  expect(found.examples.map(({ action, do: effect, index }) => [action, effect, index])).toEqual([
    ['shop__delete', 'ask', 0],
    ['shop__delete', 'ask', 0],
    ['shop__refund', 'deny', 1],
    ['shop__refund', 'ask', 2],
  ]);
  const { invocations } = await service.owner.json<InvocationsPage>('GET', `${ADMIN_PATHS.invocations}?key=${key.id}`);
  expect(found.examples.map(({ invocationId }) => invocationId)).toEqual(invocations.slice(0, 4).map(({ id }) => id));
});

test('defaults count too, without a rule', async () => {
  const { service } = await startWithCalls([{}, { action: 'shop__delete' }]);
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { ruleDefaults: { destructive: 'ask' } });
  const found = await preview(service, []);
  expect(found).toMatchObject({ calls: 2, allow: 1, ask: 1, unknown: 0, byRule: [] });
  expect(found.examples).toEqual([expect.not.objectContaining({ index: expect.anything() })]);
});

const ABOVE: Rule[] = [{ match: { payload: [{ path: '/amount', above: 100 }] }, do: 'deny' }];

test.each<[string, Partial<Settings>, Call]>([
  ['was not kept', { content: 'off' }, { payload: { amount: 500 } }],
  ['was cut', { content: 'all', contentBytes: 256 }, { payload: { amount: 500, text: 'x'.repeat(300) } }],
  ['was redacted', { content: 'all', redact: ['amount'] }, { payload: { amount: 500 } }],
])('a call whose payload %s is unknown where its payload decides, and counted where it does not', async (_, settings, call) => {
  const { service } = await startWithCalls([call], settings);
  expect(await preview(service, ABOVE)).toMatchObject({ calls: 1, deny: 0, unknown: 1 });
  expect(await preview(service, [...ABOVE, { match: { action: 'shop__*' }, do: 'deny' }])).toMatchObject({ deny: 1, unknown: 0 });
  expect(
    await preview(service, [
      { match: { toolkit: 'shop' }, do: 'ask' },
      { match: { toolkit: 'other', ...ABOVE[0]?.match }, do: 'deny' },
    ]),
  ).toMatchObject({
    ask: 1,
    unknown: 0,
  });
});

test('the user of a call is that of its session; without one it is unknown where it decides', async () => {
  const session = (userId: string) => ({ headers: { 'svc-session-id': 'chat', 'svc-user-id': userId } });
  const { service } = await startWithCalls([session('guest-1'), session('u_1'), {}]);
  const found = await preview(service, [{ match: { user: 'guest-*' }, do: 'deny' }]);
  expect(found).toMatchObject({ calls: 3, deny: 1, allow: 1, unknown: 1 });
});
