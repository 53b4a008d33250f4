/**
 * Mastra: `new Agent({ id, name, instructions, model, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's.
 */
import { createTool, type Tool } from '@mastra/core/tools';
import type { JsonSchema, Progress, SearchResponse } from 'svc-sdk';
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

export type SvcToolsRecord = {
  search_services: Tool<{ query: string; limit?: number }, SearchResponse>;
  /** JSON of any shape; while the action runs, `{progress}` as `tool-output` chunks. */
  invoke_service: Tool<{ action: string; payload: Record<string, unknown> }, unknown>;
};

/**
 * `search_services` and `invoke_service` as a Mastra tools record. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export function svcTools(options?: ToolsLike | SvcToolsOptions): SvcToolsRecord {
  return toToolsRecord(agentTools(options)) as SvcToolsRecord;
}

/**
 * The same with static toolkits and actions, each a tool of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for one that is not there
 */
export function loadSvcTools(options?: ToolsLike | LoadSvcToolsOptions): Promise<Record<string, Tool>> {
  return toBeAwaited(loadAgentTools(options).then(toToolsRecord));
}

function toToolsRecord(tools: AgentTool[]): Record<string, Tool> {
  return Object.fromEntries(tools.map((tool) => [tool.name, toMastraTool(tool)]));
}

function toMastraTool(tool: AgentTool): Tool {
  return createTool({
    id: tool.name,
    description: tool.description,
    inputSchema: asItIs(tool.parameters),
    // Otherwise Mastra rewrites the schema for the model's provider.
    strict: false,
    async requireApproval(input) {
      const needed = await tool.needsApproval(input);
      if (needed) Object.setPrototypeOf(input, ApprovedInput.prototype);
      return needed;
    },
    ...(tool.images && { toModelOutput }),
    // No catch here: Mastra hands a thrown error to the model as a `tool-error`.
    async execute(input, { abortSignal: signal, agent, writer }) {
      const onProgress = (progress: Progress) => {
        // A stream that nobody reads any more refuses it, which is no fault of the call.
        writer?.write({ progress }).catch(() => {});
      };
      const options = { signal, toolCallId: agent?.toolCallId, onProgress };
      return await (input instanceof ApprovedInput ? tool.call(input, options) : tool.callUnapproved(input, options));
    },
  });
}

function toModelOutput(output: unknown) {
  const { value, media } = splitMedia(output);
  if (media.length === 0) return typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
  const seen = media.map(({ mediaType, data }) => ({ type: 'media', mediaType, data }));
  return { type: 'content', value: [{ type: 'text', text: JSON.stringify(value) }, ...seen] };
}

/**
 * Marks the arguments that a human has approved: Mastra asks `requireApproval` about them once more before they run.
 *
 * Its answers alone do not protect. Mastra goes by the answer for another call of the message with the same id, and takes some keys out of
 * the arguments (`suspendedToolRunId`, `_background`, `__proto__`) after it has asked. Plain objects are copied on their way, this is not.
 */
class ApprovedInput {}

/** A Standard Schema that gives its JSON Schema untouched and leaves the checking to the service, whose errors tell a model what to mend. */
function asItIs(parameters: JsonSchema) {
  const jsonSchema = () => parameters;
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'svc-sdk',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}
