import type { Message, ToolCall } from '../chat/message';

/** The message of role `tool` for a call that failed or did not run. */
export function errorResult(call: ToolCall | undefined, error: { code: string; message: string }): Message {
  return { role: 'tool', tool_call_id: call?.id ?? '', content: JSON.stringify({ error }) };
}
