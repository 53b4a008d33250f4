/**
 * Discord on loopback: REST API, gateway and CDN on one port.
 *
 * Source: https://discord.com/developers/docs/reference
 */
import { readImageDataUrl } from '../chat/images';
import { DiscordApiRefusal, FakeChannels, type NewMessage } from './discord/channels';
import { FakeGateway } from './discord/gateway';
import type { FakeFault, FakeMessage, FakePlatform, FakePress } from './fake-platform';
import { type FakeAnswer, type FakeRequest, startFakeServer } from './fake-server';

const BOT_ID = '1100000000000000001';
const TOKEN = `${Buffer.from(BOT_ID).toString('base64url')}.GFake1.FakeTokenOfDiscordOnLoopback-0123`;
const DEFAULT_CHANNEL = '1200000000000000001';
const DEFAULT_USER = '1250000000000000001';
const GUILD_ID = '1150000000000000001';
const BOT = { id: BOT_ID, username: 'svc', discriminator: '0', global_name: null, avatar: null, bot: true };

const NO_CONTENT: FakeAnswer = { status: 204, headers: { 'content-type': 'text/html' }, body: undefined };

const MESSAGES: Record<number, [code: number, message: string]> = {
  400: [50035, 'Invalid Form Body'],
  401: [0, '401: Unauthorized'],
  403: [50007, 'Cannot send messages to this user'],
  404: [10003, 'Unknown Channel'],
};

export interface FakeDiscordMessage extends FakeMessage {
  /** True for a reply to a message of the bot. */
  isReply?: boolean;
  /** True for a message of another bot. */
  isBot?: boolean;
  /** The message's type. People write types 0 and 19. */
  type?: number;
  /** The reported size of each image. Default: the real size. */
  imageBytes?: number;
}

export interface FakeDiscord extends FakePlatform {
  say(message: FakeDiscordMessage): Promise<string>;
  /** The text that mentions the bot. */
  readonly mention: string;
  /** Events of the gateway: `identify <intents>`, `resume <sequence>`, `left <close code>`; `hangs` and `hung up` for a held handshake. */
  readonly gatewayLog: readonly string[];
  readonly heartbeats: number;
  /** Limits the sessions that the bot may open, and sets the wait when none is left. */
  limitSessions(limit: { remaining: number; resetMs: number }): void;
  /** Bodies of the bot's requests to send and edit messages. */
  readonly bodies: readonly object[];
  /** Deletes the bot's newest message. */
  deleteNewest(): void;
  /** Options of a `DiscordClient` that this platform accepts. */
  readonly clientOptions: { botToken: string; apiUrl: string };
  /** Options of a `DiscordClient` that this platform refuses. */
  readonly wrongCredentials: { botToken: string; apiUrl: string };
}

export async function startFakeDiscord({ port, heartbeatMs = 500 }: { port?: number; heartbeatMs?: number } = {}): Promise<FakeDiscord> {
  const rest = new FakeRest();
  const server = await startFakeServer(rest, port);
  const { http, faults, origin } = server;
  const gateway = new FakeGateway({ http, faults, token: TOKEN, user: BOT, heartbeatMs, origin });
  rest.connect(gateway, origin);
  const apiUrl = `${origin}/api/v10`;
  return {
    origin,
    secret: TOKEN,
    mention: `<@${BOT_ID}>`,
    clientOptions: { botToken: TOKEN, apiUrl },
    wrongCredentials: { botToken: TOKEN.replace('Fake', 'Wrong'), apiUrl },
    gatewayLog: gateway.log,
    bodies: rest.bodies,
    requests: server.requests,
    get sent() {
      return rest.sent;
    },
    get heartbeats() {
      return gateway.heartbeats;
    },
    limitSessions(limit) {
      rest.sessionLimit = limit;
    },
    say: (message) => rest.say(message),
    press: (press) => rest.press(press),
    deleteNewest: () => rest.deleteNewest(),
    fault(fault) {
      faults.add(fault);
      gateway.applyFaults();
    },
    close() {
      gateway.close();
      return server.close();
    },
  };
}

class FakeRest {
  readonly bodies: object[] = [];
  sessionLimit = { remaining: 999, resetMs: 0 };
  readonly #channels = new FakeChannels();
  readonly #files = new Map<string, Uint8Array>();
  readonly #presses = new Set<string>();
  readonly #lastSaid = new Map<string, { userId: string; isPrivate: boolean }>();
  #gateway: FakeGateway | undefined;
  #origin = '';

  connect(gateway: FakeGateway, origin: string): void {
    this.#gateway = gateway;
    this.#origin = origin;
  }

  get sent() {
    return this.#channels.sent;
  }

  deleteNewest(): void {
    this.#channels.delete();
  }

  faulted(): void {
    this.#gateway?.applyFaults();
  }

  async say(said: FakeDiscordMessage): Promise<string> {
    const { text, chatId = DEFAULT_CHANNEL, userId = DEFAULT_USER, userName = 'Ada', isPrivate = true, isReply = false, twice } = said;
    const id = said.messageId ?? this.#channels.newId();
    this.#channels.open(chatId);
    this.#lastSaid.set(chatId, { userId, isPrivate });
    // A bot without the privileged intent receives the text only of messages for the bot.
    const isReadable = isPrivate || isReply || text.includes(`<@${BOT_ID}>`);
    const message = {
      id,
      channel_id: chatId,
      type: said.type ?? (isReply ? 19 : 0),
      author: { ...toUser(userId, userName), ...(said.isBot && { bot: true }) },
      content: isReadable ? text : '',
      mentions: isReply || text.includes(`<@${BOT_ID}>`) ? [BOT] : [],
      attachments: isReadable ? (said.images ?? []).map((url, index) => this.#keepFile(`${id}/${index}`, url, said.imageBytes)) : [],
      ...(isReply && { referenced_message: { id: '1', author: BOT } }),
      ...(!isPrivate && { guild_id: GUILD_ID, member: { nick: null } }),
    };
    for (let copies = twice ? 2 : 1; copies > 0; copies -= 1) this.#gateway?.dispatch('MESSAGE_CREATE', message);
    return id;
  }

  async press({ chatId, userId, button }: FakePress): Promise<void> {
    const { id: questionMessage, buttons } = this.#channels.newestQuestion(chatId);
    const { userId: writer, isPrivate } = this.#lastSaid.get(chatId) ?? { userId: DEFAULT_USER, isPrivate: true };
    const id = this.#channels.newId();
    const token = `interaction-token-${id}`;
    this.#presses.add(`${id}/${token}`);
    const user = toUser(userId ?? writer, 'Ada');
    this.#gateway?.dispatch('INTERACTION_CREATE', {
      id,
      application_id: BOT_ID,
      type: 3,
      token,
      channel_id: chatId,
      channel: { id: chatId },
      data: { component_type: 2, custom_id: buttons[button === 'yes' ? 0 : 1]?.custom_id },
      message: { id: questionMessage },
      ...(isPrivate ? { user } : { guild_id: GUILD_ID, member: { user, nick: null } }),
    });
  }

  async answer(request: FakeRequest): Promise<FakeAnswer> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof DiscordApiRefusal) return error.toAnswer();
      throw error;
    }
  }

  refuse(status: number, { retryAfter }: FakeFault): FakeAnswer {
    if (status === 429) {
      const headers = { 'retry-after': String(retryAfter ?? 1), 'x-ratelimit-scope': 'user' };
      return { status, headers, body: { message: 'You are being rate limited.', retry_after: retryAfter ?? 1, global: false } };
    }
    const [code, message] = MESSAGES[status] ?? [0, 'Internal Server Error'];
    return new DiscordApiRefusal(status, code, message).toAnswer();
  }

  async #answer({ method, path, headers, body }: FakeRequest): Promise<FakeAnswer> {
    const file = this.#files.get(path);
    if (file) return { body: file };
    const [, callback] = /^\/api\/v10\/interactions\/([^/]+\/[^/]+)\/callback$/.exec(path) ?? [];
    if (callback !== undefined) return this.#endPress(callback);
    if (headers.authorization !== `Bot ${TOKEN}`) throw new DiscordApiRefusal(401, 0, '401: Unauthorized');
    if (path === '/api/v10/gateway/bot') return { body: this.#gatewayBot() };
    const [, channelId = '', what, messageId = ''] = /^\/api\/v10\/channels\/([^/]+)\/(messages|typing)\/?(\d*)$/.exec(path) ?? [];
    if (method === 'POST' && what === 'typing') {
      this.#channels.check(channelId);
      return NO_CONTENT;
    }
    if (what !== 'messages') throw new DiscordApiRefusal(404, 0, '404: Not Found');
    const { message, files } = await readForm(body, headers['content-type'] ?? '');
    this.bodies.push(message);
    if (method === 'PATCH') return { body: this.#channels.edit(channelId, messageId, message, files) };
    return { body: this.#channels.create(channelId, message, files) };
  }

  #gatewayBot(): object {
    const { remaining, resetMs } = this.sessionLimit;
    const limit = { total: 1000, remaining, reset_after: resetMs, max_concurrency: 1 };
    return { url: this.#gateway?.url, shards: 1, session_start_limit: limit };
  }

  #endPress(press: string): FakeAnswer {
    if (!this.#presses.delete(press)) throw new DiscordApiRefusal(404, 10062, 'Unknown interaction');
    return NO_CONTENT;
  }

  #keepFile(id: string, url: string, namedBytes?: number): object {
    const image = readImageDataUrl(url);
    const bytes = image?.bytes ?? Buffer.from(url);
    const path = `/cdn/attachments/${id}`;
    this.#files.set(path, bytes);
    return { id, filename: 'image.png', size: namedBytes ?? bytes.length, url: `${this.#origin}${path}`, content_type: image?.mediaType };
  }
}

function toUser(id: string, name: string): object {
  return { id, username: name.toLowerCase(), global_name: name, discriminator: '0', avatar: null };
}

async function readForm(body: Buffer, contentType: string): Promise<{ message: NewMessage; files: number }> {
  if (!contentType.startsWith('multipart/')) return { message: JSON.parse(body.toString() || '{}'), files: 0 };
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  const files = [...form.keys()].filter((name) => name.startsWith('files['));
  return { message: JSON.parse(String(form.get('payload_json'))), files: files.length };
}
