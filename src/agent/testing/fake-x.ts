/**
 * The API of X, version 2, on loopback: mentions, replies, images, and a check of signatures.
 *
 * Source: https://docs.x.com/x-api
 */
import type { FakePlatform } from './fake-platform';
import { type FakeAnswer, type FakeRequest, startFakeServer } from './fake-server';
import { type FakeXMessage, Posts } from './x/posts';
import { titleOf, XProblem } from './x/problem';
import { Replies } from './x/replies';
import { Signatures } from './x/signatures';

const ACCOUNT = { id: '7000000003', userName: 'svc_fake' };
const CREDENTIALS = {
  apiKey: 'FakeApiKeyOfXOnLoopback',
  apiSecret: 'fakeApiSecretOfXOnLoopback0123456789abcdefghijklmn',
  accessToken: `${ACCOUNT.id}-FakeAccessTokenOfXOnLoopback0123456789`,
  accessSecret: 'fakeAccessSecretOfXOnLoopback0123456789abcdef',
};

/** Options of an `XClient` that polls every 20 milliseconds. */
type FakeXOptions = typeof CREDENTIALS & { baseUrl: string; pollSeconds: number };

export interface FakeX extends FakePlatform {
  say(message: FakeXMessage): Promise<string>;
  /** The account's name, without `@`. Added at the start of a text that does not mention the account. */
  readonly botName: string;
  readonly clientOptions: FakeXOptions;
  /** Options of a client that X refuses. */
  readonly wrongCredentials: FakeXOptions;
}

/** @param options `pageSize`: mentions in one answer, at most; default: 100, as X */
export async function startFakeX({ port, pageSize = 100 }: { port?: number; pageSize?: number } = {}): Promise<FakeX> {
  const account = new FakeAccount(pageSize);
  const server = await startFakeServer(account, port);
  const clientOptions = { ...CREDENTIALS, baseUrl: server.origin, pollSeconds: 0.02 };
  return {
    origin: server.origin,
    secret: CREDENTIALS.accessToken,
    botName: ACCOUNT.userName,
    clientOptions,
    wrongCredentials: { ...clientOptions, accessSecret: 'wrongAccessSecretOfXOnLoopback' },
    say: (message) => account.say(message),
    press: () => account.press(),
    get sent() {
      return account.sent;
    },
    fault: (fault) => server.faults.add(fault),
    requests: server.requests,
    close: () => server.close(),
  };
}

class FakeAccount {
  readonly #signatures = new Signatures(CREDENTIALS);
  readonly #posts: Posts;
  readonly #replies: Replies;

  constructor(pageSize: number) {
    this.#posts = new Posts(ACCOUNT, pageSize);
    this.#replies = new Replies(this.#posts);
  }

  get sent() {
    return this.#replies.sent;
  }

  async say(message: FakeXMessage): Promise<string> {
    return this.#posts.write(message);
  }

  async press(): Promise<void> {
    throw new Error('X has no buttons: answer a question with say');
  }

  async answer(request: FakeRequest): Promise<FakeAnswer> {
    try {
      const [, photo] = /^\/photos\/(\w+)$/.exec(request.path) ?? [];
      if (photo) return this.#photo(photo, request);
      this.#signatures.check(request);
      return await this.#run(request);
    } catch (error) {
      if (error instanceof XProblem) return error.toAnswer();
      throw error;
    }
  }

  refuse(status: number, { retryAfter = 0 }: { retryAfter?: number }): FakeAnswer {
    const reset = Math.ceil(Date.now() / 1000) + retryAfter;
    return new XProblem(status, titleOf(status), status === 429 ? { 'x-rate-limit-reset': String(reset) } : {}).toAnswer();
  }

  async #run(request: FakeRequest): Promise<FakeAnswer> {
    const { method, path, query, headers, body } = request;
    switch (`${method} ${path}`) {
      case 'GET /2/users/me':
        return { body: { data: { id: ACCOUNT.id, name: ACCOUNT.userName, username: ACCOUNT.userName } } };
      case `GET /2/users/${ACCOUNT.id}/mentions`:
        return { body: this.#posts.list(query, `http://${headers.host}`) };
      case 'POST /2/tweets':
        return { status: 201, body: this.#replies.create(body) };
      case 'POST /2/media/upload':
        return { body: await this.#replies.upload(request) };
      default:
        throw new XProblem(404, `Could not find ${path}`);
    }
  }

  /** Pictures are public. A request with a credential is refused, to detect leaks. */
  #photo(key: string, { headers }: FakeRequest): FakeAnswer {
    const photo = this.#posts.photo(key);
    if (headers.authorization !== undefined) throw new XProblem(400, 'Pictures take no credentials');
    if (!photo) throw new XProblem(404, 'Not Found');
    return { headers: { 'content-type': photo.mediaType }, body: photo.bytes };
  }
}
