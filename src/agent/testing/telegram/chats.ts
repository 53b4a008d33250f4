/**
 * Stores the bot's messages by the rules of Telegram.
 *
 * Shape:  a chat is named as in `MessageContext.chatId`: `<chat id>`, or `<chat id>/<topic id>`.
 * Errors: TelegramRefusal, with Telegram's messages.
 */
import type { SentMessage } from '../fake-platform';
import type { Payload } from './payload';
import { TelegramRefusal } from './refusal';

const MAX_TEXT_UNITS = 4096;
const MAX_BUTTON_BYTES = 64;

export interface Button {
  text: string;
  callback_data: string;
}

interface Shown {
  id: number;
  chatId: string;
  text: string;
  images: number;
  edits: number;
  buttons: Button[];
  replyTo: number | undefined;
}

export class Chats {
  readonly #shown: Shown[] = [];
  readonly #known = new Set<string>();
  /** Id of a group -> id of the supergroup that replaced the group. */
  readonly #upgraded = new Map<string, string>();
  #nextId = 5001;

  get sent(): SentMessage[] {
    return this.#shown.map(({ chatId, text, images, edits, buttons, replyTo }) => ({
      chatId,
      text,
      ...(images > 0 && { images }),
      ...(buttons.length > 0 && { buttons: buttons.map((button) => button.text) }),
      ...(edits > 0 && { edits }),
      ...(replyTo !== undefined && { replyTo: String(replyTo) }),
    }));
  }

  /** Opens a chat: a bot may write only after a person did. */
  open(chatId: string): number {
    this.#known.add(`${chatId}`.split('/', 1)[0] as string);
    return this.#nextId++;
  }

  upgrade(chatId: string, newChatId: string): void {
    this.#upgraded.set(chatId, newChatId);
    this.#known.add(newChatId);
  }

  deleteNewest(): void {
    this.#shown.pop();
  }

  show(payload: Payload, images = 0): object {
    const chatId = this.#chatOf(payload);
    const shown: Shown = {
      id: this.#nextId++,
      chatId,
      text: images > 0 ? String(payload.caption ?? '') : checkText(payload.text),
      images,
      edits: 0,
      buttons: buttonsOf(payload),
      replyTo: (payload.reply_parameters as { message_id?: number } | undefined)?.message_id,
    };
    this.#shown.push(shown);
    return toMessage(shown);
  }

  edit(payload: Payload): object {
    const chatId = this.#chatOf(payload);
    const shown = this.#shown.find(({ id, chatId: shownIn }) => id === payload.message_id && shownIn.split('/', 1)[0] === chatId);
    if (!shown) throw new TelegramRefusal(400, 'Bad Request: message to edit not found');
    const text = checkText(payload.text);
    const buttons = buttonsOf(payload);
    if (text === shown.text && JSON.stringify(buttons) === JSON.stringify(shown.buttons)) {
      throw new TelegramRefusal(
        400,
        'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and ' +
          'reply markup of the message',
      );
    }
    Object.assign(shown, { text, buttons, edits: shown.edits + 1 });
    return toMessage(shown);
  }

  newestQuestion(chatId: string): { message: object; buttons: readonly Button[] } {
    const shown = this.#shown.findLast((candidate) => candidate.chatId === chatId && candidate.buttons.length > 0);
    if (!shown) throw new Error(`No message in chat ${chatId} shows buttons`);
    return { message: toMessage(shown), buttons: shown.buttons };
  }

  #chatOf({ chat_id, message_thread_id }: Payload): string {
    const upgraded = this.#upgraded.get(String(chat_id));
    if (upgraded !== undefined) {
      const words = 'Bad Request: group chat was upgraded to a supergroup chat';
      throw new TelegramRefusal(400, words, { migrate_to_chat_id: toId(upgraded) });
    }
    if (!this.#known.has(String(chat_id))) throw new TelegramRefusal(400, 'Bad Request: chat not found');
    return message_thread_id === undefined ? String(chat_id) : `${chat_id}/${message_thread_id}`;
  }
}

function checkText(text: unknown): string {
  if (typeof text !== 'string' || text.trim() === '') throw new TelegramRefusal(400, 'Bad Request: message text is empty');
  if (text.length > MAX_TEXT_UNITS) throw new TelegramRefusal(400, 'Bad Request: message is too long');
  return text;
}

function buttonsOf({ reply_markup }: Payload): Button[] {
  const buttons = (reply_markup as { inline_keyboard?: Button[][] } | undefined)?.inline_keyboard?.flat() ?? [];
  if (buttons.some(({ callback_data }) => Buffer.byteLength(callback_data) > MAX_BUTTON_BYTES)) {
    throw new TelegramRefusal(400, 'Bad Request: BUTTON_DATA_INVALID');
  }
  return buttons;
}

function toMessage({ id, chatId, text, buttons }: Shown): object {
  const { chat, ...thread } = toChat(chatId);
  return {
    message_id: id,
    date: Math.floor(Date.now() / 1000),
    chat,
    ...thread,
    ...(text && { text }),
    ...(buttons.length > 0 && { reply_markup: { inline_keyboard: [buttons] } }),
  };
}

/** Ids of groups are negative. */
export function toChat(
  chatId: string,
  isPrivate = !chatId.startsWith('-'),
): { chat: object; message_thread_id?: number; is_topic_message?: true } {
  const [id = '', topic] = chatId.split('/');
  const chat = isPrivate ? { id: toId(id), type: 'private' } : { id: toId(id), type: 'supergroup', title: 'A group' };
  return topic === undefined ? { chat } : { chat, message_thread_id: toId(topic), is_topic_message: true };
}

export function toId(text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new Error(`Telegram's ids are whole numbers, not ${JSON.stringify(text)}`);
  return id;
}
