/** Special behaviour of Strands; the common behaviour of adapters is in test/contract/adapters. */
import { Agent, InterruptResponseContent } from '@strands-agents/sdk';
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic';
import { Tools } from 'svc-sdk';
import { loadSvcTools, type StrandsQuestion, svcTools } from 'svc-sdk/strands';
import { expect, test } from 'vitest';
import type { SpokenCall } from '../../../service/scripted-model/speech.ts';
import { type Stage, stagesOfFile } from '../../contract/stage';

const startStage = stagesOfFile();

const erase = (name: string): SpokenCall => ({
  name: 'invoke_service',
  id: 'call_1',
  arguments: { action: 'probe__erase', payload: { name } },
});

/** Agents whose model makes these calls in one message, and the answers that the model received. */
async function agentsThatCall(stage: Stage, calls: SpokenCall[]) {
  const { origin: baseURL, conversations } = await stage.model(({ turns }) => (turns.length === 0 ? { calls } : { content: 'Done.' }));
  const model = new AnthropicModel({ modelId: 'm', apiKey: 'any', clientConfig: { baseURL, maxRetries: 0 } });
  const told = () => conversations.at(-1)?.turns[0]?.map(({ output }) => output);
  const create = (options: object = {}) =>
    new Agent({ model, tools: svcTools({ tools: stage.tools, ...options }), printer: false, retryStrategy: null });
  return { create, told };
}

const yes = (interruptId: string) => new InterruptResponseContent({ interruptId, response: 'yes' });

test('a call that waits for a human can be kept as JSON, and runs once in another agent', async () => {
  const stage = await startStage();
  const { create, told } = await agentsThatCall(stage, [erase('a')]);
  const first = create();
  const [asked] = (await first.invoke('Erase a.')).interrupts ?? [];
  const { description, callOptions: _, ...reason } = asked!.reason as unknown as StrandsQuestion;
  expect(description).toMatch(/Erases a file for ever\n.*probe__erase \{"name":"a"\}/s);
  expect(reason).toEqual({
    toolUseId: 'call_1',
    tool: 'invoke_service',
    input: { action: 'probe__erase', payload: { name: 'a' } },
    action: 'probe__erase',
    payload: { name: 'a' },
  });
  const kept = JSON.parse(JSON.stringify(first.takeSnapshot({ preset: 'session' })));
  const second = create();
  second.loadSnapshot(kept);
  await second.invoke([yes(asked!.id)]);
  expect([stage.erased, told()]).toEqual([['a'], [{ erased: 'a' }]]);
});

test('an answer does not count for another call with the same id', async () => {
  const stage = await startStage();
  const { create } = await agentsThatCall(stage, [erase('a'), erase('b')]);
  const agent = create();
  const { interrupts = [] } = await agent.invoke('Erase a and b.');
  expect(interrupts).toHaveLength(1);
  const { payload } = interrupts[0]!.reason as unknown as StrandsQuestion;
  // The calls run, then the API refuses the conversation.
  await expect(agent.invoke([yes(interrupts[0]!.id)])).rejects.toThrow(/unique/);
  expect(stage.erased.map((name) => ({ name }))).toEqual([payload]);
});

test('a no stays a no, also where the call needs no approval by then', async () => {
  const stage = await startStage();
  const { create, told } = await agentsThatCall(stage, [erase('a')]);
  const first = create();
  const [asked] = (await first.invoke('Erase a.')).interrupts ?? [];
  const second = create({ needsApproval: false });
  second.loadSnapshot(first.takeSnapshot({ preset: 'session' }));
  await second.invoke([new InterruptResponseContent({ interruptId: asked!.id, response: 'no' })]);
  expect(told()).toEqual([{ error: expect.objectContaining({ message: expect.stringContaining('A human said no') }) }]);
  expect(stage.erased).toEqual([]);
});

test('tools that were not awaited throw the reason', async () => {
  expect(() => new Agent({ tools: loadSvcTools(new Tools()) as never, printer: false })).toThrow(/await loadSvcTools/);
});
