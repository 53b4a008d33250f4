import { BaseClient, type Question } from '../../chat/base-client';
import { imageDataUrl } from '../../chat/images';
import type { Message } from '../../chat/message';
import type { MessageContext } from '../../chat/message-context';
import { replyImages, replyText } from '../../chat/reply';
import { telegramBotIdOf } from './bot-token';
import { TelegramFailure } from './failure';
import { loadGrammy } from './load-grammy';
import { Outbox, readShown } from './outbox';
import { readTelegramPress, toButtons } from './questions';
import { type Bot, type ReadMessage, readTelegramMessage } from './read-message';
import { type TelegramAccount, TelegramApi } from './telegram-api';

export interface TelegramOptions {
  /** From @BotFather, such as `123456789:AAF…`. */
  botToken: string;
  /** Address of a Bot API server. Default: `https://api.telegram.org`. */
  apiRoot?: string;
  /** Seconds that one request waits for messages, 1 to 50. Default: 30. */
  pollSeconds?: number;
}

type Update = Awaited<ReturnType<import('grammy').Api['getUpdates']>>[number];

/**
 * A Telegram bot: private chats, and messages in groups that mention it or reply to it. Needs the packages `grammy` and `@grammyjs/auto-retry`.
 *
 * The cursor is the offset of the next update. Telegram keeps updates for 24 hours, and forgets them only when a request confirms them, which this
 * client does after they were taken.
 */
export class TelegramClient extends BaseClient {
  override readonly clientId: string;
  readonly #account: TelegramAccount;
  #stopping = new AbortController();
  #connection: { api: TelegramApi; bot: Bot; outbox: Outbox } | undefined;
  /** Updates that are received and not yet taken. */
  #received: Update[] = [];

  /** @throws Error for an option that cannot be right; no message holds the token */
  constructor({ botToken, apiRoot = 'https://api.telegram.org', pollSeconds = 30 }: TelegramOptions) {
    super();
    this.clientId = `telegram-${telegramBotIdOf(botToken)}`;
    if (!/^https?:\/\//.test(apiRoot)) throw new Error('apiRoot has to begin with https:// or http://');
    if (!(pollSeconds >= 1 && pollSeconds <= 50)) throw new Error(`pollSeconds has to be from 1 to 50, and is ${pollSeconds}`);
    this.#account = { botToken, apiRoot: apiRoot.replace(/\/+$/, ''), pollSeconds, clientId: this.clientId };
  }

  override async start(): Promise<void> {
    const grammy = await loadGrammy();
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#received = [];
    const { signal } = this.#stopping;
    const api = new TelegramApi(grammy, this.#account);
    const { id, username } = await api.call((raw, end) => raw.getMe(end), { signal });
    // Telegram refuses polls while a webhook is set.
    await api.call((raw, end) => raw.deleteWebhook({}, end), { signal });
    this.#connection = { api, bot: { id, username }, outbox: new Outbox(api, signal) };
  }

  override async stop(): Promise<void> {
    this.#stopping.abort(new Error(`${this.clientId} was stopped`));
  }

  override async receiveMessage({ signal }: { signal: AbortSignal }): Promise<MessageContext | null> {
    const ending = AbortSignal.any([signal, this.#stopping.signal]);
    try {
      if (this.#received.length === 0) this.#received = await this.#poll(ending);
      return await this.#takeMessage(ending);
    } catch (error) {
      if (ending.aborted) return null;
      throw error;
    }
  }

  override async sendMessage(ctx: MessageContext, replyMessages: readonly Message[]): Promise<void> {
    const { outbox } = this.#connected;
    await outbox.sendText(ctx, replyText(replyMessages), { shown: readShown(ctx.partial) });
    for (const image of replyImages(replyMessages)) await outbox.sendImage(ctx, image);
  }

  override async setTyping(ctx: MessageContext): Promise<void> {
    await this.#connected.outbox.showTyping(ctx);
  }

  override async showPartial(ctx: MessageContext, text: string): Promise<unknown> {
    const messageId = await this.#connected.outbox.showBeginning(ctx, text, readShown(ctx.partial));
    return messageId === undefined ? ctx.partial : { messageId };
  }

  override async askApproval(ctx: MessageContext, { id, text }: Question): Promise<unknown> {
    return { messageId: await this.#connected.outbox.sendText(ctx, text, { buttons: toButtons(id) }) };
  }

  override async endQuestion(ctx: MessageContext, shown: unknown, text: string): Promise<void> {
    const messageId = readShown(shown);
    if (messageId !== undefined) await this.#connected.outbox.edit(ctx, messageId, text);
  }

  get #connected() {
    if (!this.#connection) throw new Error(`${this.clientId} is not started: call start() first`);
    return this.#connection;
  }

  #poll(signal: AbortSignal): Promise<Update[]> {
    const payload = {
      ...(typeof this.cursor === 'number' && { offset: this.cursor }),
      timeout: this.#account.pollSeconds,
      allowed_updates: ['message', 'callback_query'] as const,
    };
    return this.#connected.api.call((raw, end) => raw.getUpdates(payload, end), { signal });
  }

  /** Skips what needs no answer. An update is taken only when all of it is here. */
  async #takeMessage(signal: AbortSignal): Promise<MessageContext | null> {
    for (let update = this.#received[0]; update; update = this.#received[0]) {
      const ctx = await this.#read(update, signal);
      this.#received.shift();
      this.cursor = update.update_id + 1;
      if (ctx) return ctx;
    }
    return null;
  }

  async #read({ message, callback_query: press }: Update, signal: AbortSignal): Promise<MessageContext | undefined> {
    const { api, bot } = this.#connected;
    if (press) {
      // Nobody waits for it: the button only stops to shine.
      const patience = { signal: this.#stopping.signal, tries: 1 };
      api.call((raw, end) => raw.answerCallbackQuery({ callback_query_id: press.id }, end), patience).catch(() => {});
      return readTelegramPress(press);
    }
    const read = message && readTelegramMessage(message, bot);
    return read?.hasPicture ? this.#withPicture(read, signal) : read?.ctx;
  }

  async #withPicture({ ctx, picture }: ReadMessage, signal: AbortSignal): Promise<MessageContext> {
    const image = picture && imageDataUrl(await this.#download(picture, signal));
    if (image) return { ...ctx, images: [image] };
    return { ...ctx, message: ctx.message || '[A picture that cannot be read]' };
  }

  /** No bytes for a file that Telegram refuses: the text of the message is still to be answered. */
  async #download(fileId: string, signal: AbortSignal): Promise<Uint8Array> {
    try {
      return await this.#connected.api.download(fileId, { signal });
    } catch (error) {
      if (error instanceof TelegramFailure && !error.isWrongToken) return new Uint8Array();
      throw error;
    }
  }
}
