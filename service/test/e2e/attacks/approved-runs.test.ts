/** Attempts to get a second run out of one approval, a run after a denial, and a run of another payload than the person saw. */
import { expect, test, vi } from 'vitest';
import type { ApprovalDetails } from '#sdk/protocol/approval-schemas';
import type { Problem } from '#sdk/protocol/errors';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import type { Rule } from '#sdk/protocol/rules';
import { startConsole } from '../../../../test/support/console-service';
import { runToolkit } from '../../../../test/support/service';

interface Answer extends Problem {
  result?: unknown;
}

const APPROVE = { decision: 'approve' };

async function stage() {
  const service = await startConsole();
  const { owner } = service;
  const rules: Rule[] = [{ match: {}, do: 'ask' }];
  const toolkitKey = await owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'shop' });
  const agent = await owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'agent', rules });
  const payloads: unknown[] = [];
  await runToolkit(service.url, toolkitKey.key, (shop) => {
    shop.action({ action: 'buy', actionDescription: 'Buys an item' }, (_, payload) => ({ order: payloads.push(payload) }));
  });
  const call = async (headers: Record<string, string> = {}, payload: object = { item: 'tea' }): Promise<Answer> => {
    const response = await service.as(agent.key).ask('POST', PATHS.invoke, { action: 'shop__buy', payload }, { headers });
    return (await response.json()) as Answer;
  };
  const decide = (id: string | undefined, body: object) => owner.json('POST', `${PATHS.approvals}/${id}`, body);
  const show = (id: string | undefined) => owner.json<ApprovalDetails>('GET', `${PATHS.approvals}/${id}`);
  return { call, decide, show, payloads };
}

test('the call that asked gets the outcome of its run, although later calls of the session are free', async () => {
  const { call, decide, payloads } = await stage();
  const inChat = { 'svc-session-id': 'chat' };
  const asked = await call({ ...inChat, 'idempotency-key': 'k1' });
  await decide(asked.approval?.id, { ...APPROVE, sessionSeconds: 600 });
  expect((await call({ ...inChat, 'idempotency-key': 'k2' })).result).toEqual({ order: 1 });
  expect((await call({ ...inChat, 'idempotency-key': 'k1' })).result).toEqual({ order: 1 });
  expect(payloads).toHaveLength(1);
});

test('a question whose call has run, since its session is free by now, cannot be approved', async () => {
  const { call, decide, payloads } = await stage();
  const inChat = { 'svc-session-id': 'chat' };
  const early = await call(inChat, { item: 'milk' });
  await decide((await call(inChat)).approval?.id, { ...APPROVE, sessionSeconds: 600 });
  expect((await call(inChat, { item: 'milk' })).result).toEqual({ order: 2 });
  await expect(decide(early.approval?.id, APPROVE)).rejects.toThrow();
  expect(payloads).toEqual([{ item: 'tea' }, { item: 'milk' }]);
});

test('a call that a person denied stays denied in a session whose other calls are free', async () => {
  const { call, decide, payloads } = await stage();
  const inChat = { 'svc-session-id': 'chat' };
  const denied = await call(inChat, { item: 'poison' });
  const asked = await call(inChat);
  await decide(asked.approval?.id, { ...APPROVE, sessionSeconds: 600 });
  await decide(denied.approval?.id, { decision: 'deny' });
  expect((await call(inChat, { item: 'poison' })).code).toBe('APPROVAL_DENIED');
  expect(payloads).toEqual([{ item: 'tea' }]);
});

test('an approved payload that looks like a call runs as the person saw it', async () => {
  const { call, decide, show, payloads } = await stage();
  const inner = { action: 'shop__buy', payload: { item: 'a car' } };
  const asked = await call({}, { action: 'shop__buy', payload: inner });
  const { payload } = await show(asked.approval?.id);
  expect(payload).toEqual(inner);
  await decide(asked.approval?.id, APPROVE);
  await vi.waitFor(() => expect(payloads).toHaveLength(1));
  expect(payloads[0]).toEqual(inner);
});
