/**
 * Vercel AI SDK: `generateText({ model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import * as ai from 'ai';
import { jsonSchema, type ModelMessage, type Tool, type ToolSet } from 'ai';
import type { ModelMedia, Progress, SearchResponse } from 'svc-sdk';
import {
  type AgentTool,
  agentTools,
  type LoadSvcToolsOptions,
  loadAgentTools,
  type SvcToolsOptions,
  splitMedia,
  type ToolsLike,
  toBeAwaited,
} from 'svc-sdk/agent-tool';

export type SvcToolSet = {
  search_services: Tool<{ query: string; limit?: number }, SearchResponse>;
  /** JSON of any shape; while the action runs, `{progress}` as preliminary outputs. */
  invoke_service: Tool<{ action: string; payload: Record<string, unknown> }, unknown>;
};

/**
 * `search_services` and `invoke_service` as an AI SDK tool set. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export function svcTools(options?: ToolsLike | SvcToolsOptions): SvcToolSet {
  return toToolSet(agentTools(options)) as SvcToolSet;
}

/**
 * The same with static toolkits and actions, each a tool of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for one that is not there
 */
export function loadSvcTools(options?: ToolsLike | LoadSvcToolsOptions): Promise<ToolSet> {
  return toBeAwaited(loadAgentTools(options).then(toToolSet));
}

function toToolSet(tools: AgentTool[]): ToolSet {
  return Object.fromEntries(tools.map((tool) => [tool.name, toAiTool(tool)]));
}

function toAiTool(tool: AgentTool): Tool<unknown, unknown> {
  return {
    description: tool.description,
    inputSchema: jsonSchema(tool.parameters),
    // AI SDK 6 and 7; 5 has no approval and does not look at it.
    needsApproval: (input) => tool.needsApproval(input),
    ...(tool.images && { toModelOutput }),
    // No catch here: the AI SDK hands a thrown error to the model as a `tool-error` part.
    execute: (input, { abortSignal: signal, toolCallId, messages }) =>
      withProgress((onProgress) => {
        const options = { signal, toolCallId, onProgress };
        return isOneOfTwins(toolCallId, messages) ? tool.callUnapproved(input, options) : tool.call(input, options);
      }),
  };
}

/** AI SDK 5 gives the output alone, 6 and 7 the call around it. */
type GivenOutput = { toolCallId: string; input: unknown; output: unknown };
type ModelOutput = Awaited<ReturnType<NonNullable<Tool<unknown, unknown>['toModelOutput']>>>;

function toModelOutput(given: GivenOutput): ModelOutput {
  const isCall = typeof Object(given).toolCallId === 'string' && 'input' in given && 'output' in given;
  const { value, media } = splitMedia(isCall ? given.output : given);
  if (media.length === 0)
    return (typeof value === 'string' ? { type: 'text', value } : { type: 'json', value: value ?? null }) as ModelOutput;
  const toPart: (media: ModelMedia) => object = !isCall ? toMediaOf5 : 'isStepCount' in ai ? toFileOf7 : toDataOf6;
  return { type: 'content', value: [{ type: 'text', text: JSON.stringify(value) }, ...media.map(toPart)] } as ModelOutput;
}

const toMediaOf5 = ({ mediaType, data }: ModelMedia) => ({ type: 'media', mediaType, data });
const toDataOf6 = ({ mediaType, data, name }: ModelMedia) =>
  mediaType.startsWith('image/') ? { type: 'image-data', mediaType, data } : { type: 'file-data', mediaType, data, filename: name };
const toFileOf7 = ({ mediaType, data, name }: ModelMedia) => ({ type: 'file', mediaType, data: { type: 'data', data }, filename: name });

/** The AI SDK knows a call by its id alone: of two in one message it may show one to a human, and run the other. */
function isOneOfTwins(toolCallId: string, messages: readonly ModelMessage[]): boolean {
  return messages.some(({ role, content }) => {
    if (role !== 'assistant' || typeof content === 'string') return false;
    return content.filter((part) => part.type === 'tool-call' && part.toolCallId === toolCallId).length > 1;
  });
}

/** Each report as it comes, then the result: what the AI SDK takes for preliminary outputs and the final one. */
async function* withProgress(call: (onProgress: (progress: Progress) => void) => Promise<unknown>): AsyncGenerator<unknown> {
  const reports: Progress[] = [];
  let wake = () => {};
  let running = true;
  const result = call((progress) => {
    reports.push(progress);
    wake();
  }).finally(() => {
    running = false;
    wake();
  });
  result.catch(() => {}); // Awaited below, after the last report.
  while (running || reports.length > 0) {
    const progress = reports.shift();
    if (progress) yield { progress };
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield await result;
}
