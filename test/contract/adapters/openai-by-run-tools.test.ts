import OpenAI from 'openai';
import { loadSvcTools, svcTools } from 'svc-sdk/openai';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

const framework = installed('openai');

describeAdapter({
  entry: 'svc-sdk/openai, runTools',
  framework,
  converse,
  can: {
    failToLoad: true,
    // A function gives one result, and nothing before it.
    progress: false,
    payments: false,
    // `runTools` calls a function without approval.
    approval: false,
    unknownTools: true,
    brokenArguments: true,
    // openai 5 runs the calls of a message one after the other.
    parallel: !framework.startsWith('openai 5'),
    callIds: true,
  },
});

async function converse({ question, options, model, signal }: Conversing): Promise<string> {
  const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
  const tools = isStatic(options) ? await loadSvcTools(options) : svcTools(options);
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  const runner = openai.chat.completions.runTools({ model: 'scripted-model', messages, tools }, { signal });
  return (await runner.finalContent()) ?? '';
}
