import { DynamicStructuredTool } from '@langchain/core/tools';
import { svcTools } from 'svc-sdk/langchain';
import { z } from 'zod';
import type { AdapterCase } from '../adapter-case.ts';
import { INPUT, NAME, nextCallId, RESULT_TEXT } from '../model-call.ts';
import { toolNamed } from '../tool-named.ts';

export const langchain: AdapterCase = {
  name: 'langchain',
  framework: 'langchain',
  prepare(tools) {
    // The tool itself would check for an approval.
    const invokeService = toolNamed(NAME, svcTools({ tools, needsApproval: false }));
    // The adapter's class with the fastest possible argument check, since the adapter leaves the check to the service.
    const func = async () => RESULT_TEXT;
    const empty = new DynamicStructuredTool({ name: NAME, description: '', schema: z.looseObject({}), func });
    const toolCall = () => ({ type: 'tool_call' as const, id: nextCallId(), name: NAME, args: INPUT });
    return { withAdapter: () => invokeService.invoke(toolCall()), empty: () => empty.invoke(toolCall()) };
  },
};
