/**
 * Sends and edits the bot's messages.
 *
 * Errors: RefusedReply for a permanent refusal; TelegramFailure after five tries for any other error.
 */
import type { RawApi } from 'grammy';
import type { InlineKeyboardMarkup } from 'grammy/types';
import { type Question, RefusedReply } from '../../chat/base-client';
import { readImageDataUrl } from '../../chat/images';
import type { MessageContext } from '../../chat/message-context';
import { split } from '../../chat/split';
import { TelegramFailure } from './failure';
import { toButtons } from './questions';
import type { RawSignal, TelegramApi } from './telegram-api';

/** UTF-16 code units. */
const MAX_TEXT = 4096;
const TRIES = 5;
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 403, 413]);
/** Disables previews, for which Telegram would fetch URLs: a URL in a reply could leak data that the model has read. */
const WITHOUT_PREVIEW = { link_preview_options: { is_disabled: true } };

interface Place {
  chat_id: number;
  message_thread_id?: number;
}

type Send<T> = (raw: RawApi, place: Place, signal: RawSignal) => Promise<T>;

interface SendOptions {
  /** True for the first message of a reply, which in a group quotes the answered message. */
  isFirst: boolean;
  buttons?: InlineKeyboardMarkup | undefined;
  /** Default: 5. */
  tries?: number;
}

/** The message id in a return value of `showPartial` or `askApproval`, or in a message's address. */
function readMessageId(value: unknown): number | undefined {
  const { messageId } = (value ?? {}) as { messageId?: unknown };
  return typeof messageId === 'number' ? messageId : undefined;
}

export class Outbox {
  readonly #api: TelegramApi;
  readonly #signal: AbortSignal;
  /** Replies that were sent in part before an error. The next try continues there, so that no part is shown twice. */
  readonly #begun = new WeakMap<MessageContext, { text: string; parts: number }>();

  constructor(api: TelegramApi, signal: AbortSignal) {
    this.#api = api;
    this.#signal = signal;
  }

  /** Sends the text in pieces, then the images. The first piece replaces the partial reply. */
  async sendReply(ctx: MessageContext, text: string, images: readonly string[]): Promise<void> {
    const earlier = this.#begun.get(ctx);
    const begun = earlier?.text === text ? earlier : { text, parts: 0 };
    this.#begun.set(ctx, begun);
    const parts = [
      ...split(text, MAX_TEXT).map((piece, index) => () => this.#sendPiece(ctx, piece, index === 0)),
      ...images.map((image) => () => this.#sendImage(ctx, image)),
    ];
    for (const send of parts.slice(begun.parts)) {
      await send();
      begun.parts += 1;
    }
    this.#begun.delete(ctx);
  }

  /** Sends the beginning of a reply, or edits the earlier message. One try is enough, since a longer text follows soon. */
  async showBeginning(ctx: MessageContext, text: string): Promise<{ messageId: number }> {
    const [piece = ''] = split(text, MAX_TEXT);
    const shown = readMessageId(ctx.partial);
    if (shown !== undefined && (await this.#edit(ctx, shown, piece, 1))) return { messageId: shown };
    return { messageId: await this.#sendText(ctx, piece, { isFirst: true, tries: 1 }) };
  }

  /** The last piece of a long question has the buttons. */
  async ask(ctx: MessageContext, { id, text }: Question): Promise<{ messageId: number | undefined }> {
    const pieces = split(text, MAX_TEXT);
    let messageId: number | undefined;
    for (const [index, piece] of pieces.entries()) {
      const buttons = index === pieces.length - 1 ? toButtons(id) : undefined;
      messageId = await this.#sendText(ctx, piece, { isFirst: index === 0, buttons });
    }
    return { messageId };
  }

  /** Removes the buttons. A deleted question has none. */
  async endQuestion(ctx: MessageContext, shown: unknown, text: string): Promise<void> {
    const messageId = readMessageId(shown);
    if (messageId !== undefined) await this.#edit(ctx, messageId, split(text, MAX_TEXT).at(-1) ?? '');
  }

  async showTyping(ctx: MessageContext): Promise<void> {
    await this.#send(ctx, (raw, place, signal) => raw.sendChatAction({ ...place, action: 'typing' }, signal), 1);
  }

  async #sendPiece(ctx: MessageContext, piece: string, isFirst: boolean): Promise<void> {
    const partial = isFirst ? readMessageId(ctx.partial) : undefined;
    if (partial !== undefined && (await this.#edit(ctx, partial, piece))) return;
    await this.#sendText(ctx, piece, { isFirst });
  }

  async #sendText(ctx: MessageContext, text: string, { isFirst, buttons, tries }: SendOptions): Promise<number> {
    const payload = { text, ...WITHOUT_PREVIEW, ...(isFirst && referenceOf(ctx)), ...(buttons && { reply_markup: buttons }) };
    try {
      const sent = await this.#send(ctx, (raw, place, signal) => raw.sendMessage({ ...place, ...payload }, signal), tries);
      return sent.message_id;
    } catch (error) {
      throw toRefusal(error);
    }
  }

  /** Sends a picture as a photo, or else as a file. A picture that Telegram refuses as both is left out, since the text is sent already. */
  async #sendImage(ctx: MessageContext, dataUrl: string): Promise<void> {
    const image = readImageDataUrl(dataUrl);
    if (!image) return;
    const file = () => this.#api.upload(image.bytes, `image.${image.mediaType.replace('image/', '')}`);
    const uploads: Send<unknown>[] = [
      (raw, place, signal) => raw.sendPhoto({ ...place, photo: file() }, signal),
      (raw, place, signal) => raw.sendDocument({ ...place, document: file() }, signal),
    ];
    for (const upload of uploads) {
      try {
        await this.#send(ctx, upload);
        return;
      } catch (error) {
        if (!(error instanceof TelegramFailure && error.isOfContent)) throw toRefusal(error);
      }
    }
  }

  /** Replaces the text and removes the buttons. Returns false if the message was deleted. */
  async #edit(ctx: MessageContext, messageId: number, text: string, tries?: number): Promise<boolean> {
    const payload = { message_id: messageId, text, ...WITHOUT_PREVIEW };
    try {
      await this.#send(ctx, (raw, { chat_id }, signal) => raw.editMessageText({ chat_id, ...payload }, signal), tries);
      return true;
    } catch (error) {
      if (!(error instanceof TelegramFailure)) throw error;
      if (error.isNotModified) return true;
      if (error.isNotEditable) return false;
      throw toRefusal(error);
    }
  }

  /** Sends again under the new id if the group became a supergroup. */
  async #send<T>(ctx: MessageContext, send: Send<T>, tries = TRIES): Promise<T> {
    const patience = { signal: this.#signal, tries };
    const sendTo = (place: Place) => this.#api.call((raw, signal) => send(raw, place, signal), patience);
    try {
      return await sendTo(placeOf(ctx));
    } catch (error) {
      if (!(error instanceof TelegramFailure) || error.movedTo === undefined) throw error;
      return sendTo({ chat_id: error.movedTo });
    }
  }
}

function toRefusal(error: unknown): unknown {
  return error instanceof TelegramFailure && REFUSALS.has(error.status) ? new RefusedReply(error.message) : error;
}

function placeOf({ chatId }: MessageContext): Place {
  const [chat, topic] = chatId.split('/');
  return { chat_id: Number(chat), ...(topic !== undefined && { message_thread_id: Number(topic) }) };
}

function referenceOf({ address, isPrivate }: MessageContext) {
  const answered = readMessageId(address);
  if (isPrivate !== false || answered === undefined) return {};
  return { reply_parameters: { message_id: answered, allow_sending_without_reply: true } };
}
