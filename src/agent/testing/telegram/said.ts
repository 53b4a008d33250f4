/** Builds Telegram's form of a person's message. */
import { readImageDataUrl } from '../../chat/images';
import type { FakeMessage } from '../fake-platform';
import { toChat, toId } from './chats';

export interface FakeTelegramMessage extends FakeMessage {
  /** Id of the answered message of the bot. */
  replyTo?: string;
  /** True for a message of another bot. */
  isBot?: boolean;
  /** Sends images as files instead of photos. */
  asFiles?: boolean;
  /** Additional members of Telegram's message, which override others. */
  members?: Record<string, unknown>;
  /** Default: `message`. */
  update?: 'message' | 'edited_message' | 'channel_post';
}

export function toUser(id: string, name = 'Ada', isBot = false): object {
  return { id: toId(id), is_bot: isBot, first_name: name };
}

/** Entities as Telegram marks them: mentions, and commands at the start of a word. */
function toEntities(text: string): object[] {
  return [...text.matchAll(/(?<![\w/@])(?:@[A-Za-z]\w{3,}|\/\w+(?:@\w+)?)/g)].map(({ 0: found, index }) => ({
    type: found.startsWith('@') ? 'mention' : 'bot_command',
    offset: index,
    length: found.length,
  }));
}

/** The members of each picture. A photo has two sizes; the bytes of the smaller are not an image. */
export function toPictures({ images = [], asFiles }: FakeTelegramMessage, keep: (bytes: Uint8Array) => string): object[] {
  return images.map((url) => {
    const image = readImageDataUrl(url);
    if (!image) throw new Error('Send images as data URLs of PNG, JPEG, GIF or WebP');
    const { bytes, mediaType } = image;
    const file = { file_id: keep(bytes), file_unique_id: 'large', file_size: bytes.length };
    if (asFiles) return { document: { ...file, file_name: 'picture', mime_type: mediaType } };
    const small = { file_id: keep(Buffer.from('thumbnail')), file_unique_id: 'small', width: 90, height: 90, file_size: 9 };
    return { photo: [small, { ...file, width: 800, height: 800 }] };
  });
}

export function toSaid(
  { text, userId, userName, isPrivate, replyTo, isBot, members }: FakeTelegramMessage & { userId: string },
  { id, chatId, picture, bot }: { id: number; chatId: string; picture: object | undefined; bot: object },
): object {
  const { chat, ...thread } = toChat(chatId, isPrivate);
  const entities = toEntities(text);
  const words = picture
    ? { ...picture, ...(text && { caption: text, caption_entities: entities }) }
    : { text, ...(entities.length > 0 && { entities }) };
  return {
    message_id: id,
    from: toUser(userId, userName, isBot),
    chat,
    date: Math.floor(Date.now() / 1000),
    ...thread,
    ...(replyTo !== undefined && { reply_to_message: { message_id: toId(replyTo), from: bot, chat, date: 0, text: '' } }),
    ...words,
    ...members,
  };
}
