/** A small platform of a test's own, a board with posts and replies, and its client. */
import { setTimeout as sleep } from 'node:timers/promises';
import { BaseClient, type Message, type MessageContext, type Question, RefusedReply, replyText, split } from 'svc-sdk/agent';
import type { FakeMessage, FakePlatform, FakePress, SentMessage } from 'svc-sdk/agent/testing';
import { type FakeAnswer, type FakeRequest, startFakeServer } from '../../src/agent/testing/fake-server';

const TOKEN = '17.board-token-on-loopback';
const MAX_TEXT = 500;
const RETRY_MS = 20;
const POLL_MS = 10;

export interface BoardOptions {
  token: string;
  origin: string;
}

export interface Board extends FakePlatform {
  readonly clientOptions: BoardOptions;
  readonly wrongCredentials: BoardOptions;
}

export async function startBoard(): Promise<Board> {
  const routes = new BoardRoutes();
  const server = await startFakeServer(routes);
  const { origin, requests, faults } = server;
  return {
    origin,
    secret: TOKEN,
    clientOptions: { token: TOKEN, origin },
    wrongCredentials: { token: TOKEN.replace('board', 'wrong'), origin },
    requests,
    get sent() {
      return routes.sent;
    },
    say: (message) => routes.say(message),
    press: (press) => routes.press(press),
    fault: (fault) => faults.add(fault),
    close: () => server.close(),
  };
}

/** A post with `pressed` is the press of a button. Numbers rise. */
export interface Post {
  number: number;
  id: string;
  chat: string;
  user: string;
  text: string;
  pressed?: string;
}

interface Reply {
  chat: string;
  text: string;
  /** Data of the buttons, which a press sends. */
  buttons?: string[];
}

class BoardRoutes {
  readonly #posts: Post[] = [];
  readonly #replies: Reply[] = [];

  get sent(): SentMessage[] {
    return this.#replies.map(({ chat, text, buttons }) => ({ chatId: chat, text, ...(buttons && { buttons }) }));
  }

  async say({ text, chatId = '1', userId = '2', twice, messageId }: FakeMessage): Promise<string> {
    const id = messageId ?? `post-${this.#posts.length + 1}`;
    for (let copies = twice ? 2 : 1; copies > 0; copies -= 1) this.#add({ id, chat: chatId, user: userId, text });
    return id;
  }

  async press({ chatId, userId = '2', button }: FakePress): Promise<void> {
    const question = this.#replies.findLast(({ chat, buttons }) => chat === chatId && buttons);
    const pressed = question?.buttons?.[button === 'yes' ? 0 : 1] ?? '';
    this.#add({ id: `press-${this.#posts.length + 1}`, chat: chatId, user: userId, text: '', pressed });
  }

  answer({ method, path, query, headers, body }: FakeRequest): FakeAnswer {
    if (headers.authorization !== `Bearer ${TOKEN}`) return this.refuse(401);
    const [, number] = /^\/replies\/(\d+)$/.exec(path) ?? [];
    if (path === '/posts') return { body: this.#posts.filter((post) => post.number > Number(query.get('after'))) };
    if (path !== '/replies' && number === undefined) return { body: {} };
    const reply = JSON.parse(body.toString()) as Reply;
    if (reply.text.length > MAX_TEXT) return this.refuse(400);
    const index = method === 'PUT' ? Number(number) : this.#replies.length;
    this.#replies[index] = reply;
    return { body: { number: index } };
  }

  refuse(status: number): FakeAnswer {
    return { status, body: { problem: `The board answers ${status}` } };
  }

  #add(post: Omit<Post, 'number'>): void {
    this.#posts.push({ ...post, number: this.#posts.length + 1 });
  }
}

interface BoardRequest {
  signal?: AbortSignal;
  body?: Reply;
}

export class BoardClient extends BaseClient {
  readonly clientId: string;
  readonly #options: BoardOptions;
  protected received: Post[] = [];
  protected stopping = new AbortController();

  constructor(options: BoardOptions) {
    super();
    this.#options = options;
    this.clientId = `board-${options.token.split('.', 1)[0]}`;
  }

  async start(): Promise<void> {
    this.stopping = new AbortController();
    this.received = [];
    await this.request('GET', '/account');
  }

  async stop(): Promise<void> {
    this.stopping.abort();
  }

  async receiveMessage({ signal }: { signal: AbortSignal }): Promise<MessageContext | null> {
    const ended = AbortSignal.any([signal, this.stopping.signal]);
    try {
      while (this.received.length === 0) {
        this.received = await this.poll(ended);
        if (this.received.length === 0) await sleep(POLL_MS, undefined, { signal: ended });
      }
    } catch (error) {
      if (ended.aborted) return null;
      throw error;
    }
    const post = this.received.shift() as Post;
    this.cursor = post.number;
    return this.toContext(post);
  }

  async sendMessage({ chatId, partial }: MessageContext, replyMessages: readonly Message[]): Promise<void> {
    const [first = '', ...others] = this.toPieces(replyText(replyMessages));
    await this.show(chatId, first, partial);
    for (const text of others) await this.show(chatId, text);
  }

  override async askApproval({ chatId }: MessageContext, { id, text }: Question): Promise<unknown> {
    return this.request('POST', '/replies', { body: { chat: chatId, text, buttons: [`yes ${id}`, `no ${id}`] } });
  }

  override async endQuestion({ chatId }: MessageContext, shown: unknown, text: string): Promise<void> {
    await this.show(chatId, text, shown);
  }

  override async showPartial({ chatId, partial }: MessageContext, text: string): Promise<unknown> {
    return this.show(chatId, text, partial);
  }

  protected poll(signal: AbortSignal): Promise<Post[]> {
    return this.request('GET', `/posts?after=${this.cursor ?? 0}`, { signal }) as Promise<Post[]>;
  }

  protected toContext({ id, chat, user, text, pressed }: Post): MessageContext {
    const [word, questionId = ''] = pressed?.split(' ') ?? [];
    const answer = pressed !== undefined && { answer: { questionId, approved: word === 'yes' } };
    return { chatId: chat, userId: user, message: text, messageId: id, ...answer };
  }

  protected toPieces(text: string): string[] {
    return split(text, MAX_TEXT);
  }

  protected async show(chat: string, text: string, shown?: unknown): Promise<unknown> {
    const { number } = (shown ?? {}) as { number?: number };
    if (number === undefined) return this.request('POST', '/replies', { body: { chat, text } });
    return this.request('PUT', `/replies/${number}`, { body: { chat, text } });
  }

  /** Tries again until the board answers. */
  protected async request(method: string, path: string, request: BoardRequest = {}): Promise<unknown> {
    for (;;) {
      const outcome = await this.requestOnce(method, path, request);
      if (outcome !== undefined) return outcome;
      await sleep(RETRY_MS, undefined, { signal: this.stopping.signal });
    }
  }

  /** Undefined if another try may succeed. */
  protected async requestOnce(method: string, path: string, { signal = this.stopping.signal, body }: BoardRequest): Promise<unknown> {
    const { origin, token } = this.#options;
    const sent = { method, headers: { authorization: `Bearer ${token}` }, signal, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${origin}${path}`, sent).catch((error: unknown) => {
      signal.throwIfAborted();
      return error;
    });
    if (!(response instanceof Response)) return undefined;
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    return this.refused(response.status, path);
  }

  protected refused(status: number, path: string): undefined {
    if (status === 429 || status >= 500) return undefined;
    if (status === 401) throw new Error('The board refuses the token: copy it again');
    if (path.startsWith('/replies')) throw new RefusedReply(`The board refuses a reply: ${status}`);
    throw new Error(`The board refuses ${path}: ${status}`);
  }
}
