import { Agent, FunctionTool, type Tool, type ToolContext } from '@strands-agents/sdk';
import { svcTools } from 'svc-sdk/strands';
import type { AdapterCase } from '../adapter-case.ts';
import { INPUT, NAME, nextCallId, RESULT } from '../model-call.ts';

export const strands: AdapterCase = {
  name: 'strands',
  framework: '@strands-agents/sdk',
  prepare(tools) {
    const invokeService = svcTools({ tools }).find(({ name }) => name === NAME) as Tool;
    const empty = new FunctionTool({ name: NAME, description: '', callback: () => RESULT });
    const agent = new Agent({ printer: false });
    const call = (tool: Tool) => async () => {
      const toolUse = { name: NAME, toolUseId: nextCallId(), input: INPUT };
      const context: ToolContext = {
        toolUse,
        agent,
        invocationState: {},
        cancelSignal: new AbortController().signal,
        interrupt: () => undefined as never,
      };
      const run = tool.stream(context);
      let next = await run.next();
      while (!next.done) next = await run.next();
      return next.value.content;
    };
    return { withAdapter: call(invokeService), empty: call(empty) };
  },
};
