/** The answer of the AI SDK as a stored message. */
import type { AssistantModelMessage, ToolModelMessage } from 'ai';
import type { Message, ToolCall } from '../chat/message';
import type { TokenCount } from '../model/ask-model';
import { toKeptParts } from './kept-parts';

/** The members of a result of `generateText` that are read. */
export interface AiAnswer {
  text: string;
  toolCalls: readonly AiCall[];
  usage: { inputTokens?: number | undefined; outputTokens?: number | undefined };
  /** The AI SDK's own idea of what the next request has to send back. */
  response: { messages: readonly (AssistantModelMessage | ToolModelMessage)[] };
}

interface AiCall {
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerExecuted?: boolean | undefined;
  /** True for a tool that was not offered, and for an input that is not JSON: `input` is the model's text then. */
  invalid?: boolean | undefined;
}

export function toStoredAnswer(answer: AiAnswer, origin: string): { message: Message; tokens: TokenCount } {
  const { text, toolCalls, usage, response } = answer;
  const calls = toolCalls.filter(({ providerExecuted }) => !providerExecuted).map(toToolCall);
  // Messages of role `tool` say what the AI SDK thinks of invalid calls; the agent's tools have an answer of their own.
  const parts = response.messages.flatMap(({ role, content }) => (role === 'assistant' && typeof content !== 'string' ? content : []));
  const kept = toKeptParts(parts, origin);
  const message: Message = {
    role: 'assistant',
    content: text || null,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(kept && { svc_ai: kept }),
  };
  return { message, tokens: { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 } };
}

function toToolCall({ toolCallId, toolName, input, invalid }: AiCall): ToolCall {
  const isText = invalid && typeof input === 'string';
  return { id: toolCallId, type: 'function', function: { name: toolName, arguments: isText ? input : JSON.stringify(input) } };
}
