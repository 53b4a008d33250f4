import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { svcTools } from 'svc-sdk/anthropic';
import type { AdapterCase } from '../adapter-case.ts';
import { INPUT, NAME, nextCallId, RESULT_TEXT } from '../model-call.ts';
import { toolNamed } from '../tool-named.ts';

/** Calls a tool like a tool runner. */
export const anthropic: AdapterCase = {
  name: 'anthropic',
  framework: '@anthropic-ai/sdk',
  prepare(tools) {
    const invokeService = toolNamed(NAME, svcTools({ tools }));
    const empty = betaTool({ name: NAME, description: '', inputSchema: { type: 'object' }, run: async () => RESULT_TEXT });
    const context = () => {
      const toolUse = { type: 'tool_use' as const, id: nextCallId(), name: NAME, input: INPUT };
      return { toolUse, toolUseBlock: toolUse, signal: new AbortController().signal };
    };
    return {
      withAdapter: () => invokeService.run(invokeService.parse(INPUT), context()),
      empty: async () => empty.run(empty.parse(INPUT), context()),
    };
  },
};
