import { Agent, ModelBehaviorError, OpenAIChatCompletionsModel, RunState, run, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';
import { loadSvcTools, type SvcFunctionTool, svcTools } from 'svc-sdk/openai-agents';
import { expect, test } from 'vitest';
import type { SpokenCall } from '../../../service/scripted-model/speech.ts';
import { type Stage, stagesOfFile } from '../../contract/stage';
import { startService } from '../../support/service';

const startStage = stagesOfFile();

setTracingDisabled(true);

const invoke = (action: string, payload: object): SpokenCall => ({ name: 'invoke_service', arguments: { action, payload } });

/** An agent whose model makes this call, and the answer that the model received. */
async function agentThatCalls(stage: Stage, call: SpokenCall, tools: SvcFunctionTool[] = svcTools(stage.tools)) {
  const model = await stage.model(({ turns }) => (turns.length === 0 ? { calls: [call] } : { content: 'Done.' }));
  const client = new OpenAI({ apiKey: 'any', baseURL: model.baseURL, maxRetries: 0 });
  const agent = new Agent({ name: 'agent', model: new OpenAIChatCompletionsModel(client, 'scripted-model'), tools });
  return { agent, told: () => model.conversations.at(-1)?.turns[0]?.[0]?.output };
}

test('an action id keeps its `-`, for which the Agents SDK would write `_`', async () => {
  const service = await startService();
  await service.toolkit('tea-shop', (toolkit) =>
    toolkit.action({ action: 'list-teas', actionDescription: 'Lists teas' }, () => ['oolong']),
  );
  const tools = await loadSvcTools({ tools: await service.tools(), dynamicTools: false, staticToolkits: ['tea-shop'] });
  expect(tools.map(({ name }) => name)).toEqual(['tea-shop__list-teas']);
  const { agent, told } = await agentThatCalls(await startStage(), { name: 'tea-shop__list-teas', arguments: {} }, tools);
  await run(agent, 'Which teas are there?');
  expect(told()).toEqual(['oolong']);
});

test('a call that waits for a human can be kept as a text, and runs as it was approved', async () => {
  const stage = await startStage();
  const { agent, told } = await agentThatCalls(stage, invoke('probe__erase', { name: 'a' }));
  const kept = (await run(agent, 'Erase a.')).state.toString();
  const state = await RunState.fromString(agent, kept);
  expect(stage.erased).toEqual([]);
  for (const call of state.getInterruptions()) state.approve(call);
  await run(agent, state);
  expect(stage.erased).toEqual(['a']);
  expect(told()).toEqual({ erased: 'a' });
});

test('in the Agents SDK, arguments that are not a JSON object need approval, for every tool', async () => {
  const { agent, told } = await agentThatCalls(await startStage(), { name: 'search_services', arguments: '{"query": ' });
  const { interruptions, state } = await run(agent, 'Find something.');
  expect(interruptions.map((call) => call.arguments)).toEqual(['{"query": ']);
  state.approve(interruptions[0]!);
  await run(agent, state);
  expect(told()).toMatch(/valid JSON/);
});

test('the Agents SDK ends the run at a call of a tool that does not exist, by default', async () => {
  const { agent, told } = await agentThatCalls(await startStage(), { name: 'weather', arguments: {} });
  await expect(run(agent, 'What is the weather?')).rejects.toThrow(ModelBehaviorError);
  await run(agent, 'What is the weather?', { toolNotFoundBehavior: 'return_error_to_model' });
  expect(told()).toMatch(/weather/);
});
