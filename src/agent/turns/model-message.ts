/** Brings the message of a model into the shape that the next request needs. */
import type { Message, ToolCall } from '../chat/message';

/**
 * Each call gets an id of its own: a result names its call by the id, and some servers leave ids out or repeat them. An empty list of calls is left
 * out, which OpenAI refuses in a request.
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

/** How many messages of the model a turn has. */
export function stepsIn(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}

/** Whether the newest results are that many failures to reach the service, one after the other. */
export function isUnreachable(messages: readonly Message[], times: number): boolean {
  const newest = messages.filter(({ role }) => role === 'tool').slice(-times);
  return newest.length === times && newest.every(({ content }) => errorCodeOf(content) === 'SERVICE_UNREACHABLE');
}

function errorCodeOf(content: Message['content']): unknown {
  if (typeof content !== 'string' || !content.startsWith('{"error":')) return undefined;
  try {
    return JSON.parse(content).error?.code;
  } catch {
    // A long error text is cut, and cannot be read as JSON then.
    return undefined;
  }
}
