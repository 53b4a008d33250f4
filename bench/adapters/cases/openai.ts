import { type RunnableFunctionTool, type Runner, svcTools } from 'svc-sdk/openai';
import type { AdapterCase, CallCase } from '../adapter-case.ts';
import { INPUT_TEXT, NAME, nextCallId, RESULT_TEXT } from '../model-call.ts';

const toolCall = () => ({ id: nextCallId(), type: 'function' as const, function: { name: NAME, arguments: INPUT_TEXT } });

/** Calls a tool like `runTools`. */
export const openai: AdapterCase = {
  name: 'openai',
  framework: 'openai',
  prepare(tools) {
    const invokeService = svcTools({ tools }).find((tool) => tool.function.name === NAME) as RunnableFunctionTool;
    const empty = { function: { function: async (_input: string, _runner: Runner) => RESULT_TEXT } };
    const runner = () => ({ controller: new AbortController(), messages: [{ role: 'assistant', tool_calls: [toolCall()] }] });
    return {
      withAdapter: () => invokeService.function.function(INPUT_TEXT, runner()),
      empty: () => empty.function.function(INPUT_TEXT, runner()),
    };
  },
};

/** A loop written by the user. */
export const openaiCallTools: CallCase = {
  name: 'openai: callTools beside tools.callTools',
  prepare(tools) {
    const adapted = svcTools({ tools });
    return {
      withAdapter: () => adapted.callTools([toolCall()]),
      empty: async () => [toolCall()].map(({ id }) => ({ role: 'tool', tool_call_id: id, content: RESULT_TEXT })),
      client: () => tools.callTools([toolCall()]),
    };
  },
};
