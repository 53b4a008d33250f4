import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type ModelMessage, stepCountIs, streamText } from 'ai';
import { loadSvcTools, svcTools } from 'svc-sdk/ai';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

const framework = installed('ai');

describeAdapter({
  entry: 'svc-sdk/ai',
  framework,
  converse,
  can: {
    failToLoad: true,
    progress: true,
    approval: !framework.startsWith('ai 5'),
    unknownTools: true,
    brokenArguments: true,
    parallel: true,
    callIds: true,
  },
});

async function converse({ question, options, model, signal, onProgress, approve }: Conversing): Promise<string> {
  const provider = createOpenAICompatible({ name: 'scripted', baseURL: model.baseURL, apiKey: 'any' });
  const tools = isStatic(options) ? await loadSvcTools(options) : svcTools(options);
  const messages: ModelMessage[] = [{ role: 'user', content: question }];
  for (;;) {
    const run = streamText({
      model: provider('scripted-model'),
      tools,
      messages,
      stopWhen: stepCountIs(10),
      abortSignal: signal,
      maxRetries: 0,
      onError: () => {},
    });
    const responses: { type: 'tool-approval-response'; approvalId: string; approved: boolean }[] = [];
    for await (const part of run.fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'tool-result' && part.preliminary && isReport(part.output)) onProgress(part.output.progress);
      if (part.type === 'tool-approval-request') {
        const approved = approve({ tool: part.toolCall.toolName, input: part.toolCall.input });
        responses.push({ type: 'tool-approval-response', approvalId: part.approvalId, approved });
      }
    }
    if (responses.length === 0) return await run.text;
    messages.push(...(await run.response).messages, { role: 'tool', content: responses });
  }
}

/** The AI SDK shows the result itself as a preliminary output too, just before it is final. */
function isReport(output: unknown): output is { progress: object } {
  return typeof Object(output).progress === 'object';
}
