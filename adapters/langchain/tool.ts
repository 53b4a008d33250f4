/** A tool of LangChain. */
import { DynamicStructuredTool, type StructuredToolInterface } from '@langchain/core/tools';
import type { AgentTool } from 'svc-sdk/agent-tool';
import type { Approve } from '../approval/langgraph';
import { answerCall } from './answer-call';

export function toLangChainTool(tool: AgentTool, approve: Approve): StructuredToolInterface {
  const { program } = tool;
  const structured = new DynamicStructuredTool({
    name: tool.name,
    description: program?.description ?? tool.description,
    schema: tool.parameters,
    ...(program && { extras: { allowed_callers: ['direct', 'code_execution_20260120'] } }),
    func: (args, _run, config = {}) => answerCall(tool, approve, args, config),
  });
  // LangChain does not validate the arguments: the service corrects small mistakes that a schema refuses, and explains the others better.
  const unchecked = Object.create(structured, { schema: { value: {} } });
  return Object.assign(structured, { call: structured.call.bind(unchecked) });
}
