import OpenAI from 'openai';
import { loadSvcTools, svcTools } from 'svc-sdk/openai';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

describeAdapter({
  entry: 'svc-sdk/openai, a loop around chat completions',
  framework: installed('openai'),
  converse,
  can: {
    failToLoad: true,
    progress: true,
    payments: true,
    // The user writes the loop and its approvals: docs/adapters/openai.md.
    approval: false,
    unknownTools: true,
    brokenArguments: true,
    parallel: true,
    callIds: true,
  },
});

async function converse({ question, options, model, signal, onProgress, onPayment }: Conversing): Promise<string> {
  const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
  const tools = isStatic(options) ? await loadSvcTools(options) : svcTools(options);
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  for (;;) {
    const completion = await openai.chat.completions.create({ model: 'scripted-model', messages, tools }, { signal });
    const message = completion.choices[0]?.message as OpenAI.ChatCompletionMessage;
    messages.push(message, ...(await tools.callTools(message.tool_calls, { signal, onProgress, onPayment })));
    if (!message.tool_calls) return message.content ?? '';
  }
}
