/** The X client of an agent: receives mentions of an account, sends replies. */

import { BaseClient, RefusedReply } from '../chat/base-client';
import type { Message } from '../chat/message';
import type { MessageContext } from '../chat/message-context';
import { replyImages, replyText } from '../chat/reply';
import { pause } from '../lib/races';
import { XApi, XRefusal } from './x/api';
import { type Mention, type MentionsCursor, readMentions } from './x/mentions';
import type { XCredentials } from './x/oauth';
import { downloadPhotos, uploadImages } from './x/pictures';
import { fitPost } from './x/post-text';

const SEND_TRIES = 5;

export interface XClientOptions {
  /** "API Key" of the app, also called consumer key. */
  apiKey: string;
  /** "API Key Secret". */
  apiSecret: string;
  /** "Access Token" of the account, with read and write permission: digits, a dash, letters. */
  accessToken: string;
  /** "Access Token Secret". */
  accessSecret: string;
  /** Default: `https://api.x.com`. */
  baseUrl?: string | undefined;
  /** Seconds between two polls for mentions, up to 86,400. Each poll counts against X's limits and may cost money. Default: 60. */
  pollSeconds?: number | undefined;
}

/**
 * An account of X as a client. The agent answers each public post that mentions the account, with one reply of at most 280 weighted
 * characters.
 *
 * Makes no network call before `start()`.
 */
export class XClient extends BaseClient {
  override readonly clientId: string;
  readonly #api: XApi;
  readonly #origin: string;
  readonly #pollMs: number;
  readonly #account: { id: string; userName: string };
  #stopping = new AbortController();
  /** Mentions that are read and not yet returned. */
  #mentions: Mention[] = [];
  #nextPollAt = 0;
  /** The time at X, in milliseconds since 1970. */
  #startedAt = 0;

  constructor({ apiKey, apiSecret, accessToken, accessSecret, baseUrl = 'https://api.x.com', pollSeconds = 60 }: XClientOptions) {
    super();
    const credentials = { apiKey, apiSecret, accessToken, accessSecret };
    const userId = checkCredentials(credentials);
    if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
      throw new TypeError('baseUrl must be an address with http or https. Leave it out for https://api.x.com');
    }
    if (!(pollSeconds > 0 && pollSeconds <= 86_400)) throw new TypeError('pollSeconds must be a number above 0, up to 86,400');
    this.clientId = `x-${userId}`;
    this.#api = new XApi(credentials, baseUrl);
    this.#origin = new URL(baseUrl).origin;
    this.#pollMs = pollSeconds * 1000;
    this.#account = { id: userId, userName: '' };
  }

  async start(): Promise<void> {
    this.#stopping = new AbortController();
    this.#mentions = [];
    this.#nextPollAt = 0;
    const { body, at } = await this.#api.send('GET', '/2/users/me', { signal: this.#stopping.signal });
    this.#account.userName = (body.data as { username?: string } | undefined)?.username ?? '';
    this.#startedAt = at;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
  }

  async receiveMessage({ signal }: { signal: AbortSignal }): Promise<MessageContext | null> {
    // The time of the first start is stored before the first poll, so that a crash during the poll loses no later mention.
    if (this.cursor === null) {
      this.cursor = { start_time: new Date(this.#startedAt).toISOString().replace(/\.\d+/, '') } satisfies MentionsCursor;
      return null;
    }
    const ended = AbortSignal.any([signal, this.#stopping.signal]);
    try {
      if (this.#mentions.length === 0) await this.#poll(ended);
      return await this.#nextMessage(ended);
    } catch (error) {
      if (ended.aborted) return null;
      throw error;
    }
  }

  async sendMessage(ctx: MessageContext, replyMessages: readonly Message[]): Promise<void> {
    const request = { signal: this.#stopping.signal, tries: SEND_TRIES };
    const mediaIds = await uploadImages(this.#api, replyImages(replyMessages), request);
    const body = {
      text: fitPost(replyText(replyMessages)),
      reply: { in_reply_to_tweet_id: ctx.messageId },
      ...(mediaIds.length > 0 && { media: { media_ids: mediaIds } }),
    };
    try {
      await this.#api.send('POST', '/2/tweets', { body, ...request });
    } catch (error) {
      if (!(error instanceof XRefusal)) throw error;
      // A duplicate means that an earlier try succeeded and its answer was lost: X refuses equal texts.
      if (!error.isDuplicate) throw new RefusedReply(error.message);
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    await pause(Math.max(0, this.#nextPollAt - performance.now()), signal);
    this.#nextPollAt = performance.now() + this.#pollMs;
    this.#mentions = await readMentions(this.#api, this.#account, this.cursor as MentionsCursor, signal);
  }

  /** The cursor advances with each returned mention, so a restart reads the others again. */
  async #nextMessage(signal: AbortSignal): Promise<MessageContext | null> {
    for (let mention = this.#mentions[0]; mention; mention = this.#mentions[0]) {
      const { id, ctx, isForUs, photos } = mention;
      const images = isForUs ? await downloadPhotos(photos, this.#origin, signal) : [];
      this.#mentions.shift();
      this.cursor = { since_id: id } satisfies MentionsCursor;
      if (isForUs) return { ...ctx, ...(images.length > 0 && { images }) };
    }
    return null;
  }
}

/** @returns the account's id */
function checkCredentials(credentials: XCredentials): string {
  const wrong = Object.entries(credentials).find(([, value]) => typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value));
  if (wrong) {
    throw new TypeError(`${wrong[0]} must be a text without spaces. Copy it from the developer portal of X, "Keys and tokens"`);
  }
  const [, userId] = /^(\d+)-./.exec(credentials.accessToken) ?? [];
  if (userId === undefined) {
    throw new TypeError(
      'accessToken must be digits, a dash and letters: the "Access Token" of OAuth 1.0a. A bearer token or a token of OAuth 2.0 does not work. ' +
        'Make one in the developer portal of X, "Keys and tokens"',
    );
  }
  return userId;
}
