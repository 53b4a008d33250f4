import { OpenAI } from '@llamaindex/openai';
import { agent } from '@llamaindex/workflow';
import { loadSvcTools, svcTools } from 'svc-sdk/llamaindex';
import { understandLlamaIndex } from '../../support/llamaindex';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

describeAdapter({
  entry: 'svc-sdk/llamaindex',
  framework: installed('@llamaindex/core', '@llamaindex/workflow'),
  converse,
  understand: understandLlamaIndex,
  can: {
    failToLoad: true,
    // A tool gives one result, and nothing before it.
    progress: false,
    payments: true,
    // LlamaIndex runs a tool without approval.
    approval: false,
    // FunctionAgent throws "Tools not found", and the run ends.
    unknownTools: false,
    // @llamaindex/openai parses the arguments itself, without a catch, and the run ends.
    brokenArguments: (text) => text !== '' && text.startsWith('{"') === false,
    // AgentWorkflow awaits each call before it makes the next.
    parallel: false,
    // A tool is given its input alone.
    callIds: false,
  },
});

async function converse({ question, options, model, signal, onPayment }: Conversing): Promise<string> {
  const llm = new OpenAI({ model: 'gpt-5-mini', apiKey: 'any', baseURL: model.baseURL, maxRetries: 0 });
  const calls = { signal, onPayment };
  const tools = isStatic(options) ? await loadSvcTools(options, calls) : svcTools(options, calls);
  const { data } = await agent({ llm, tools }).run(question);
  return String(data.result);
}
