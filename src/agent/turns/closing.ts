/** Completes the messages of a turn that ends early, so that every model accepts the conversation. */
import type { Message } from '../chat/message';
import type { MessageContext } from '../chat/message-context';
import { toUserMessage } from './user-message';

const MAY_HAVE_RUN = {
  error: { code: 'INVOCATION_CANCELLED', message: 'It may have run: check before you call it again' },
};

/** The missing messages: the person's message, a result for each call without one, and the reply. */
export function closingMessages(ctx: MessageContext, written: readonly Message[], text: string): Message[] {
  const asked = written.length === 0 ? [toUserMessage(ctx)] : [];
  const last = written.at(-1);
  const calls = last?.role === 'assistant' ? (last.tool_calls ?? []) : [];
  const lost = calls.map(({ id }): Message => ({ role: 'tool', tool_call_id: id, content: JSON.stringify(MAY_HAVE_RUN) }));
  return [...asked, ...lost, { role: 'assistant', content: text }];
}
