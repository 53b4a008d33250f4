/** The registrations of one toolkit key: bounded in size and number, and never a pause for other keys. */
import { randomUUID } from 'node:crypto';
import type { ServiceOptions } from 'svc-service';
import { expect, test, vi } from 'vitest';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';

type Answer = { result?: { accepted: string[] }; error?: { message: string; data: { code: string; retryAfterMs?: number } } };

async function openService(limits: ServiceOptions['limits'] = {}) {
  const service = await startService({ limits });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw' });
  return { service, connect: () => RawToolkit.connect(service, key) };
}

const actionsNamed = (prefix: string, count: number, text = 'Does something with orders') =>
  Array.from({ length: count }, (_, number) => ({ action: `${prefix}${number}`, actionDescription: text }));

async function register(toolkit: RawToolkit, actions: unknown[], more: object = {}): Promise<Answer> {
  return (await toolkit.register(actions, more)) as Answer;
}

async function actionIds(service: TestService): Promise<string[]> {
  const { actions } = (await (await service.request('/v1/actions?limit=200')).json()) as { actions: { action: string }[] };
  return actions.map(({ action }) => action);
}

const instance = () => ({ instance: randomUUID() });

test('actionsPerToolkit counts the actions of all processes of a toolkit', async () => {
  const { service, connect } = await openService({ actionsPerToolkit: 10 });
  const [first, second] = [await connect(), await connect()];
  expect((await register(first, actionsNamed('a', 6), instance())).result?.accepted).toHaveLength(6);
  const refused = await register(second, actionsNamed('b', 5), instance());
  expect(refused.error).toMatchObject({ data: { code: 'INVALID_ACTION' } });
  expect(refused.error?.message).toContain('5 actions and the 6 that other processes of this toolkit offer are more than the 10');
  expect(await actionIds(service)).toHaveLength(6);
  // The same actions count once.
  expect((await register(second, [...actionsNamed('a', 6), ...actionsNamed('b', 4)], instance())).result?.accepted).toHaveLength(10);
});

test.each<[string, object]>([
  ['descriptions', { actionDescription: '訂'.repeat(300) }],
  ['payload descriptions', { payloadDescription: { city: { type: 'string', description: 'x'.repeat(900) } } }],
  ['examples', { payloadDescription: { city: { type: 'string', examples: ['x'.repeat(900)] } } }],
  ['enums', { payloadDescription: { city: { enum: Array.from({ length: 90 }, (_, n) => `city number ${n}`) } } }],
  ['property names', { payloadDescription: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`property_${n}_long`, 'x'])) }],
])('the texts of a toolkit are bounded in all: %s', async (_what, part) => {
  const { service, connect } = await openService({ toolkitTextBytes: 5_000 });
  const toolkit = await connect();
  const actions = actionsNamed('a', 10).map((action) => ({ ...action, ...part }));
  const refused = await register(toolkit, actions);
  expect(refused.error).toMatchObject({ data: { code: 'INVALID_ACTION' } });
  expect(refused.error?.message).toMatch(/at most 5000 are allowed \(toolkitTextBytes\).*Shorten.*The largest actions: "a0" \(\d+\)/);
  expect(await actionIds(service)).toEqual([]);
  expect((await register(toolkit, actions.slice(0, 2))).result?.accepted).toHaveLength(2);
});

test('the texts of other processes of the toolkit count, and so does a longer description of the toolkit', async () => {
  const { connect } = await openService({ toolkitTextBytes: 3_000 });
  const [first, second] = [await connect(), await connect()];
  await register(first, actionsNamed('a', 1, 'x'.repeat(2_000)), instance());
  const refused = await register(second, actionsNamed('b', 1, 'y'.repeat(2_000)), instance());
  expect(refused.error?.message).toContain('with the 1 actions that other processes of it offer');
  const update = (await first.request('update', { description: 'z'.repeat(1_500) })) as Answer;
  expect(update.error).toMatchObject({ data: { code: 'INVALID_ACTION' } });
});

test('a key that changes its toolkit too often has to wait; registrations that change nothing are free', async () => {
  const { connect } = await openService({ changedRegistrationsPerMinute: 3 });
  const toolkit = await connect();
  for (let change = 0; change < 3; change++)
    expect(await register(toolkit, actionsNamed('a', 1, `Version ${change}`))).toHaveProperty('result');
  for (let again = 0; again < 20; again++) expect(await register(toolkit, actionsNamed('a', 1, 'Version 2'))).toHaveProperty('result');

  const refused = await register(toolkit, actionsNamed('a', 1, 'Version 3'));
  expect(refused.error).toMatchObject({ data: { code: 'RATE_LIMITED', retryable: true, retryAfterMs: expect.any(Number) } });
  expect(refused.error?.message).toMatch(/3 times a minute \(changedRegistrationsPerMinute\): wait \d+ s/);
  const update = (await toolkit.request('update', { description: 'Another one' })) as Answer;
  expect(update.error).toMatchObject({ data: { code: 'RATE_LIMITED' } });
  // Connections of a key share the count; a registration without changes is accepted.
  const second = await connect();
  expect(await register(second, actionsNamed('b', 1), instance())).toMatchObject({ error: { data: { code: 'RATE_LIMITED' } } });
  expect(await register(second, actionsNamed('a', 1, 'Version 2'), instance())).toHaveProperty('result');
});

test('rejected registrations leave the former actions unchanged, and another key is not affected', async () => {
  const { service, connect } = await openService({ changedRegistrationsPerMinute: 1, toolkitTextBytes: 5_000 });
  const toolkit = await connect();
  await register(toolkit, actionsNamed('a', 2));
  await register(toolkit, actionsNamed('b', 2));
  await register(toolkit, actionsNamed('c', 20, 'x'.repeat(1_000)));
  expect(await actionIds(service)).toEqual(['raw__a0', 'raw__a1']);
  const call = (await service.tools()).invoke('raw__a0');
  const { id } = await toolkit.invoked();
  toolkit.send({ jsonrpc: '2.0', id, result: 'served' });
  expect(await call).toMatchObject({ result: 'served' });
  const other = await RawToolkit.connect(service, (await service.keys.create({ kind: 'toolkit', name: 'other' })).key);
  expect(await register(other, actionsNamed('a', 1))).toHaveProperty('result');
});

const CJK = Array.from({ length: 3_000 }, (_, n) => String.fromCharCode(0x4e00 + ((n * 7_919) % 8_000))).join('');

test('while a large registration is indexed the former one is served, then the new one as a whole', async () => {
  const { service, connect } = await openService();
  const toolkit = await connect();
  await register(toolkit, [...actionsNamed('a', 40, 'Finds paragliders'), ...actionsNamed('gone', 20)]);
  const tools = await service.tools();
  const seen = new Set<string>();
  let isRegistered = false;
  const registered = register(toolkit, actionsNamed('a', 80, `Finds paragliders ${CJK}`)).then((answer) => {
    isRegistered = true;
    return answer;
  });
  while (!isRegistered) {
    const { actions } = await tools.search('finds paragliders', { limit: 50, maxTokens: 20_000 } as never);
    expect(actions.length).toBeGreaterThan(0);
    const ids = await actionIds(service);
    seen.add(`${ids.length} ${ids.includes('raw__gone0')}`);
  }
  expect(await registered).toHaveProperty('result');
  expect([...seen].filter((state) => state !== '60 true' && state !== '80 false')).toEqual([]);
  expect(await actionIds(service)).toHaveLength(80);
});

test('registrations of one toolkit take effect in order of arrival', async () => {
  const { service, connect } = await openService();
  const toolkit = await connect();
  await register(toolkit, actionsNamed('a', 1));
  const answers = [30, 3, 2].map((count) => register(toolkit, actionsNamed('a', count, `Version with ${count} ${CJK}`)));
  for (const answer of await Promise.all(answers)) expect(answer).toHaveProperty('result');
  expect(await actionIds(service)).toEqual(['raw__a0', 'raw__a1']);
});

test('a connection that ends while its registration is read leaves nothing behind', async () => {
  const { service, connect } = await openService({ changedRegistrationsPerMinute: 1 });
  const [leaving, next] = [await connect(), await connect()];
  const params = { protocol: 1, sdk: 'raw/1', ...instance(), concurrency: 1, unfinished: [], actions: actionsNamed('a', 100, CJK) };
  leaving.send({ jsonrpc: '2.0', id: 1, method: 'register', params });
  leaving.endStream();
  await vi.waitFor(() => expect(leaving.closed).toBeDefined());
  // Registrations of one toolkit run in order: this one would change the result of the former, and one change is allowed.
  expect(await register(next, [], instance())).toHaveProperty('result');
  expect(leaving.received).toEqual([]);
  expect(await actionIds(service)).toEqual([]);
});

test('a socket is not read on while two of its registrations wait, and all of them are answered', async () => {
  const { service, connect } = await openService();
  const toolkit = await connect();
  const same = instance();
  const answers = Array.from({ length: 20 }, (_, n) => register(toolkit, actionsNamed('a', 20, `Version ${n} ${CJK}`), same));
  for (const answer of await Promise.all(answers)) expect(answer).toHaveProperty('result');
  const tools = await service.tools();
  expect((await tools.search('version 19')).actions.length).toBeGreaterThan(0);
});
