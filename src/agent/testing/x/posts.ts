/**
 * Posts that mention the account, in X's form, and the pages of their list.
 *
 * Errors: XProblem 400 for parameters that X refuses.
 * Source: docs.x.com, "Get mentions".
 */
import { readImageDataUrl } from '../../chat/images';
import type { FakeMessage } from '../fake-platform';
import { XProblem } from './problem';

const MAX_PAGES_POSTS = 800;
const MAX_SHORT_TEXT = 280;

export interface FakeXMessage extends FakeMessage {
  /** The allowed repliers. Default: `everyone`. */
  replySettings?: 'everyone' | 'mentionedUsers' | 'following' | 'subscribers';
  /** The reference to another post. Default: none. */
  kind?: 'replied_to' | 'quoted' | 'retweeted';
  /** Time of the post, in milliseconds since 1970. Default: now. */
  at?: number;
}

export interface FakePhoto {
  bytes: Uint8Array;
  mediaType: string;
}

interface Post {
  id: string;
  text: string;
  chatId: string;
  userId: string;
  userName: string;
  replySettings: string;
  kind: FakeXMessage['kind'];
  at: number;
  /** Keys of media. */
  photos: string[];
}

interface Account {
  id: string;
  userName: string;
}

export class Posts {
  readonly #account: Account;
  readonly #pageSize: number;
  readonly #posts: Post[] = [];
  readonly #restOfPages = new Map<string, Post[]>();
  readonly #photos = new Map<string, FakePhoto>();
  #newestId = 1_900_000_000_000_000_000n;

  constructor(account: Account, pageSize: number) {
    this.#account = account;
    this.#pageSize = pageSize;
  }

  write(message: FakeXMessage): string {
    const { text, chatId = '1800000000000000001', userId = '2001', userName = 'ada', images = [] } = message;
    const { messageId: id = String(this.#newestId + 1n), replySettings = 'everyone', kind, at = Date.now(), twice } = message;
    if (!/^\d+$/.test(id)) throw new Error(`Ids of X are digits, not ${JSON.stringify(id)}`);
    if (BigInt(id) > this.#newestId) this.#newestId = BigInt(id);
    const ours = `@${this.#account.userName}`;
    const photos = images.map((image) => this.#keep(image));
    const post = {
      id,
      text: text.includes(ours) ? text : `${ours} ${text}`,
      chatId,
      userId,
      userName,
      replySettings,
      kind,
      at,
      photos,
    };
    this.#posts.push(post, ...(twice ? [post] : []));
    return id;
  }

  find(id: unknown): { chatId: string } | undefined {
    return this.#posts.find((post) => post.id === id);
  }

  photo(key: string): FakePhoto | undefined {
    return this.#photos.get(key);
  }

  /** The answer to a request for mentions, newest first. */
  list(query: URLSearchParams, origin: string): object {
    const size = Number(query.get('max_results') ?? 10);
    if (!(size >= 5 && size <= 100)) throw invalid('max_results', 'is not between 5 and 100');
    const rest = this.#listed(query);
    const page = rest.slice(0, Math.min(size, this.#pageSize));
    const left = rest.slice(page.length);
    const token = left.length > 0 ? `page-${this.#restOfPages.size + 1}` : undefined;
    if (token) this.#restOfPages.set(token, left);
    if (page.length === 0) return { meta: { result_count: 0 } };
    return {
      data: page.map((post) => toPost(post, fieldsOf(query, 'tweet.fields'))),
      includes: this.#included(page, fieldsOf(query, 'expansions'), origin),
      meta: { result_count: page.length, newest_id: page[0]?.id, oldest_id: page.at(-1)?.id, ...(token && { next_token: token }) },
    };
  }

  #listed(query: URLSearchParams): Post[] {
    const token = query.get('pagination_token');
    if (token !== null) {
      const rest = this.#restOfPages.get(token);
      if (!rest) throw invalid('pagination_token', 'is unknown');
      return rest;
    }
    const [sinceId, startTime] = [query.get('since_id'), query.get('start_time')];
    if (sinceId !== null && !/^\d{1,19}$/.test(sinceId)) throw invalid('since_id', 'is not an id');
    if (startTime !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(startTime))
      throw invalid('start_time', 'is not YYYY-MM-DDTHH:mm:ssZ');
    if (startTime !== null && Date.parse(startTime) > Date.now()) throw invalid('start_time', 'is in the future');
    return this.#posts
      .filter(({ id, at }) => (sinceId === null ? startTime === null || at >= Date.parse(startTime) : BigInt(id) > BigInt(sinceId)))
      .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
      .slice(0, MAX_PAGES_POSTS);
  }

  #keep(image: string): string {
    const photo = readImageDataUrl(image);
    if (!photo) throw new Error('Send images as data URLs of PNG, JPEG, GIF or WebP');
    const key = `3_${this.#photos.size + 1}`;
    this.#photos.set(key, photo);
    return key;
  }

  #included(page: Post[], expansions: string[], origin: string): object {
    const users = new Map(page.map(({ userId, userName }) => [userId, { id: userId, name: userName, username: userName }]));
    const media = page.flatMap(({ photos }) => photos).map((key) => ({ media_key: key, type: 'photo', url: `${origin}/photos/${key}` }));
    return {
      ...(expansions.includes('author_id') && { users: [...users.values()] }),
      ...(expansions.includes('attachments.media_keys') && media.length > 0 && { media }),
    };
  }
}

/** X shortens links, escapes three characters, and cuts the text of a long post. */
function toPost(post: Post, fields: string[]): object {
  const { id, chatId, userId, replySettings, kind, photos } = post;
  const { text, urls } = shortenLinks(post);
  const escaped = text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? character);
  const isLong = text.length > MAX_SHORT_TEXT;
  const entities = urls.length > 0 && { entities: { urls } };
  const optional: Record<string, unknown> = {
    author_id: userId,
    conversation_id: chatId,
    reply_settings: replySettings,
    ...(isLong ? { note_tweet: { text: escaped, ...entities } } : entities),
    ...(photos.length > 0 && { attachments: { media_keys: photos } }),
    ...(kind && { referenced_tweets: [{ type: kind, id: '1700000000000000001' }] }),
  };
  const chosen = Object.entries(optional).filter(([name]) => fields.includes(name));
  return {
    id,
    text: isLong ? `${escaped.slice(0, MAX_SHORT_TEXT - 1)}…` : escaped,
    edit_history_tweet_ids: [id],
    ...Object.fromEntries(chosen),
  };
}

/** Replaces each link by one of 23 characters, and adds a link to the photos at the end of a post with photos. */
function shortenLinks({ id, text, photos }: Post): { text: string; urls: { url: string; expanded_url: string; media_key?: string }[] } {
  const urls: { url: string; expanded_url: string; media_key?: string }[] = [];
  const shorten = (full: string, media?: { media_key: string }) => {
    const url = `https://t.co/${String(urls.length).padStart(10, 'a')}`;
    urls.push({ url, expanded_url: full, ...media });
    return url;
  };
  const short = text.replace(/https?:\/\/\S+/g, (link) => shorten(link));
  const [media_key] = photos;
  return { text: media_key ? `${short} ${shorten(`https://x.com/i/status/${id}/photo/1`, { media_key })}` : short, urls };
}

function fieldsOf(query: URLSearchParams, name: string): string[] {
  return query.get(name)?.split(',') ?? [];
}

function invalid(parameter: string, why: string): XProblem {
  return new XProblem(400, `The query parameter ${parameter} ${why}`);
}
