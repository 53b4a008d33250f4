import type { ModelMessage } from 'ai';

/** The AI SDK identifies a call by its id alone: of two calls with one id in a message, it may show one to a human and run the other. */
export function hasTwin(toolCallId: string, messages: readonly ModelMessage[]): boolean {
  return messages.some(({ role, content }) => {
    if (role !== 'assistant' || typeof content === 'string') return false;
    return content.filter((part) => part.type === 'tool-call' && part.toolCallId === toolCallId).length > 1;
  });
}
