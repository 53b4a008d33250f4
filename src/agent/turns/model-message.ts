/** Normalises a message of a model for the next request. */
import type { Message, ToolCall } from '../chat/message';

/**
 * Gives each call a unique id, by which a result names its call: some servers omit or repeat ids. Drops an empty list of calls, which
 * OpenAI refuses in a request.
 */
export function readModelMessage({ tool_calls: calls, ...message }: Message, step: number): Message {
  if (!Array.isArray(calls) || calls.length === 0) return { ...message, role: 'assistant' };
  const seen = new Set<string>();
  const named = calls.map((call, index): ToolCall => {
    const id = call.id && !seen.has(call.id) ? call.id : `call_${step}_${index}`;
    seen.add(id);
    return { ...call, id };
  });
  return { ...message, role: 'assistant', tool_calls: named };
}

export function callsOf(message: Message | undefined): readonly ToolCall[] {
  return message?.role === 'assistant' ? (message.tool_calls ?? []) : [];
}

/** Number of messages of the model in a turn. */
export function stepsIn(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}

/** True if the last `times` results are failures to reach the service. */
export function isUnreachable(messages: readonly Message[], times: number): boolean {
  const newest = messages.filter(({ role }) => role === 'tool').slice(-times);
  return newest.length === times && newest.every(({ content }) => errorCodeOf(content) === 'SERVICE_UNREACHABLE');
}

function errorCodeOf(content: Message['content']): unknown {
  if (typeof content !== 'string' || !content.startsWith('{"error":')) return undefined;
  try {
    return JSON.parse(content).error?.code;
  } catch {
    // A long error text is cut and is not valid JSON.
    return undefined;
  }
}
