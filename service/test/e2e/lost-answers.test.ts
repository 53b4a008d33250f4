// @module-tag postgres
/**
 * PostgreSQL stores a call that goes on without its caller, a question about a call, or a program, and its answer is lost, as when the network
 * breaks. Each has an effect later, so no error says that nothing ran.
 */
import { expect, test, vi } from 'vitest';
import { newDatabase } from '../../../test/support/postgres';
import { startService } from '../../../test/support/service';
import { Coder } from '../support/code-runs';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';

const JSON_BODY = { 'content-type': 'application/json' };
const PATIENCE = { timeout: 30_000 };
const MAY_RUN = { code: 'INVOCATION_TIMEOUT', retryable: true, retryAfterMs: 1_000 };

async function setUp(key: object = {}) {
  const address = new URL(await newDatabase());
  const { port } = address;
  const proxy = await startTcpProxy(Number(port));
  address.host = new URL(proxy.url).host;
  const service = await startService({ database: address.href, code: true });
  const orders: string[] = [];
  await service.toolkit('shop', (toolkit) => {
    toolkit.action({ action: 'order', actionDescription: 'Orders', payloadDescription: { item: 'string' } }, (_ctx, { item }) => {
      orders.push(`${item}`);
      return { ordered: item };
    });
  });
  const agent = await service.keys.create({ kind: 'agent', name: 'agent', code: true, ...key });
  const { key: admin } = await service.keys.create({ kind: 'admin', name: 'admin' });
  const cut = () => {
    proxy.leadTo(1);
    proxy.disconnect();
    // A service stops only when all is stored.
    return () => proxy.leadTo(Number(port));
  };
  return { cut, proxy, orders, agent: new Coder(service, agent.key), admin: new Coder(service, admin) };
}

/** The connection that sends the statement brings no answer, and breaks. */
async function loseAnswer<T>(proxy: TcpProxy, statement: string, request: () => Promise<T>): Promise<T> {
  const silenced = proxy.silenceAt(statement);
  const answer = request();
  await silenced;
  // The server carries out what has arrived.
  await new Promise((resolve) => setTimeout(resolve, 200));
  proxy.disconnect();
  return answer;
}

const order = (agent: Coder, item: string, headers: Record<string, string>) =>
  agent.ask('/v1/invoke', {
    method: 'POST',
    headers: { ...JSON_BODY, 'idempotency-key': item, ...headers },
    body: JSON.stringify({ action: 'shop__order', payload: { item } }),
  });

test('a call that goes on without its caller: the same call gets its handle, and it runs once', async () => {
  const { proxy, agent, orders } = await setUp();
  const detached = { prefer: 'respond-async' };
  const { status, body } = await loseAnswer(proxy, 'insert into "detached_calls"', () => order(agent, 'tea', detached));
  expect({ status, body }).toMatchObject({ status: 504, body: MAY_RUN });
  expect(body.detail).toMatch(
    /^The database of the service does not answer now\. It may have this call; .* with the same idempotency key: it runs once$/,
  );

  await vi.waitFor(
    async () => expect(await order(agent, 'tea', { prefer: 'respond-async, wait=10' })).toMatchObject({ status: 200 }),
    PATIENCE,
  );
  expect(orders).toEqual(['tea']);
});

test('a stored call whose state cannot be read has its handle', async () => {
  const { proxy, agent } = await setUp();
  const answer = await loseAnswer(proxy, 'select * from "detached_calls" where "id"', () =>
    order(agent, 'tea', { prefer: 'respond-async' }),
  );
  expect(answer).toMatchObject({ status: 202, body: { status: 'running' } });
  await vi.waitFor(
    async () => expect(await agent.ask(`/v1/invocations/${answer.body.invocationId}`, {})).toMatchObject({ status: 200 }),
    PATIENCE,
  );
});

test('a question: a person approves it, and the same call gets the result of its one run', async () => {
  const { proxy, agent, admin, orders } = await setUp({ rules: [{ match: {}, do: 'ask' }] });
  const { status, body } = await loseAnswer(proxy, 'insert into "approvals"', () => order(agent, 'tea', {}));
  expect({ status, body }).toMatchObject({ status: 504, body: MAY_RUN });
  expect(body.detail).toMatch(/It may have the question about this call; .* equal calls share one question and one run$/);

  const pending = async () => (await admin.ask('/v1/approvals?status=pending', {})).body.approvals;
  await vi.waitFor(async () => expect(await pending()).toHaveLength(1), PATIENCE);
  const [{ id }] = await pending();
  const decision = { method: 'POST', headers: JSON_BODY, body: '{"decision":"approve"}' };
  expect(await admin.ask(`/v1/approvals/${id}`, decision)).toMatchObject({ status: 200 });
  await vi.waitFor(() => expect(orders).toEqual(['tea']), PATIENCE);
  expect(await order(agent, 'tea', {})).toMatchObject({ status: 200, body: { result: { ordered: 'tea' } } });
  expect(orders).toEqual(['tea']);
});

test('a caller that waits for a person keeps its question while the database is away', async () => {
  const { cut, proxy, agent } = await setUp({ rules: [{ match: {}, do: 'ask' }] });
  await order(agent, 'tea', {});
  // The first look for a decision.
  const looked = proxy.silenceAt('from "approvals" where "id"');
  const waiting = order(agent, 'tea', { prefer: 'wait=3' });
  await looked;
  const mend = cut();
  const answer = await waiting;
  mend();
  expect(answer).toMatchObject({ status: 403, body: { code: 'APPROVAL_REQUIRED', approval: { status: 'pending' } } });
});

test('a program: the same one gets its answer, and it runs once', async () => {
  const { proxy, agent, orders } = await setUp();
  const code = `return (await tools.shop.order({ item: 'tea' })).data;`;
  const { status, body } = await loseAnswer(proxy, 'insert into "runs"', () => agent.run(code, { more: { run: 'mine' } }));
  expect({ status, body }).toMatchObject({ status: 504, body: MAY_RUN });
  expect(body.detail).toMatch(/It may have this program; .* with the same key: it runs once$/);

  const unnamed = await loseAnswer(proxy, 'insert into "runs"', () =>
    agent.ask('/v1/runs', { method: 'POST', headers: JSON_BODY, body: '{"code":"return 1;"}' }),
  );
  expect(unnamed).toMatchObject({ status: 502, body: { code: 'OUTCOME_UNKNOWN', retryable: false } });

  const again = () => agent.run(code, { more: { run: 'mine' }, prefer: 'wait=10' });
  await vi.waitFor(async () => expect((await again()).body).toMatchObject({ status: 'done', result: { ordered: 'tea' } }), PATIENCE);
  expect(orders).toEqual(['tea']);
});

test('while the database is known to be away, nothing is stored, and the errors say so', async () => {
  const { cut, agent, orders } = await setUp();
  const mend = cut();
  const answers = await Promise.all([order(agent, 'tea', { prefer: 'respond-async' }), agent.run('return 1;', { more: { run: 'mine' } })]);
  mend();
  expect(answers.map(({ body }) => body.code)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
  expect(orders).toEqual([]);
});
