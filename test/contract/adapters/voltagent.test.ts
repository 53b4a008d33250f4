/**
 * The tools of VoltAgent, run as it runs them: as tools of the AI SDK. `@voltagent/core` itself is too large to be installed here; docs/decisions/adapters.md
 * says what ran by hand.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type ModelMessage, stepCountIs, streamText, type Tool } from 'ai';
import { loadSvcTools, svcTools, type VoltAgentTool } from 'svc-sdk/voltagent';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

describeAdapter({
  entry: 'svc-sdk/voltagent',
  framework: installed('ai'),
  converse,
  can: {
    failToLoad: true,
    progress: true,
    payments: true,
    approval: true,
    unknownTools: true,
    brokenArguments: true,
    parallel: true,
    callIds: true,
  },
});

async function converse({ question, options, model, signal, onProgress, onPayment, approve }: Conversing): Promise<string> {
  const provider = createOpenAICompatible({ name: 'scripted', baseURL: model.baseURL, apiKey: 'any' });
  const loaded = isStatic(options) ? await loadSvcTools(options) : svcTools(options);
  const tools = Object.fromEntries(loaded.map((tool) => [tool.name, toAiSdk(tool)]));
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
      const shown = part.type === 'tool-result' && part.preliminary ? Object(part.output) : {};
      if ('progress' in shown) onProgress(shown.progress);
      if ('payment' in shown) onPayment(shown.payment);
      if (part.type === 'tool-approval-request') {
        const approved = await approve({ tool: part.toolCall.toolName, input: part.toolCall.input });
        responses.push({ type: 'tool-approval-response', approvalId: part.approvalId, approved });
      }
    }
    if (responses.length === 0) return await run.text;
    const answered = await run.responseMessages;
    messages.push(...answered, { role: 'tool', content: responses });
  }
}

/** Converts a tool as VoltAgent does: `prepareToolsForExecution` in `@voltagent/core` 2.10. */
function toAiSdk({ description, parameters, needsApproval, execute }: VoltAgentTool): Tool<unknown, unknown> {
  return {
    description,
    inputSchema: parameters,
    needsApproval,
    execute: (input, { toolCallId: callId, messages, abortSignal }) => execute(input, { toolContext: { callId, messages, abortSignal } }),
  };
}
