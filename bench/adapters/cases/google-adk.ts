import { type BaseTool, Context, FunctionTool } from '@google/adk';
import { svcTools } from 'svc-sdk/google-adk';
import type { AdapterCase } from '../adapter-case.ts';
import { INPUT, NAME, nextCallId, RESULT } from '../model-call.ts';

export const googleAdk: AdapterCase = {
  name: 'google-adk',
  framework: '@google/adk',
  prepare(tools) {
    const invokeService = svcTools({ tools }).find(({ name }) => name === NAME) as BaseTool;
    const empty = new FunctionTool({ name: NAME, description: '', execute: () => RESULT });
    const invocationContext = { session: { events: [], state: {} }, abortSignal: new AbortController().signal };
    const call = (tool: BaseTool) => () =>
      tool.runAsync({
        args: INPUT,
        toolContext: new Context({ invocationContext: invocationContext as never, functionCallId: nextCallId() }),
      });
    return { withAdapter: call(invokeService), empty: call(empty) };
  },
};
