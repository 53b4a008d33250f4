// @module-tag postgres
// @module-tag nats
/** Approvals of a service of several nodes, of which some are drained or killed. */
import { setTimeout as delay } from 'node:timers/promises';
import { openKeys } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Problem } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import { startNats } from '../../../test/support/nats';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { newDatabase } from '../../../test/support/postgres';
import { runToolkit, type TestService } from '../../../test/support/service';
import { startCommand } from '../support/command';

type Answer = Problem & { result: unknown };

async function send(url: string, key: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Answer };
}

async function asked(url: string, key: string, payload: object, headers: Record<string, string> = {}) {
  return send(url, key, 'POST', PATHS.invoke, { action: 'shop__buy', payload }, headers);
}

async function stage(count = 2, { fails = false } = {}) {
  const nodes = await startNodes(count);
  let runs = 0;
  const offer = (node: TestService) =>
    node.toolkit('shop', (toolkit) => {
      toolkit.action({ action: 'buy', actionDescription: 'Buys' }, (ctx) => {
        const order = ++runs;
        return fails ? ctx.error('NOT_NOW', 'Not now', { retryable: true }) : { order };
      });
    });
  await offer(nodes[0]!);
  await offeredAt(nodes, 'shop__buy');
  const agent = await nodes[0]!.keys.create({ kind: 'agent', name: 'agent', rules: [{ match: {}, do: 'ask' }] });
  const admin = await nodes[0]!.keys.create({ kind: 'admin', name: 'admin' });
  const decide = (node: TestService, id: string, body: object) => send(node.url, admin.key, 'POST', `${PATHS.approvals}/${id}`, body);
  const pending = async () => {
    const { json } = await send(nodes[0]!.url, admin.key, 'GET', `${PATHS.approvals}?status=pending`);
    return (json as unknown as { approvals: { id: string }[] }).approvals;
  };
  return { nodes, agent: agent.key, decide, pending, runs: () => runs };
}

test('fifty equal calls at two nodes make one question and one run, and each caller gets its result', async () => {
  const { nodes, agent, decide, pending, runs } = await stage();
  const calls = Array.from({ length: 50 }, (_, index) =>
    asked(nodes[index % 2]!.url, agent, { item: 'tea' }, { prefer: 'wait=60', 'idempotency-key': `k${index}` }),
  );
  await vi.waitFor(async () => expect(await pending()).toHaveLength(1), { timeout: 20_000 });
  const [question] = await pending();
  expect((await decide(nodes[1]!, question!.id, { decision: 'approve' })).status).toBe(200);
  const answers = await Promise.all(calls);
  expect(answers.map(({ json }) => json.result)).toEqual(Array.from({ length: 50 }, () => ({ order: 1 })));
  expect(runs()).toBe(1);
});

test('a run whose handler fails and calls it retryable is not begun again by the callers that wait at both nodes', async () => {
  const { nodes, agent, decide, pending, runs } = await stage(2, { fails: true });
  const calls = Array.from({ length: 50 }, (_, index) =>
    asked(nodes[index % 2]!.url, agent, { item: 'tea' }, { prefer: 'wait=60', 'idempotency-key': `k${index}` }),
  );
  await vi.waitFor(async () => expect(await pending()).toHaveLength(1), { timeout: 20_000 });
  const [question] = await pending();
  await decide(nodes[0]!, question!.id, { decision: 'approve' });
  expect(new Set((await Promise.all(calls)).map(({ json }) => json.code))).toEqual(new Set(['ACTION_FAILED']));
  expect(runs()).toBe(1);
});

test('two decisions at two nodes at the same moment: one counts, and a denied call never runs', async () => {
  const { nodes, agent, decide, runs } = await stage();
  let approved = 0;
  for (let round = 0; round < 10; round++) {
    const { json } = await asked(nodes[0]!.url, agent, { round });
    const id = json.approval?.id ?? '';
    const decisions = await Promise.all([
      decide(nodes[round % 2]!, id, { decision: 'approve' }),
      decide(nodes[(round + 1) % 2]!, id, { decision: 'deny' }),
    ]);
    expect(decisions.map(({ status }) => status).sort()).toEqual([200, 409]);
    if (decisions[0]?.status === 200) approved++;
  }
  await expect.poll(runs).toBe(approved);
  await delay(50);
  expect(runs()).toBe(approved);
});

test('a node that drains answers its waiting callers at once, and the other node goes on with the question', async () => {
  const { nodes, agent, decide, pending, runs } = await stage();
  const [stays, drains] = nodes as [TestService, TestService];
  const waiting = asked(drains.url, agent, { item: 'tea' }, { prefer: 'wait=60', 'idempotency-key': 'k1' });
  await vi.waitFor(async () => expect(await pending()).toHaveLength(1));
  const closed = drains.close({ graceMs: 2_000 });
  expect((await waiting).json).toMatchObject({ code: 'APPROVAL_REQUIRED', approval: { status: 'pending' } });
  const again = asked(stays.url, agent, { item: 'tea' }, { prefer: 'wait=60', 'idempotency-key': 'k1' });
  const [question] = await pending();
  await decide(stays, question!.id, { decision: 'approve' });
  expect((await again).json).toMatchObject({ result: { order: 1 } });
  expect(runs()).toBe(1);
  await closed;
});

test('approved calls run once although the node that decided is killed right after', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const keys = await openKeys({ database });
  const agent = await keys.create({ kind: 'agent', name: 'agent', rules: [{ match: {}, do: 'ask' }] });
  const admin = await keys.create({ kind: 'admin', name: 'admin' });
  const toolkit = await keys.create({ kind: 'toolkit', name: 'shop' });
  await keys.close();
  const start = async () => {
    const command = startCommand(['serve', '--port', '0', '--database', database, '--nats', nats.url]);
    onTestFinished(async () => {
      command.kill('SIGKILL');
      await command.ended;
    });
    const [, url = ''] = await command.printed(/listens on (http:\S+)/);
    return { command, url };
  };
  const [stays, dies] = await Promise.all([start(), start()]);
  const runs = new Map<number, number>();
  await runToolkit(stays.url, toolkit.key, (shop) => {
    shop.action({ action: 'buy', actionDescription: 'Buys' }, (_ctx, { round }: { round: number }) => {
      runs.set(round, (runs.get(round) ?? 0) + 1);
      return { round };
    });
  });
  const ROUNDS = 20;
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
  const questions = await Promise.all(
    rounds.map(async (round) => (await asked(stays.url, agent.key, { round }, { 'idempotency-key': `k${round}` })).json.approval?.id ?? ''),
  );
  // Some decisions are lost with the node, some calls between their decision and their run.
  const deciding = questions.map((id) =>
    send(dies.url, admin.key, 'POST', `${PATHS.approvals}/${id}`, { decision: 'approve' }).catch(() => undefined),
  );
  await Promise.race(deciding);
  dies.command.kill('SIGKILL');
  await Promise.all(deciding);
  for (const id of questions) await send(stays.url, admin.key, 'POST', `${PATHS.approvals}/${id}`, { decision: 'approve' });
  const outcomes = await Promise.all(
    rounds.map((round) => asked(stays.url, agent.key, { round }, { 'idempotency-key': `k${round}`, prefer: 'wait=60' })),
  );
  expect(outcomes.map(({ json }) => json.result)).toEqual(rounds.map((round) => ({ round })));
  expect([...runs.values()]).toEqual(rounds.map(() => 1));
});
