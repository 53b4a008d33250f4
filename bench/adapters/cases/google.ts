import type { CallableTool } from '@google/genai';
import { svcTools } from 'svc-sdk/google';
import type { AdapterCase } from '../adapter-case.ts';
import { INPUT, NAME, nextCallId, RESULT } from '../model-call.ts';

export const google: AdapterCase = {
  name: 'google',
  framework: '@google/genai',
  prepare(tools) {
    const adapted = svcTools({ tools });
    const empty: CallableTool = {
      tool: async () => ({}),
      callTool: async (calls) => calls.map(({ id = '', name = '' }) => ({ functionResponse: { id, name, response: { output: RESULT } } })),
    };
    const functionCalls = () => [{ id: nextCallId(), name: NAME, args: INPUT }];
    return { withAdapter: () => adapted.callTool(functionCalls()), empty: () => empty.callTool(functionCalls()) };
  },
};
