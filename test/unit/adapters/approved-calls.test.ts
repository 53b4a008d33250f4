/** A human's answer covers the call that was shown, in the kit for adapters, with a real service whose action changes between question and call. */
import type { ResolveResponse } from 'svc-sdk';
import { type AgentTool, agentTools, type SvcToolsOptions } from 'svc-sdk/agent-tool';
import { expect, test } from 'vitest';
import { RawToolkit } from '../../support/raw-toolkit';
import { startService } from '../../support/service';

const ERASE = { action: 'erase', actionDescription: 'Erases a list', payloadDescription: { list: { type: 'string', required: true } } };
const DESTRUCTIVE = { ...ERASE, annotations: { destructive: true } };
const FORCED = { list: { type: 'string', required: true }, force: { type: 'boolean' } };
const INPUT = { action: 'raw__erase', payload: { list: 'a' } };
const NEW_QUESTION = { code: 'APPROVAL_REQUIRED', details: { approval: { isNew: true, decidedBy: 'app', status: 'pending' } } };

async function stage(options: SvcToolsOptions = {}) {
  const service = await startService();
  const toolkit = await RawToolkit.connect(service);
  const tools = await service.tools({}, { budget: { perCall: '1', perDay: '10' } });
  /** New tools for each step, as in another process. */
  const tool = () => agentTools({ tools, ...options })[1] as AgentTool;
  const runs = () => toolkit.received.filter(({ method }) => method === 'invoke').length;
  const answerRun = async () => toolkit.send({ jsonrpc: '2.0', id: (await toolkit.invoked()).id, result: 'erased' });
  return { toolkit, tool, runs, answerRun };
}

test('an approved call runs, in any process', async () => {
  const { toolkit, tool, answerRun } = await stage();
  await toolkit.register([DESTRUCTIVE]);
  expect(await tool().needsApproval(INPUT)).toBe(true);
  const done = tool().call(INPUT, { approved: true });
  await answerRun();
  expect(await done).toBe('erased');
});

test('a call that no human approved does not run, however often it is made', async () => {
  const { toolkit, tool, runs } = await stage();
  await toolkit.register([DESTRUCTIVE]);
  await expect(tool().call(INPUT)).rejects.toMatchObject(NEW_QUESTION);
  await expect(tool().call(INPUT)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  expect(runs()).toBe(0);
});

test('a destructive action that comes online after the decision does not run', async () => {
  const { toolkit, tool, runs } = await stage();
  expect(await tool().needsApproval(INPUT)).toBe(false);
  await toolkit.register([DESTRUCTIVE]);
  await expect(tool().call(INPUT)).rejects.toMatchObject(NEW_QUESTION);
  expect(runs()).toBe(0);
  expect(await tool().needsApproval(INPUT)).toBe(true);
});

test.each([
  ['becomes destructive', ERASE, DESTRUCTIVE],
  ['takes another payload', DESTRUCTIVE, { ...DESTRUCTIVE, payloadDescription: FORCED }],
  ['gets a higher price', { ...DESTRUCTIVE, payment: { amount: '0.05' } }, { ...DESTRUCTIVE, payment: { amount: '0.06' } }],
])('an action that %s after the question does not run on the strength of its answer', async (_what, before, after) => {
  const { toolkit, tool, runs } = await stage();
  await toolkit.register([before]);
  await tool().needsApproval(INPUT);
  await toolkit.register([after]);
  await expect(tool().call(INPUT, { approved: true })).rejects.toMatchObject(NEW_QUESTION);
  expect(runs()).toBe(0);
});

test('a framework that keeps what the human saw may decide a question that is newer', async () => {
  const { toolkit, tool, answerRun } = await stage();
  await toolkit.register([DESTRUCTIVE]);
  const { needed, callOptions } = await tool().decide(INPUT);
  const edited = { action: 'raw__erase', payload: { list: 'b' } };
  expect(needed).toMatchObject<Partial<ResolveResponse>>({ payload: { list: 'a' }, version: callOptions.actionVersion as string });
  const done = tool().call(edited, callOptions);
  await answerRun();
  expect(await done).toBe('erased');
});

test('an approval with its version does not cover another version of the action', async () => {
  const { toolkit, tool, runs } = await stage();
  await toolkit.register([DESTRUCTIVE]);
  const { callOptions } = await tool().decide(INPUT);
  await toolkit.register([{ ...DESTRUCTIVE, payloadDescription: FORCED }]);
  await expect(tool().call(INPUT, callOptions)).rejects.toMatchObject(NEW_QUESTION);
  expect(runs()).toBe(0);
});

test('an action that changed and still needs no approval runs', async () => {
  const { toolkit, tool, answerRun } = await stage({ needsApproval: () => false });
  await toolkit.register([ERASE]);
  expect(await tool().needsApproval(INPUT)).toBe(false);
  await toolkit.register([{ ...ERASE, payloadDescription: FORCED }]);
  const done = tool().call(INPUT);
  await answerRun();
  expect(await done).toBe('erased');
});

test('a call whose price rises above askAbove after the decision does not run', async () => {
  const { toolkit, tool, runs } = await stage({ askAbove: '0.10' });
  await toolkit.register([{ ...ERASE, payment: { amount: '0.10' } }]);
  expect(await tool().needsApproval(INPUT)).toBe(false);
  await toolkit.register([{ ...ERASE, payment: { amount: '0.11' } }]);
  await expect(tool().call(INPUT)).rejects.toMatchObject(NEW_QUESTION);
  expect(runs()).toBe(0);
});
