/**
 * Reads messages for the bot.
 *
 * Shape:  `chatId` is `<chat id>`, or `<chat id>/<topic id>` for a topic; `messageId` is `<chat id>/<message id>`, because Telegram numbers
 *         the messages of each group separately.
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
  attachments: Attachment[];
}

/** A file of a message. */
interface Attachment {
  name: string;
  /** Present for a picture that is not too large. */
  fileId?: string | undefined;
}

/**
 * Undefined for a message that needs no answer: of a bot, not for this bot, or without text and file.
 *
 * @param album the messages of an album, or one message
 */
export function readTelegramMessage(album: readonly TelegramMessage[], bot: Bot): ReadMessage | undefined {
  const [first] = album;
  if (!first) return undefined;
  const { from, chat } = first;
  const isPrivate = chat.type === 'private';
  const text = album.map(({ text: words, caption }) => words ?? caption ?? '').find(Boolean) ?? '';
  const attachments = album.flatMap((message) => attachmentOf(message) ?? []);
  if (!from || !isOfPerson(first) || (text === '' && attachments.length === 0)) return undefined;
  if (!isPrivate && !album.some((message) => isMentioned(message, bot) || isReplyTo(message, bot))) return undefined;
  const ctx = {
    chatId: chatIdOf(first),
    userId: String(from.id),
    message: withoutName(text, bot),
    messageId: `${chat.id}/${first.message_id}`,
    userName: [from.first_name, from.last_name].filter(Boolean).join(' '),
    isPrivate,
    address: { messageId: first.message_id },
  };
  return { ctx, attachments };
}

export function chatIdOf({
  chat,
  is_topic_message,
  message_thread_id,
}: Pick<TelegramMessage, 'chat' | 'is_topic_message' | 'message_thread_id'>): string {
  // Replies in groups without topics have a thread id too.
  return is_topic_message ? `${chat.id}/${message_thread_id}` : String(chat.id);
}

/** A post that Telegram copies from a channel into its group has a chat as sender. */
function isOfPerson({ from, sender_chat: sender }: TelegramMessage): boolean {
  return from?.is_bot === false && sender === undefined;
}

/** Offsets of entities are in code units of UTF-16, as in JavaScript. */
function isMentioned({ text, entities, caption = '', caption_entities }: TelegramMessage, { id, username }: Bot): boolean {
  const words = text ?? caption;
  const name = `@${username.toLowerCase()}`;
  return (entities ?? caption_entities ?? []).some((entity) => {
    const marked = words.slice(entity.offset, entity.offset + entity.length).toLowerCase();
    if (entity.type === 'text_mention') return entity.user.id === id;
    return entity.type === 'bot_command' ? marked.endsWith(name) : entity.type === 'mention' && marked === name;
  });
}

/** A message in a topic that is not a reply has the topic's first message as `reply_to_message`. */
function isReplyTo({ reply_to_message: answered, message_thread_id, is_topic_message }: TelegramMessage, { id }: Bot): boolean {
  return answered?.from?.id === id && !(is_topic_message && answered.message_id === message_thread_id);
}

/** Shortens `/new@name` to `/new`, and removes the bot's name at the start. */
function withoutName(text: string, { username }: Bot): string {
  const words = text.replace(new RegExp(`^(?:(/\\w+)@${username}\\b|@${username}\\b[,:]?\\s*)`, 'i'), '$1');
  return words.trim() === '' ? text : words;
}

function attachmentOf({ photo, document, video, voice, audio, video_note }: TelegramMessage): Attachment | undefined {
  // Telegram sends a photo in several sizes.
  if (photo) return { name: 'photo', fileId: largestFitting(photo) };
  if (document) {
    const isPicture = document.mime_type?.startsWith('image/');
    return { name: document.file_name ?? 'file', fileId: isPicture ? largestFitting([document]) : undefined };
  }
  if (voice) return { name: 'voice message' };
  if (audio) return { name: audio.file_name ?? 'audio' };
  return video || video_note ? { name: 'video' } : undefined;
}

function largestFitting(files: readonly { file_id: string; file_size?: number }[]): string | undefined {
  const fitting = files.filter(({ file_size = 0 }) => file_size <= MAX_IMAGE_BYTES);
  return fitting.toSorted((a, b) => (b.file_size ?? 0) - (a.file_size ?? 0))[0]?.file_id;
}
