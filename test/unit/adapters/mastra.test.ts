import { Mastra } from '@mastra/core';
import { Agent, type ToolsInput } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { loadSvcTools, svcTools } from 'svc-sdk/mastra';
import { expect, test, vi } from 'vitest';
import type { SpokenCall } from '../../../examples/scripted-model/speech.ts';
import { type Stage, startStage } from '../../contract/stage';

vi.stubEnv('MASTRA_TELEMETRY_DISABLED', '1');

const invoke = (action: string, payload: object): SpokenCall => ({ name: 'invoke_service', arguments: { action, payload } });

/** An agent whose model makes these calls in one message. */
async function agentThatCalls(stage: Stage, calls: SpokenCall[], tools: ToolsInput = svcTools(stage.tools)): Promise<Agent> {
  const model = await stage.model(({ turns }) => (turns.length === 0 ? { calls } : { content: 'Done.' }));
  const agent = new Agent({
    id: 'agent',
    name: 'agent',
    instructions: 'Help.',
    model: { id: 'openai/gpt-5-mini', url: model.baseURL, apiKey: 'any' },
    tools,
  });
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  return agent;
}

test('a failure is a tool error, whose message is the JSON for the model', async () => {
  const stage = await startStage();
  const agent = await agentThatCalls(stage, [invoke('weather__today', { city: 'Atlantis' })]);
  const { fullStream } = await agent.stream('What is the weather?', { maxSteps: 5 });
  const errors: unknown[] = [];
  for await (const chunk of fullStream) if (chunk.type === 'tool-error') errors.push(chunk.payload.error);
  expect(errors.map((error) => JSON.parse((error as Error).message))).toEqual([
    { error: expect.objectContaining({ code: 'ACTION_FAILED' }) },
  ]);
});

test('generate stops for a human too, one call after the other', async () => {
  const stage = await startStage();
  const agent = await agentThatCalls(stage, [invoke('probe__erase', { name: 'a' }), invoke('probe__erase', { name: 'b' })]);
  let result = await agent.generate('Erase a and b.', { maxSteps: 5 });
  const asked: unknown[] = [];
  while (result.finishReason === 'suspended') {
    const { toolCallId, args } = result.suspendPayload;
    asked.push(args.payload);
    result = await agent.approveToolCallGenerate({ runId: String(result.runId), toolCallId, maxSteps: 5 });
  }
  expect(asked).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(stage.erased).toEqual(['a', 'b']);
  expect(result.text).toBe('Done.');
});

test('requireToolApproval of a run has no say about these tools; needsApproval: true asks about every action', async () => {
  const stage = await startStage();
  const call = [invoke('weather__today', { city: 'Rome' })];
  const run = { maxSteps: 5, requireToolApproval: true };
  const silent = await (await agentThatCalls(stage, call)).generate('What is the weather?', run);
  expect(silent.finishReason).toBe('stop');
  const asking = await agentThatCalls(stage, call, svcTools({ tools: stage.tools, needsApproval: true }));
  expect((await asking.generate('What is the weather?', run)).finishReason).toBe('suspended');
});

test('a function that loads the tools for each run is taken as it is', async () => {
  const stage = await startStage();
  const model = await stage.model(({ offered }) => ({ content: offered.map(({ name }) => name).join() }));
  const agent = new Agent({
    id: 'agent',
    name: 'agent',
    instructions: 'Help.',
    model: { id: 'openai/gpt-5-mini', url: model.baseURL, apiKey: 'any' },
    tools: () => loadSvcTools({ tools: stage.tools, dynamicTools: false, staticActions: ['weather__today'] }),
  });
  expect((await agent.generate('Which tools are there?')).text).toBe('weather__today');
});

test('a promise in the place of the tools is refused with what to write', async () => {
  const stage = await startStage();
  const tools = loadSvcTools(stage.tools) as unknown as ToolsInput;
  const asking = async () => (await agentThatCalls(stage, [invoke('probe__count', {})], tools)).generate('Count.');
  await expect(asking()).rejects.toThrow(/await loadSvcTools/);
});
