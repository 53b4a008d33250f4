import { ToolMessage } from '@langchain/core/messages';
import type { ToolRunnableConfig } from '@langchain/core/tools';
import { type ModelMedia, type Progress, SvcError, type ToolAnswer } from 'svc-sdk';
import { type AgentTool, failedAnswer } from 'svc-sdk/agent-tool';
import type { Approve } from '../approval/langgraph';

/** A chunk of the graph's stream mode `custom`, while an action runs. */
export interface SvcProgress {
  toolCallId: string | undefined;
  progress: Progress;
}

/** The config with the fields that LangGraph adds. */
interface GraphConfig extends ToolRunnableConfig {
  writer?: ((chunk: SvcProgress) => void) | null;
}

/**
 * The answer is a text, unless there are images: LangChain takes a list of objects with a `type` for content blocks, and writes other values in
 * its own way. The `artifact` of the message holds the blocks of the result, its
 * `metadata` the payment.
 */
export async function answerCall(tool: AgentTool, approve: Approve, args: unknown, config: GraphConfig): Promise<string | ToolMessage> {
  const { signal, toolCall, writer } = config;
  const id = toolCall?.id;
  const about = { tool_call_id: id ?? '', name: tool.name };
  // Not an exception: LangGraph would add "Please fix your mistakes".
  const failed = (content: string) => new ToolMessage({ status: 'error', content, ...about });
  try {
    const { declined, input, ...approved } = await approve({ id, name: tool.name, args }, config);
    if (declined) return failed(declined);
    const onProgress = (progress: Progress) => writer?.({ toolCallId: id, progress });
    const answer = await tool.answer(input, { ...approved, signal, onProgress });
    if (answer.error && !toolCall) throw answer.error;
    if (answer.error) return failed(answer.content);
    const { blocks, payment } = answer;
    const content = toText(tool, answer);
    if (!toolCall || !(blocks || payment)) return content;
    return new ToolMessage({
      status: 'success',
      content: tool.program ? content : toContent(answer, tool.images),
      artifact: blocks,
      ...(payment && { metadata: { payment } }),
      ...about,
    });
  } catch (error) {
    // A caller of `tool.invoke(input)` without a model's call gets the exception.
    if (!toolCall || !SvcError.is(error)) throw error;
    return failed(failedAnswer(error).content);
  }
}

/** A program may read it: JSON also for a text. */
function toText({ program }: AgentTool, { content, value }: ToolAnswer): string {
  return program && typeof value === 'string' ? JSON.stringify(value) : content;
}

function toContent({ content, media = [] }: ToolAnswer, images: boolean) {
  const shown = images ? media.filter(({ mediaType }) => mediaType.startsWith('image/')).map(toImageBlock) : [];
  return shown.length > 0 ? [{ type: 'text', text: content }, ...shown] : content;
}

/** LangChain's own tools for MCP write the same block: chat models of 0.3 and 1 translate it for their providers. */
function toImageBlock({ mediaType, data }: ModelMedia) {
  return { type: 'image', source_type: 'base64', mime_type: mediaType, data } as const;
}
