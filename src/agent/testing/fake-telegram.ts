/**
 * Telegram's Bot API on loopback.
 *
 * Source: https://core.telegram.org/bots/api
 */
import type { FakePlatform, FakePress } from './fake-platform';
import { type FakeAnswer, type FakeRequest, startFakeServer } from './fake-server';
import { Chats } from './telegram/chats';
import { type Payload, readPayload } from './telegram/payload';
import { TelegramRefusal } from './telegram/refusal';
import { type FakeTelegramMessage, toPictures, toSaid, toUser } from './telegram/said';
import { Updates } from './telegram/updates';

const TOKEN = '7000000001:AAFakeTokenOfTelegramOnLoopback-0123';
const BOT = { id: 7_000_000_001, is_bot: true, first_name: 'Svc', username: 'svc_fake_bot' };
const DEFAULT_CHAT = '1001';

const DESCRIPTIONS: Record<number, string> = {
  400: 'Bad Request: chat not found',
  401: 'Unauthorized',
  403: 'Forbidden: bot was blocked by the user',
  404: 'Not Found',
  409: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  429: 'Too Many Requests: retry later',
};

export interface FakeTelegram extends FakePlatform {
  say(message: FakeTelegramMessage): Promise<string>;
  /** The bot's name, which groups mention with `@`. */
  readonly botName: string;
  /** Parameters of the bot's requests to send and edit messages. */
  readonly bodies: readonly object[];
  /** Deletes the bot's newest message. */
  deleteNewest(): void;
  /** Turns a group into a supergroup with a new id. */
  upgradeGroup(chatId: string, newChatId: string): void;
  /** Options of a `TelegramClient` that this platform accepts. */
  readonly clientOptions: { botToken: string; apiRoot: string };
  /** Options of a `TelegramClient` that this platform refuses. */
  readonly wrongCredentials: { botToken: string; apiRoot: string };
}

export async function startFakeTelegram({ port }: { port?: number } = {}): Promise<FakeTelegram> {
  const bot = new FakeBot();
  const server = await startFakeServer(bot, port);
  const apiRoot = server.origin;
  return {
    origin: server.origin,
    secret: TOKEN,
    botName: BOT.username,
    clientOptions: { botToken: TOKEN, apiRoot },
    wrongCredentials: { botToken: TOKEN.replace('Fake', 'Wrong'), apiRoot },
    say: (message) => bot.say(message),
    press: (press) => bot.press(press),
    get sent() {
      return bot.sent;
    },
    bodies: bot.bodies,
    deleteNewest: () => bot.deleteNewest(),
    upgradeGroup: (chatId, newChatId) => bot.upgradeGroup(chatId, newChatId),
    fault: (fault) => server.faults.add(fault),
    requests: server.requests,
    close: () => server.close(),
  };
}

class FakeBot {
  readonly bodies: object[] = [];
  readonly #updates = new Updates();
  readonly #chats = new Chats();
  readonly #files: Uint8Array[] = [];
  readonly #lastWriters = new Map<string, string>();
  readonly #presses = new Set<string>();
  #webhook = '';

  get sent() {
    return this.#chats.sent;
  }

  async say(message: FakeTelegramMessage): Promise<string> {
    const { chatId = DEFAULT_CHAT, userId = message.isPrivate === false ? '2001' : chatId, update = 'message' } = message;
    const given = this.#chats.open(chatId);
    const first = Number(message.messageId ?? given);
    const pictures = toPictures(message, (bytes) => `file-${this.#files.push(bytes) - 1}`);
    const members = { ...(pictures.length > 1 && { media_group_id: `album-${first}` }), ...message.members };
    this.#lastWriters.set(chatId, userId);
    for (const [index, picture] of (pictures.length > 0 ? pictures : [undefined]).entries()) {
      const id = index === 0 ? first : this.#chats.open(chatId);
      const said = toSaid({ ...message, members, userId, text: index === 0 ? message.text : '' }, { id, chatId, picture, bot: BOT });
      for (let copies = message.twice ? 2 : 1; copies > 0; copies -= 1) this.#updates.push({ [update]: said });
    }
    return String(first);
  }

  async press({ chatId, userId = this.#lastWriters.get(chatId) ?? chatId, button }: FakePress): Promise<void> {
    const { message, buttons } = this.#chats.newestQuestion(chatId);
    const id = `press-${this.#presses.size + 1}`;
    this.#presses.add(id);
    const data = buttons[button === 'yes' ? 0 : 1]?.callback_data;
    this.#updates.push({ callback_query: { id, from: toUser(userId), message, chat_instance: '1', data } });
  }

  deleteNewest(): void {
    this.#chats.deleteNewest();
  }

  upgradeGroup(chatId: string, newChatId: string): void {
    this.#chats.upgrade(chatId, newChatId);
  }

  async answer(request: FakeRequest): Promise<FakeAnswer> {
    try {
      const [, file, token, name = ''] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(request.path) ?? [];
      if (token !== TOKEN) throw new TelegramRefusal(401, 'Unauthorized');
      if (file) return { body: this.#fileAt(name) };
      return { body: { ok: true, result: await this.#run(name, readPayload(request), request.signal) } };
    } catch (error) {
      if (error instanceof TelegramRefusal) return error.toAnswer();
      throw error;
    }
  }

  refuse(status: number, { retryAfter }: { retryAfter?: number }): FakeAnswer {
    const words = DESCRIPTIONS[status] ?? 'Internal Server Error';
    return new TelegramRefusal(status, words, retryAfter === undefined ? undefined : { retry_after: retryAfter }).toAnswer();
  }

  #run(method: string, payload: Payload, signal: AbortSignal): unknown {
    if (/^(send|edit)Message/.test(method)) this.bodies.push(payload);
    const methods: Record<string, () => unknown> = {
      getMe: () => BOT,
      setWebhook: () => this.#setWebhook(String(payload.url)),
      deleteWebhook: () => this.#setWebhook(''),
      getUpdates: () => this.#getUpdates(payload, signal),
      sendMessage: () => this.#chats.show(payload),
      sendPhoto: () => this.#chats.show(payload, countImage(payload.photo)),
      sendDocument: () => this.#chats.show(payload, countImage(payload.document)),
      editMessageText: () => this.#chats.edit(payload),
      sendChatAction: () => true,
      answerCallbackQuery: () => this.#endPress(String(payload.callback_query_id)),
      getFile: () => this.#getFile(String(payload.file_id)),
    };
    const run = methods[method];
    if (!run) throw new TelegramRefusal(404, 'Not Found');
    return run();
  }

  #setWebhook(url: string): boolean {
    this.#webhook = url;
    return true;
  }

  #getUpdates({ allowed_updates, ...payload }: Payload, signal: AbortSignal): Promise<object[]> {
    if (this.#webhook) {
      throw new TelegramRefusal(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    }
    return this.#updates.get({ ...payload, ...(allowed_updates !== undefined && { allowed: allowed_updates as string[] }) }, signal);
  }

  #endPress(id: string): boolean {
    if (!this.#presses.has(id)) {
      throw new TelegramRefusal(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid');
    }
    return true;
  }

  #getFile(id: string): object {
    const bytes = this.#files[Number(/^file-(\d+)$/.exec(id)?.[1])];
    if (!bytes) throw new TelegramRefusal(400, 'Bad Request: wrong file_id or the file is temporarily unavailable');
    return { file_id: id, file_unique_id: id, file_size: bytes.length, file_path: `photos/${id}.jpg` };
  }

  #fileAt(path: string): Uint8Array {
    const bytes = this.#files[Number(/^photos\/file-(\d+)\.jpg$/.exec(path)?.[1])];
    if (!bytes) throw new TelegramRefusal(404, 'Not Found');
    return bytes;
  }
}

function countImage(file: unknown): number {
  if (!(file instanceof Uint8Array) || file.length === 0) throw new TelegramRefusal(400, 'Bad Request: there is no photo in the request');
  return 1;
}
