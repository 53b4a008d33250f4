/** The answers of a human, and calls that they may not cover, in the messages of the AI SDK. */
import type { ModelMessage } from 'ai';

/** The newest message holds the human's answer to a call that runs because of it, so no process has to remember the answer. */
export function hasApproval(toolCallId: string, messages: readonly ModelMessage[]): boolean {
  const answers = partsOf(messages.at(-1)).filter((part) => part.type === 'tool-approval-response' && part.approved);
  return messages
    .flatMap(partsOf)
    .some(
      (asked) =>
        asked.type === 'tool-approval-request' &&
        asked.toolCallId === toolCallId &&
        answers.some((answer) => 'approvalId' in answer && answer.approvalId === asked.approvalId),
    );
}

/** The AI SDK identifies a call by its id alone: of two calls with one id in a message, it may show one to a human and run the other. */
export function hasTwin(toolCallId: string, messages: readonly ModelMessage[]): boolean {
  return messages.some(
    (message) => partsOf(message).filter((part) => part.type === 'tool-call' && part.toolCallId === toolCallId).length > 1,
  );
}

type Part = Exclude<ModelMessage['content'], string>[number];

function partsOf(message: ModelMessage | undefined): readonly Part[] {
  return message && typeof message.content !== 'string' ? message.content : [];
}
