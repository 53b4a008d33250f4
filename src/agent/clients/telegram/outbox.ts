/**
 * Messages of the bot in a chat.
 *
 * Errors: RefusedReply for what Telegram refuses for good; TelegramFailure after five tries of anything else.
 */
import type { InlineKeyboardMarkup } from 'grammy/types';
import { RefusedReply } from '../../chat/base-client';
import { readImageDataUrl } from '../../chat/images';
import type { MessageContext } from '../../chat/message-context';
import { split } from '../../chat/split';
import { TelegramFailure } from './failure';
import type { Patience, TelegramApi } from './telegram-api';

/** UTF-16 code units. */
const MAX_TEXT = 4096;
const TRIES = 5;
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 403, 413]);

/** A message that the bot sent, as it is stored. */
export interface TelegramMessage {
  messageId: number;
}

export function readShown(value: unknown): number | undefined {
  const messageId = (value as Partial<TelegramMessage> | null | undefined)?.messageId;
  return typeof messageId === 'number' ? messageId : undefined;
}

export class Outbox {
  readonly #api: TelegramApi;
  readonly #patience: Patience;

  constructor(api: TelegramApi, signal: AbortSignal) {
    this.#api = api;
    this.#patience = { signal, tries: TRIES };
  }

  /** Sends the text in pieces; the first replaces the message `shown`, and the last gets the buttons. Returns the id of the last message. */
  async sendText(
    ctx: MessageContext,
    text: string,
    { shown, buttons }: { shown?: number | undefined; buttons?: InlineKeyboardMarkup } = {},
  ) {
    const pieces = split(text, MAX_TEXT);
    const rest = shown !== undefined && pieces[0] !== undefined && (await this.edit(ctx, shown, pieces[0])) ? pieces.slice(1) : pieces;
    let messageId = rest === pieces ? undefined : shown;
    for (const [index, piece] of rest.entries()) {
      const place = messageId === undefined ? replyPlaceOf(ctx) : placeOf(ctx);
      const isLast = index === rest.length - 1;
      const payload = {
        ...place,
        text: piece,
        // A preview makes Telegram fetch the address: an address in a reply could carry away what the model has read.
        link_preview_options: { is_disabled: true },
        ...(isLast && buttons && { reply_markup: buttons }),
      };
      const sent = await this.#deliver(() => this.#api.call((raw, signal) => raw.sendMessage(payload, signal), this.#patience));
      messageId = sent.message_id;
    }
    return messageId;
  }

  /** The beginning of a text, as one message. */
  async showBeginning(ctx: MessageContext, text: string, shown: number | undefined): Promise<number | undefined> {
    const [piece = ''] = split(text, MAX_TEXT);
    return this.sendText(ctx, piece, { shown });
  }

  /** Sends a picture as a photo, or as a file if Telegram does not take it for a photo. */
  async sendImage(ctx: MessageContext, dataUrl: string): Promise<void> {
    const { mediaType, bytes } = readImageDataUrl(dataUrl) ?? {};
    if (!mediaType || !bytes) return;
    const file = () => this.#api.upload(bytes, `image.${mediaType.replace('image/', '')}`);
    try {
      await this.#api.call((raw, signal) => raw.sendPhoto({ ...placeOf(ctx), photo: file() }, signal), this.#patience);
    } catch (error) {
      if (!(error instanceof TelegramFailure && error.status === 400)) throw toRefusal(error);
      await this.#deliver(() =>
        this.#api.call((raw, signal) => raw.sendDocument({ ...placeOf(ctx), document: file() }, signal), this.#patience),
      );
    }
  }

  /** Replaces a text, and takes the buttons away. Returns false if the message is gone. */
  async edit(ctx: MessageContext, messageId: number, text: string): Promise<boolean> {
    const [piece = ''] = split(text, MAX_TEXT);
    const payload = { chat_id: placeOf(ctx).chat_id, message_id: messageId, text: piece, link_preview_options: { is_disabled: true } };
    try {
      await this.#api.call((raw, signal) => raw.editMessageText(payload, signal), this.#patience);
      return true;
    } catch (error) {
      if (!(error instanceof TelegramFailure)) throw error;
      if (error.isNotModified) return true;
      if (error.isNotEditable) return false;
      throw toRefusal(error);
    }
  }

  async showTyping(ctx: MessageContext): Promise<void> {
    const patience = { ...this.#patience, tries: 1 };
    await this.#api.call((raw, signal) => raw.sendChatAction({ ...placeOf(ctx), action: 'typing' }, signal), patience);
  }

  async #deliver<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      throw toRefusal(error);
    }
  }
}

function toRefusal(error: unknown): unknown {
  return error instanceof TelegramFailure && REFUSALS.has(error.status) ? new RefusedReply(error.message) : error;
}

function placeOf({ chatId }: MessageContext) {
  const [chat, topic] = chatId.split('/');
  return { chat_id: Number(chat), ...(topic !== undefined && { message_thread_id: Number(topic) }) };
}

/** In a chat with several people, an answer names its question. */
function replyPlaceOf(ctx: MessageContext) {
  const answered = readShown(ctx.address);
  const isReply = ctx.isPrivate === false && answered !== undefined;
  return { ...placeOf(ctx), ...(isReply && { reply_parameters: { message_id: answered, allow_sending_without_reply: true } }) };
}
