/** The stored form of a person's message. The JSON is the same in all languages, so names are in snake case. */
import type { MessageContext } from '../chat/message-context';

export function writeContext(ctx: MessageContext): string {
  const { answer } = ctx;
  return JSON.stringify({
    chat_id: ctx.chatId,
    user_id: ctx.userId,
    message: ctx.message,
    message_id: ctx.messageId,
    user_name: ctx.userName,
    is_private: ctx.isPrivate,
    images: ctx.images,
    answer: answer && { question_id: answer.questionId, approved: answer.approved },
    address: ctx.address,
    partial: ctx.partial,
  });
}

export function readContext(row: string): MessageContext {
  const { chat_id, user_id, message, message_id, user_name, is_private, images, address, partial } = JSON.parse(row);
  return {
    chatId: chat_id,
    userId: user_id,
    message,
    ...(message_id != null && { messageId: message_id }),
    ...(user_name != null && { userName: user_name }),
    ...(is_private != null && { isPrivate: is_private }),
    ...(images != null && { images }),
    ...(address != null && { address }),
    ...(partial != null && { partial }),
  };
}
