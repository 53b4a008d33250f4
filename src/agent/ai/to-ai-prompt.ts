/**
 * Stored messages as a prompt of the AI SDK.
 *
 * Shape: the results of one step become one message, as some providers require. Members that another server added are left out.
 */
import type { ModelMessage, ToolModelMessage, UserContent } from 'ai';
import { readImageDataUrl } from '../chat/images';
import { type Message, type MessagePart, messageText, type ToolCall } from '../chat/message';
import { objectMembers } from '../model/unchecked-json';
import { type AssistantPart, type CallPart, readKeptParts } from './kept-parts';

export interface AiPrompt {
  /** Absent if empty: some providers refuse an empty one. */
  system?: string;
  messages: ModelMessage[];
}

/** @param origin the provider of the request */
export function toAiPrompt(messages: readonly Message[], origin: string): AiPrompt {
  const system = messages.flatMap((message) => (message.role === 'system' ? [messageText(message)] : [])).join('\n\n');
  const prompt: ModelMessage[] = [];
  const toolNames = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'user') prompt.push({ role: 'user', content: toUserContent(message) });
    if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map(toCallPart);
      for (const { toolCallId, toolName } of calls) toolNames.set(toolCallId, toolName);
      const content = readKeptParts(message, calls, origin) ?? toPlainParts(message, calls);
      prompt.push({ role: 'assistant', content });
    }
    if (message.role === 'tool') addResult(prompt, message, toolNames);
  }
  return { ...(system !== '' && { system }), messages: prompt };
}

function toUserContent(message: Message): UserContent {
  return Array.isArray(message.content) ? message.content.map(toUserPart) : messageText(message);
}

function toUserPart(part: MessagePart): Exclude<UserContent, string>[number] {
  if (part.type === 'text') return { type: 'text', text: part.text };
  // Not the URL: the AI SDK would fetch it.
  const image = readImageDataUrl(part.image_url.url);
  return image ? { type: 'file', mediaType: image.mediaType, data: image.bytes } : { type: 'text', text: '[an image that cannot be read]' };
}

function toPlainParts(message: Message, calls: readonly CallPart[]): AssistantPart[] {
  const text = messageText(message);
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls];
}

function toCallPart({ id, type, function: called }: ToolCall): CallPart {
  return { type: 'tool-call', toolCallId: id, toolName: called?.name ?? type, input: readInput(called?.arguments) };
}

/** Anthropic and Google accept only an object. Other input becomes `{}`; the result of the call reports the mistake. */
function readInput(text = ''): object {
  try {
    const input: unknown = JSON.parse(text);
    return Array.isArray(input) ? {} : objectMembers(input);
  } catch {
    return {};
  }
}

function addResult(prompt: ModelMessage[], message: Message, toolNames: ReadonlyMap<string, string>): void {
  const { tool_call_id: toolCallId = '' } = message;
  const toolName = toolNames.get(toolCallId) ?? '';
  const result: ToolModelMessage['content'][number] = {
    type: 'tool-result',
    toolCallId,
    toolName,
    output: { type: 'text', value: messageText(message) },
  };
  const last = prompt.at(-1);
  if (last?.role === 'tool') last.content.push(result);
  else prompt.push({ role: 'tool', content: [result] });
}
