import { RunContext, tool } from '@openai/agents';
import { svcTools } from 'svc-sdk/openai-agents';
import type { AdapterCase } from '../adapter-case.ts';
import { INPUT_TEXT, NAME, nextCallId, RESULT_TEXT } from '../model-call.ts';
import { toolNamed } from '../tool-named.ts';

export const openaiAgents: AdapterCase = {
  name: 'openai-agents',
  framework: '@openai/agents',
  prepare(tools) {
    const invokeService = toolNamed(NAME, svcTools({ tools }));
    const empty = tool({
      name: NAME,
      description: '',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      strict: false,
      execute: async () => RESULT_TEXT,
    });
    const runContext = new RunContext();
    const details = () => ({
      signal: new AbortController().signal,
      toolCall: { type: 'function_call' as const, callId: nextCallId(), name: NAME, arguments: INPUT_TEXT },
    });
    return {
      withAdapter: () => invokeService.invoke(runContext, INPUT_TEXT, details()),
      empty: () => empty.invoke(runContext, INPUT_TEXT, details()),
    };
  },
};
