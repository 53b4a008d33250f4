/** Questions with two buttons, and presses of the buttons. The data of a button has at most 64 bytes. */
import type { CallbackQuery, InlineKeyboardMarkup } from 'grammy/types';
import type { MessageContext } from '../../chat/message-context';
import { chatIdOf } from './read-message';

export function toButtons(questionId: string): InlineKeyboardMarkup {
  return {
    inline_keyboard: [
      [
        { text: 'Yes', callback_data: `svc:yes:${questionId}` },
        { text: 'No', callback_data: `svc:no:${questionId}` },
      ],
    ],
  };
}

/** Undefined for a button that this package did not make. */
export function readTelegramPress({ id, data = '', from, message }: CallbackQuery): MessageContext | undefined {
  const [, answer, questionId] = /^svc:(yes|no):(.+)$/.exec(data) ?? [];
  if (!questionId || !message) return undefined;
  return {
    chatId: chatIdOf(message),
    userId: String(from.id),
    message: '',
    messageId: `press/${id}`,
    userName: [from.first_name, from.last_name].filter(Boolean).join(' '),
    isPrivate: message.chat.type === 'private',
    answer: { questionId, approved: answer === 'yes' },
  };
}
