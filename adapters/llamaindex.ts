/**
 * LlamaIndex: `agent({ llm, tools: svcTools() })`.
 * Translation only; search, retries and limits are the client's. Nothing of `@llamaindex/core` is imported but types.
 */
import type { JSONValue } from '@llamaindex/core/global';
import type { BaseToolWithCall } from '@llamaindex/core/llms';
import { SvcError } from 'svc-sdk';
import {
  type AgentTool,
  agentTools,
  type LoadSvcToolsOptions,
  loadAgentTools,
  optionsWithoutApproval,
  type SvcToolsOptions,
  type ToolsLike,
  toBeAwaited,
  type WithoutApproval,
} from 'svc-sdk/agent-tool';

export interface CallsOptions {
  /** Cancels the calls: LlamaIndex tells its tools of no signal. */
  signal?: AbortSignal | undefined;
}

/**
 * `search_services` and `invoke_service` as LlamaIndex tools. Makes no network call.
 *
 * @param options a `Tools` to share, or the options of a new one; `apiKey` defaults to `SVC_AGENT_API_KEY`
 */
export function svcTools(options?: ToolsLike | WithoutApproval<SvcToolsOptions>, calls: CallsOptions = {}): BaseToolWithCall[] {
  return agentTools(optionsWithoutApproval('LlamaIndex', options)).map((tool) => toLlamaIndexTool(tool, calls));
}

/**
 * The same with static toolkits and actions, each a tool of its own, named by its action id.
 *
 * @throws SvcError ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for one that is not there
 */
export function loadSvcTools(
  options?: ToolsLike | WithoutApproval<LoadSvcToolsOptions>,
  calls: CallsOptions = {},
): Promise<BaseToolWithCall[]> {
  const loading = loadAgentTools(optionsWithoutApproval('LlamaIndex', options));
  return toBeAwaited(
    loading.then((tools) => tools.map((tool) => toLlamaIndexTool(tool, calls))),
    'map',
  );
}

function toLlamaIndexTool({ name, description, parameters, answer }: AgentTool, { signal }: CallsOptions): BaseToolWithCall {
  return {
    metadata: { name, description, parameters },
    async call(input: unknown) {
      const { value, error } = await answer(input, { signal });
      const text = withSingleQuotes(value);
      // LlamaIndex hands a thrown error to the model, marked as one.
      if (error) throw new SvcError(error.code, text, error.details, { cause: error });
      return rawJson(text);
    },
  };
}

const SPELLINGS: Record<string, string> = { '"': "'", "'": '\\u0027', '\\"': '\\u0022' };

/**
 * LlamaIndex writes a result as JSON, takes every double quote out of it, also those that belong to texts, and refuses null. So that the model
 * can read what is a text and where it ends, it gets JSON with single quotes, in which no double quote is left to be lost.
 */
function withSingleQuotes(value: unknown): string {
  return JSON.stringify(value).replace(/\\.|["']/g, (found) => SPELLINGS[found] ?? found);
}

/** A text that is written as it is between quotes, without another round of escapes. */
function rawJson(text: string): JSONValue {
  // Not among TypeScript's types yet.
  const { rawJSON } = JSON as unknown as { rawJSON(json: string): JSONValue };
  return rawJSON(`"${text}"`);
}
