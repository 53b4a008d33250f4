/**
 * LangChain and LangGraph: `createAgent({ model, tools: svcTools() })`, `new ToolNode(svcTools())`, `model.bindTools(svcTools())`.
 * Translation only; search, retries and limits are the client's.
 */
import { ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool, type StructuredToolInterface, type ToolRunnableConfig } from '@langchain/core/tools';
import { type ModelMedia, type Progress, SvcError } from 'svc-sdk';
import {
  type AgentTool,
  agentTools,
  failedAnswer,
  type LoadSvcToolsOptions,
  loadAgentTools,
  type SvcToolsOptions,
  type ToolsLike,
  toBeAwaited,
} from 'svc-sdk/agent-tool';
import { type Approve, approvals } from './langchain/approvals';

export type { ActionRequest, ApprovalDecision, ApprovalRequest, ApprovalResponse } from './langchain/approvals';

/** What the graph streams in its mode `custom` while an action runs. */
export interface SvcProgress {
  toolCallId: string | undefined;
  progress: Progress;
}

/**
 * `search_services` and `invoke_service` as LangChain tools. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export function svcTools(options?: ToolsLike | SvcToolsOptions): StructuredToolInterface[] {
  return toStructuredTools(agentTools(options));
}

/**
 * The same with static toolkits and actions, each a tool of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for one that is not there
 */
export function loadSvcTools(options?: ToolsLike | LoadSvcToolsOptions): Promise<StructuredToolInterface[]> {
  return toBeAwaited(loadAgentTools(options).then(toStructuredTools));
}

function toStructuredTools(tools: AgentTool[]): StructuredToolInterface[] {
  const approve = approvals(tools);
  return tools.map((tool) => toStructuredTool(tool, approve));
}

function toStructuredTool(tool: AgentTool, approve: Approve): StructuredToolInterface {
  const structured = new DynamicStructuredTool({
    name: tool.name,
    description: tool.description,
    schema: tool.parameters,
    func: (args, _run, config: GraphConfig = {}) => answer(tool, approve, args, config),
  });
  // Without LangChain's own check of the arguments: the service understands slips that a schema refuses, and tells the others better.
  const unchecked = Object.create(structured, { schema: { value: {} } });
  return Object.assign(structured, { call: structured.call.bind(unchecked) });
}

/** As LangGraph extends it. */
interface GraphConfig extends ToolRunnableConfig {
  writer?: ((chunk: SvcProgress) => void) | null;
}

/**
 * A text, unless there are images to look at: LangChain takes a list of objects with a `type` for content blocks, and writes others as it likes.
 * What the result holds beside its JSON is the `artifact` of the message.
 */
async function answer(tool: AgentTool, approve: Approve, args: unknown, config: GraphConfig): Promise<string | ToolMessage> {
  const { signal, toolCall, writer } = config;
  const id = toolCall?.id;
  // No exception for the model: LangGraph would add that it should fix its mistakes.
  const failed = (content: string) => new ToolMessage({ status: 'error', content, tool_call_id: id ?? '', name: tool.name });
  try {
    const { declined, input, toolCallId } = await approve({ id, name: tool.name, args }, config);
    if (declined) return failed(declined);
    const onProgress = (progress: Progress) => writer?.({ toolCallId: id, progress });
    const { content, blocks, media = [], error } = await tool.answer(input, { signal, toolCallId, onProgress });
    if (!error && blocks && toolCall) {
      const seen = tool.images ? media.filter(({ mediaType }) => mediaType.startsWith('image/')).map(toImageBlock) : [];
      const shown = seen.length > 0 ? [{ type: 'text', text: content }, ...seen] : content;
      return new ToolMessage({ content: shown, artifact: blocks, tool_call_id: id ?? '', name: tool.name });
    }
    if (!error) return content;
    if (toolCall) return failed(content);
    throw error;
  } catch (error) {
    // Who calls `tool.invoke(input)` without a call of a model wants the exception.
    if (!toolCall || !SvcError.is(error)) throw error;
    return failed(failedAnswer(error).content);
  }
}

/** As LangChain's own tools for MCP write it: chat models of 0.3 and 1 translate it for their providers. */
function toImageBlock({ mediaType, data }: ModelMedia) {
  return { type: 'image', source_type: 'base64', mime_type: mediaType, data } as const;
}
