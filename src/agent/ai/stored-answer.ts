/** Turns an answer of the AI SDK into a stored message. */
import type { AssistantModelMessage, ToolModelMessage } from 'ai';
import type { Message, ToolCall } from '../chat/message';
import type { TokenCount } from '../model/ask-model';
import { toKeptParts } from './kept-parts';

/** The members of a `generateText` result that are used. */
export interface AiAnswer {
  text: string;
  toolCalls: readonly AiCall[];
  usage: { inputTokens?: number | undefined; outputTokens?: number | undefined };
  /** The messages that the next request must send back. */
  response: { messages: readonly (AssistantModelMessage | ToolModelMessage)[] };
}

interface AiCall {
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerExecuted?: boolean | undefined;
  /** True for an unknown tool and for an input that is not JSON; `input` is then the model's text. */
  invalid?: boolean | undefined;
}

export function toStoredAnswer(answer: AiAnswer, origin: string): { message: Message; tokens: TokenCount } {
  const { text, toolCalls, usage, response } = answer;
  const calls = toolCalls.filter(({ providerExecuted }) => !providerExecuted).map(toToolCall);
  // Messages of role `tool` are the AI SDK's errors for invalid calls. They are left out: the agent answers such calls.
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
