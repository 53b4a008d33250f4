import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';
import { loadSvcTools, svcTools } from 'svc-sdk/openai-agents';
import { expect, test } from 'vitest';
import { parseJson } from '../../../service/scripted-model/parse-json.ts';
import { PNG } from '../../support/vectors';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';
import { startStage } from '../stage';

setTracingDisabled(true);

const can = {
  failToLoad: true,
  // A function tool cannot report progress.
  progress: false,
  payments: true,
  approval: true,
  unknownTools: true,
  brokenArguments: true,
  parallel: true,
  callIds: true,
};

describeAdapter({
  entry: 'svc-sdk/openai-agents',
  framework: installed('@openai/agents'),
  converse: (conversing) => converse(conversing, OpenAIChatCompletionsModel),
  can,
});

describeAdapter({
  entry: 'svc-sdk/openai-agents, the Responses API',
  framework: installed('@openai/agents'),
  converse: (conversing) => converse(conversing, OpenAIResponsesModel),
  image: { as: { type: 'input_image', image_url: `data:image/png;base64,${PNG}` } },
  can,
});

test('through chat completions the model gets only text, also where images were requested', async () => {
  const stage = await startStage();
  const call = { name: 'invoke_service', arguments: { action: 'probe__show', payload: {} } };
  const model = await stage.model(({ turns }) => (turns.length === 0 ? { calls: [call] } : { content: 'Done.' }));
  const agent = agentWith(OpenAIChatCompletionsModel, model, svcTools({ tools: stage.tools, images: true }));
  expect((await run(agent, 'Show it.')).finalOutput).toBe('Done.');
  expect(model.requests.at(-1)).toContain('[image image/png, 70 bytes]');
  expect(model.requests.join()).not.toContain(PNG);
});

type Model = typeof OpenAIChatCompletionsModel | typeof OpenAIResponsesModel;

function agentWith(Model: Model, { baseURL }: { baseURL: string }, tools: ReturnType<typeof svcTools>): Agent {
  const client = new OpenAI({ apiKey: 'any', baseURL, maxRetries: 0 });
  return new Agent({ name: 'agent', model: new Model(client, 'scripted-model'), tools });
}

async function converse({ question, options, model, signal, onPayment, approve }: Conversing, Model: Model): Promise<string> {
  const agent = agentWith(Model, model, isStatic(options) ? await loadSvcTools(options) : svcTools(options));
  // The default ends the run at a call of a tool that does not exist.
  const runOptions = { signal, toolNotFoundBehavior: 'return_error_to_model' } as const;
  let result = await run(agent, question, runOptions);
  while (result.interruptions.length > 0) {
    for (const item of result.interruptions) {
      const approved = await approve({ tool: item.name ?? '', input: parseJson(item.arguments ?? '') });
      if (approved) result.state.approve(item);
      else result.state.reject(item);
    }
    result = await run(agent, result.state, runOptions);
  }
  for (const item of result.newItems) if (item.type === 'tool_call_output_item' && item.customData) onPayment(item.customData.payment);
  return result.finalOutput ?? '';
}
