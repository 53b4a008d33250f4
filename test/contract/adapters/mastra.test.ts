import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { loadSvcTools, svcTools } from 'svc-sdk/mastra';
import { vi } from 'vitest';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

vi.stubEnv('MASTRA_TELEMETRY_DISABLED', '1');

describeAdapter({
  entry: 'svc-sdk/mastra',
  framework: installed('@mastra/core'),
  converse,
  // Mastra itself writes this over every other `$schema`: prepareToolsAndToolChoice in @mastra/core.
  asOffered: (parameters) => ('$schema' in parameters ? { ...parameters, $schema: 'http://json-schema.org/draft-07/schema#' } : parameters),
  can: {
    failToLoad: true,
    progress: true,
    payments: true,
    approval: true,
    unknownTools: true,
    // `null` becomes `undefined` in the conversation (ai 5 inside of @mastra/core: `part.input ?? part.rawInput`), which no server takes.
    brokenArguments: (text) => text !== 'null',
    parallel: true,
    callIds: true,
  },
});

async function converse({ question, options, model, signal, onProgress, onPayment, approve }: Conversing): Promise<string> {
  const agent = new Agent({
    id: 'agent',
    name: 'agent',
    instructions: 'Help.',
    model: { id: 'openai/gpt-5-mini', url: model.baseURL, apiKey: 'any' },
    tools: isStatic(options) ? await loadSvcTools(options) : svcTools(options),
  });
  // An approval is kept in a storage, which an agent has from its Mastra.
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const runOptions = { maxSteps: 10, abortSignal: signal, modelSettings: { maxRetries: 0 } };
  let run = await agent.stream(question, runOptions);
  for (;;) {
    const asked: { toolCallId: string; approved: boolean }[] = [];
    for await (const chunk of run.fullStream) {
      if (chunk.type === 'error') throw chunk.payload.error;
      const shown = chunk.type === 'tool-output' ? Object(chunk.payload.output) : {};
      if ('progress' in shown) onProgress(shown.progress);
      if ('payment' in shown) onPayment(shown.payment);
      if (chunk.type !== 'tool-call-approval') continue;
      const { toolCallId, toolName, args } = chunk.payload;
      asked.push({ toolCallId, approved: await approve({ tool: toolName, input: args }) });
    }
    const [answer] = asked;
    if (!answer) return await run.text;
    const { toolCallId } = answer;
    run = await agent[answer.approved ? 'approveToolCall' : 'declineToolCall']({ ...runOptions, runId: run.runId, toolCallId });
  }
}
