import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';
import { loadSvcTools, svcTools } from 'svc-sdk/openai-agents';
import { parseJson } from '../../../examples/parse-json.ts';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

setTracingDisabled(true);

describeAdapter({
  entry: 'svc-sdk/openai-agents',
  framework: installed('@openai/agents'),
  converse,
  can: {
    failToLoad: true,
    // A function tool has no way to say something before it returns.
    progress: false,
    approval: true,
    unknownTools: true,
    brokenArguments: true,
    parallel: true,
    callIds: true,
  },
});

async function converse({ question, options, model, signal, approve }: Conversing): Promise<string> {
  const client = new OpenAI({ apiKey: 'any', baseURL: model.baseURL, maxRetries: 0 });
  const agent = new Agent({
    name: 'agent',
    model: new OpenAIChatCompletionsModel(client, 'scripted-model'),
    tools: isStatic(options) ? await loadSvcTools(options) : svcTools(options),
  });
  // Unless told, a call of a tool that does not exist ends the run.
  const runOptions = { signal, toolNotFoundBehavior: 'return_error_to_model' } as const;
  let result = await run(agent, question, runOptions);
  while (result.interruptions.length > 0) {
    for (const item of result.interruptions) {
      const approved = approve({ tool: item.name ?? '', input: parseJson(item.arguments ?? '') });
      if (approved) result.state.approve(item);
      else result.state.reject(item);
    }
    result = await run(agent, result.state, runOptions);
  }
  return result.finalOutput ?? '';
}
