import { createTool, noopObserve } from '@mastra/core/tools';
import { svcTools } from 'svc-sdk/mastra';
import type { AdapterCase } from '../adapter-case.ts';
import { INPUT, NAME, nextCallId, RESULT } from '../model-call.ts';

export const mastra: AdapterCase = {
  name: 'mastra',
  framework: '@mastra/core/agent',
  prepare(tools) {
    const invokeService = svcTools({ tools }).invoke_service;
    const empty = createTool({ id: NAME, description: '', execute: async () => RESULT });
    const context = () => ({
      abortSignal: new AbortController().signal,
      observe: noopObserve,
      agent: { agentId: 'agent', toolCallId: nextCallId(), messages: [], suspend: async () => {} },
    });
    return { withAdapter: async () => invokeService.execute?.(INPUT, context()), empty: async () => empty.execute?.(INPUT, context()) };
  },
};
