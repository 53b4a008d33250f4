/**
 * The shapes of OpenAI chat completions that cross `getTools` and `callTools`. Written out instead of imported, so that `openai` 4 to 7 and
 * the many servers and clients that speak the same JSON all fit.
 *
 * Source: `ChatCompletionTool`, `ChatCompletionMessageToolCall` and `ChatCompletionToolMessageParam` of openai 7.
 */
import type { JsonSchema } from '../protocol/http';
import type { PROGRAM } from '../protocol/program-calls';
import type { ToolDefinition } from './definitions';

export interface ChatCompletionTool {
  type: 'function';
  function: { name: string; description: string; parameters: JsonSchema };
}

/** An element of `message.tool_calls`. `function` is absent in calls of other types, such as `custom`. */
export interface ChatCompletionToolCall {
  id: string;
  type: string;
  function?: { name: string; arguments: string };
  /** A program of the model's provider made the call: its answer is JSON for code. Adapters set it. */
  madeBy?: typeof PROGRAM | undefined;
}

export interface ChatCompletionToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

export function toChatCompletionTool({ name, description, parameters }: ToolDefinition): ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters } };
}
