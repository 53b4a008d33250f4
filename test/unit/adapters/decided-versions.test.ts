/** A call runs the decided version, in the kit for adapters, with a real service whose action changes between decision and call. */
import type { FetchLike } from 'svc-sdk';
import { type AgentTool, agentTools, type SvcToolsOptions } from 'svc-sdk/agent-tool';
import { expect, test } from 'vitest';
import { RawToolkit } from '../../support/raw-toolkit';
import { startService } from '../../support/service';

const ERASE = { action: 'erase', actionDescription: 'Erases a list', payloadDescription: { list: { type: 'string', required: true } } };
const DESTRUCTIVE = { ...ERASE, annotations: { destructive: true } };
const FORCED = { list: { type: 'string', required: true }, force: { type: 'boolean' } };
const INPUT = { action: 'raw__erase', payload: { list: 'a' } };
const CHANGED = { code: 'ACTION_CHANGED' };

async function stage(options: SvcToolsOptions = {}) {
  const service = await startService();
  const toolkit = await RawToolkit.connect(service);
  const invokes: (string | null)[] = [];
  let beforeInvoke = async () => {};
  const send: FetchLike = async (url, init) => {
    if (url.endsWith('/v1/invoke')) {
      invokes.push(init.headers['svc-action-version'] ?? null);
      await beforeInvoke();
    }
    return fetch(url, init);
  };
  const tools = await service.tools({ fetch: send }, { budget: { perCall: '1', perDay: '10' } });
  const [, tool] = agentTools({ tools, ...options }) as [AgentTool, AgentTool];
  const runs = () => toolkit.received.filter(({ method }) => method === 'invoke').length;
  const answerRun = async () => toolkit.send({ jsonrpc: '2.0', id: (await toolkit.invoked()).id, result: 'erased' });
  const changes = (change: () => Promise<unknown>) => {
    beforeInvoke = async () => void (await change());
  };
  return { toolkit, tool, invokes, runs, answerRun, changes };
}

let calls = 0;
const newId = () => ({ toolCallId: `call_${++calls}` });

test.each(['needsApproval', 'callUnapproved'] as const)(
  'a destructive action that comes online between decision and call does not run: %s',
  async (way) => {
    const { toolkit, tool, runs, invokes, changes } = await stage();
    const id = newId();
    if (way === 'needsApproval') expect(await tool.needsApproval(INPUT, id)).toBe(false);
    changes(() => toolkit.register([DESTRUCTIVE]));
    await expect(way === 'needsApproval' ? tool.call(INPUT, id) : tool.callUnapproved(INPUT, id)).rejects.toMatchObject(CHANGED);
    expect([runs(), invokes]).toEqual([0, ['none']]);
    expect(await tool.needsApproval(INPUT, newId())).toBe(true);
  },
);

test.each([
  ['becomes destructive', ERASE, DESTRUCTIVE],
  ['takes another payload after its approval', DESTRUCTIVE, { ...DESTRUCTIVE, payloadDescription: FORCED }],
])('an action that %s between decision and call does not run', async (_what, before, after) => {
  const { toolkit, tool, runs, changes } = await stage();
  await toolkit.register([before]);
  const id = newId();
  expect(await tool.needsApproval(INPUT, id)).toBe(before === DESTRUCTIVE);
  changes(() => toolkit.register([after]));
  await expect(tool.call(INPUT, id)).rejects.toMatchObject(CHANGED);
  expect(runs()).toBe(0);
});

test('the first version shown to a human counts, even if the framework decides again after the answer', async () => {
  const { toolkit, tool, runs } = await stage();
  await toolkit.register([DESTRUCTIVE]);
  const id = newId();
  await tool.needsApproval(INPUT, id);
  await toolkit.register([{ ...DESTRUCTIVE, payloadDescription: FORCED }]);
  await tool.needsApproval(INPUT, id);
  await expect(tool.call(INPUT, id)).rejects.toMatchObject(CHANGED);
  expect(runs()).toBe(0);
});

test('an action that changed and still needs no approval runs after a second decision', async () => {
  const { toolkit, tool, invokes, answerRun, changes } = await stage();
  await toolkit.register([ERASE]);
  const id = newId();
  await tool.needsApproval(INPUT, id);
  changes(() => toolkit.register([{ ...ERASE, payloadDescription: FORCED }]));
  const done = tool.call(INPUT, id);
  await answerRun();
  expect(await done).toBe('erased');
  expect(new Set(invokes).size).toBe(2);
});

test('an action that always changes is decided about twice more, then the model reads it', async () => {
  const { toolkit, tool, invokes, runs, changes } = await stage();
  await toolkit.register([ERASE]);
  let amount = 0;
  changes(() => toolkit.register([{ ...ERASE, payment: { amount: `0.0${++amount}` } }]));
  await expect(tool.callUnapproved(INPUT, newId())).rejects.toMatchObject(CHANGED);
  expect([invokes.length, runs()]).toEqual([3, 0]);
});

test('a call whose price rises above askAbove between decision and call is refused and costs nothing', async () => {
  const { toolkit, tool, runs, changes } = await stage({ askAbove: '0.10' });
  await toolkit.register([{ ...ERASE, payment: { amount: '0.10' } }]);
  const id = newId();
  expect(await tool.needsApproval(INPUT, id)).toBe(false);
  changes(() => toolkit.register([{ ...ERASE, payment: { amount: '0.11' } }]));
  await expect(tool.call(INPUT, id)).rejects.toMatchObject({ code: 'PAYMENT_REQUIRED' });
  expect(runs()).toBe(0);
});

test('an adapter with its own decision passes it on', async () => {
  const { toolkit, tool, runs, invokes } = await stage();
  await toolkit.register([DESTRUCTIVE]);
  const { needed, callOptions } = await tool.decide(INPUT);
  expect(needed).toMatchObject({ payload: { list: 'a' }, version: callOptions.actionVersion });
  await toolkit.register([{ ...DESTRUCTIVE, payloadDescription: FORCED }]);
  expect(await tool.answer(INPUT, callOptions)).toMatchObject({ error: CHANGED });
  expect([runs(), invokes]).toEqual([0, [callOptions.actionVersion]]);
});
