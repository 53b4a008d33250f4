import { BaseClient, type Question } from '../../chat/base-client';
import type { Message } from '../../chat/message';
import type { MessageContext } from '../../chat/message-context';
import { replyImages, replyText } from '../../chat/reply';
import { pause } from '../../lib/races';
import { firstTogether, isOpenAlbum } from './albums';
import { withAttachments } from './attachments';
import { telegramBotIdOf } from './bot-token';
import { loadGrammy } from './load-grammy';
import { Outbox } from './outbox';
import { readTelegramPress } from './questions';
import { type Bot, readTelegramMessage } from './read-message';
import { type TelegramAccount, TelegramApi } from './telegram-api';

/** The messages of an album arrive shortly after each other. */
const ALBUM_MS = 500;

export interface TelegramOptions {
  /** The token from @BotFather, such as `123456789:AAF…`. */
  botToken: string;
  /** Address of a Bot API server. Default: `https://api.telegram.org`. */
  apiRoot?: string;
  /** Seconds that one request waits for messages, 1 to 50. Default: 30. */
  pollSeconds?: number;
}

type Update = Awaited<ReturnType<import('grammy').Api['getUpdates']>>[number];

/**
 * A Telegram bot: private chats, and messages in groups that mention it or reply to it. Needs the packages `grammy` and
 * `@grammyjs/auto-retry`.
 *
 * The cursor is the offset of the next update. Telegram keeps updates for 24 hours or until a request confirms them, which this client does
 * after they were returned.
 */
export class TelegramClient extends BaseClient {
  override readonly clientId: string;
  readonly #account: TelegramAccount;
  #stopping = new AbortController();
  #connection: { api: TelegramApi; bot: Bot; outbox: Outbox } | undefined;
  /** Updates that are received and not yet returned. */
  #received: Update[] = [];

  /** @throws Error for an invalid option; no message holds the token */
  constructor({ botToken, apiRoot = 'https://api.telegram.org', pollSeconds = 30 }: TelegramOptions) {
    super();
    this.clientId = `telegram-${telegramBotIdOf(botToken)}`;
    if (!/^https?:\/\//.test(apiRoot) || !URL.canParse(apiRoot))
      throw new Error('apiRoot has to be an address that begins with https:// or http://');
    if (!(pollSeconds >= 1 && pollSeconds <= 50)) throw new Error(`pollSeconds has to be from 1 to 50, and is ${pollSeconds}`);
    this.#account = { botToken, apiRoot: apiRoot.replace(/\/+$/, ''), pollSeconds, clientId: this.clientId };
  }

  override async start(): Promise<void> {
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#received = [];
    const { signal } = this.#stopping;
    const api = new TelegramApi(await loadGrammy(), this.#account);
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
    await this.#connected.outbox.sendReply(ctx, replyText(replyMessages), replyImages(replyMessages));
  }

  override async setTyping(ctx: MessageContext): Promise<void> {
    await this.#connected.outbox.showTyping(ctx);
  }

  override async showPartial(ctx: MessageContext, text: string): Promise<unknown> {
    return this.#connected.outbox.showBeginning(ctx, text);
  }

  override async askApproval(ctx: MessageContext, question: Question): Promise<unknown> {
    return this.#connected.outbox.ask(ctx, question);
  }

  override async endQuestion(ctx: MessageContext, shown: unknown, text: string): Promise<void> {
    await this.#connected.outbox.endQuestion(ctx, shown, text);
  }

  get #connected() {
    if (!this.#connection) throw new Error(`${this.clientId} is not started: call start() first`);
    return this.#connection;
  }

  #poll(signal: AbortSignal, seconds = this.#account.pollSeconds): Promise<Update[]> {
    const payload = {
      ...(typeof this.cursor === 'number' && { offset: this.cursor }),
      timeout: seconds,
      allowed_updates: ['message', 'callback_query'] as const,
    };
    return this.#connected.api.call((raw, end) => raw.getUpdates(payload, end), { signal });
  }

  /** Skips updates that need no answer. Waits until all updates of a message have arrived. */
  async #takeMessage(signal: AbortSignal): Promise<MessageContext | null> {
    for (;;) {
      await this.#completeAlbum(signal);
      const updates = firstTogether(this.#received);
      const last = updates.at(-1);
      if (!last) return null;
      const ctx = await this.#read(updates, signal);
      this.#received.splice(0, updates.length);
      this.cursor = last.update_id + 1;
      if (ctx) return ctx;
    }
  }

  /** Polls with the same offset, which returns the same updates and newer ones. */
  async #completeAlbum(signal: AbortSignal): Promise<void> {
    for (let known = 0; isOpenAlbum(this.#received) && this.#received.length > known; ) {
      known = this.#received.length;
      await pause(ALBUM_MS, signal);
      this.#received = await this.#poll(signal, 0);
    }
  }

  async #read(updates: readonly Update[], signal: AbortSignal): Promise<MessageContext | undefined> {
    const { api, bot } = this.#connected;
    const press = updates[0]?.callback_query;
    if (press) {
      // Not awaited: the answer only ends the button's loading indicator.
      const patience = { signal: this.#stopping.signal, tries: 1 };
      api.call((raw, end) => raw.answerCallbackQuery({ callback_query_id: press.id }, end), patience).catch(() => {});
      return readTelegramPress(press);
    }
    const read = readTelegramMessage(
      updates.flatMap(({ message }) => message ?? []),
      bot,
    );
    return read && withAttachments(read, api, signal);
  }
}
