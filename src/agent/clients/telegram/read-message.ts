/**
 * Messages for the bot.
 *
 * Shape:  `chatId` is `<chat id>`, or `<chat id>/<topic id>` for a topic; `messageId` is `<chat id>/<message id>`, because Telegram counts messages of
 *         each group on their own.
 * Source: https://core.telegram.org/bots/api#message and #messageentity
 */
import type { Message as TelegramMessage } from 'grammy/types';
import { MAX_IMAGE_BYTES } from '../../chat/images';
import type { MessageContext } from '../../chat/message-context';

export interface Bot {
  id: number;
  username: string;
}

export interface ReadMessage {
  ctx: MessageContext;
  /** File id of the picture, if it is not too large. */
  picture?: string | undefined;
  /** True also for a picture that is too large. */
  hasPicture: boolean;
}

/** Undefined for a message that needs no answer: of a bot, not for this bot, or without text and picture. */
export function readTelegramMessage(message: TelegramMessage, bot: Bot): ReadMessage | undefined {
  const { from, chat } = message;
  const isPrivate = chat.type === 'private';
  const text = message.text ?? message.caption ?? '';
  const hasPicture = message.photo !== undefined || isImageFile(message);
  if (!from || from.is_bot || (text === '' && !hasPicture)) return undefined;
  if (!isPrivate && !isMentioned(message, text, bot) && !isReplyTo(message, bot)) return undefined;
  const ctx = {
    chatId: chatIdOf(message),
    userId: String(from.id),
    message: withoutName(text, bot),
    messageId: `${chat.id}/${message.message_id}`,
    userName: [from.first_name, from.last_name].filter(Boolean).join(' '),
    isPrivate,
    address: { messageId: message.message_id },
  };
  return { ctx, picture: pictureOf(message), hasPicture };
}

export function chatIdOf({
  chat,
  is_topic_message,
  message_thread_id,
}: Pick<TelegramMessage, 'chat' | 'is_topic_message' | 'message_thread_id'>): string {
  // Replies in groups without topics have a thread id too.
  return is_topic_message ? `${chat.id}/${message_thread_id}` : String(chat.id);
}

/** Offsets of entities are in code units of UTF-16, as in JavaScript. */
function isMentioned({ entities, caption_entities }: TelegramMessage, text: string, { id, username }: Bot): boolean {
  const name = `@${username.toLowerCase()}`;
  return (entities ?? caption_entities ?? []).some((entity) => {
    const marked = text.slice(entity.offset, entity.offset + entity.length).toLowerCase();
    if (entity.type === 'text_mention') return entity.user.id === id;
    return entity.type === 'bot_command' ? marked.endsWith(name) : entity.type === 'mention' && marked === name;
  });
}

/** In a topic, a message that answers none has the topic's own first message here. */
function isReplyTo({ reply_to_message: answered, message_thread_id, is_topic_message }: TelegramMessage, { id }: Bot): boolean {
  return answered?.from?.id === id && !(is_topic_message && answered.message_id === message_thread_id);
}

/** `/new@name` becomes `/new`, and a name at the start goes: neither is part of what the person wants. */
function withoutName(text: string, { username }: Bot): string {
  const words = text.replace(new RegExp(`^(?:(/\\w+)@${username}\\b|@${username}\\b[,:]?\\s*)`, 'i'), '$1');
  return words.trim() === '' ? text : words;
}

function isImageFile({ document }: TelegramMessage): boolean {
  return document?.mime_type?.startsWith('image/') ?? false;
}

/** Telegram sends a photo in several sizes, and a picture that was sent as a file in one. */
function pictureOf(message: TelegramMessage): string | undefined {
  const sizes = message.photo ?? (isImageFile(message) && message.document ? [message.document] : []);
  const fitting = sizes.filter(({ file_size = 0 }) => file_size <= MAX_IMAGE_BYTES);
  return fitting.toSorted((a, b) => (b.file_size ?? 0) - (a.file_size ?? 0))[0]?.file_id;
}
