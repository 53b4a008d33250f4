import type { BaseToolWithCall } from '@llamaindex/core/llms';
import { svcTools } from 'svc-sdk/llamaindex';
import type { AdapterCase } from '../adapter-case.ts';
import { INPUT, NAME, RESULT } from '../model-call.ts';

export const llamaindex: AdapterCase = {
  name: 'llamaindex',
  framework: '@llamaindex/workflow',
  prepare(tools) {
    const invokeService = svcTools({ tools }).find(({ metadata }) => metadata.name === NAME) as BaseToolWithCall;
    const empty: BaseToolWithCall = { metadata: { name: NAME, description: '' }, call: async () => RESULT };
    return { withAdapter: async () => invokeService.call(INPUT), empty: async () => empty.call(INPUT) };
  },
};
