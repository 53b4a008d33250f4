/**
 * The posts that mention an account.
 *
 * Shape:  each mention once, oldest first. X returns pages, newest first.
 * Source: docs.x.com, "Get mentions": `GET /2/users/:id/mentions`. X finds the last 800.
 */
import type { MessageContext } from '../../chat/message-context';
import type { XApi } from './api';

/** The position as parameters of X: posts after an id, or from a time on. */
export type MentionsCursor = { since_id: string } | { start_time: string };

export interface Mention {
  /** The post's id. */
  id: string;
  /** False for the account's own posts, for retweets, and for posts with restricted replies. */
  isForUs: boolean;
  ctx: MessageContext;
  /** Addresses of the photos. */
  photos: string[];
}

interface Account {
  id: string;
  /** The handle; `@` is not part of it. */
  userName: string;
}

/** The requested members. X leaves out absent ones. */
interface Post {
  id: string;
  text: string;
  author_id: string;
  conversation_id?: string;
  reply_settings?: string;
  entities?: Entities;
  /** The full text of a post above 280 characters. */
  note_tweet?: { text?: string; entities?: Entities };
  attachments?: { media_keys?: string[] };
  referenced_tweets?: { type: string }[];
}

/** X shortens each link. The link to a photo of the same post has a `media_key`. */
interface Entities {
  urls?: { url: string; expanded_url?: string; media_key?: string }[];
}

interface Page {
  data?: Post[];
  includes?: { users?: { id: string; username: string }[]; media?: { media_key: string; type: string; url?: string }[] };
  meta?: { next_token?: string };
}

const FIELDS = {
  'tweet.fields': 'attachments,author_id,conversation_id,entities,note_tweet,referenced_tweets,reply_settings',
  expansions: 'attachments.media_keys,author_id',
  'media.fields': 'type,url',
  'user.fields': 'username',
  max_results: '100',
};

export async function readMentions(api: XApi, account: Account, cursor: MentionsCursor, signal: AbortSignal): Promise<Mention[]> {
  const mentions = new Map<string, Mention>();
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query: Record<string, string> = { ...FIELDS, ...cursor, ...(token && { pagination_token: token }) };
    const page: Page = (await api.send('GET', `/2/users/${account.id}/mentions`, { query, signal })).body;
    for (const post of page.data ?? []) mentions.set(post.id, toMention(post, page, account));
    token = page.meta?.next_token;
  }
  return [...mentions.values()].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

function toMention(post: Post, { includes = {} }: Page, account: Account): Mention {
  const { id, author_id: userId, conversation_id: chatId = id, reply_settings: repliesOf = 'everyone' } = post;
  const author = includes.users?.find((user) => user.id === userId);
  const media = (post.attachments?.media_keys ?? []).flatMap((key) => includes.media?.filter(({ media_key }) => media_key === key) ?? []);
  const isRetweet = post.referenced_tweets?.some(({ type }) => type === 'retweeted') ?? false;
  return {
    id,
    isForUs: userId !== account.id && repliesOf === 'everyone' && !isRetweet,
    ctx: {
      chatId,
      userId,
      message: readableText(post, account.userName),
      messageId: id,
      isPrivate: false,
      ...(author && { userName: author.username }),
    },
    photos: media.flatMap(({ type, url }) => (type === 'photo' && url ? [url] : [])),
  };
}

/**
 * The text as the person wrote it: without the account's name at the start, with full links, and unescaped. X puts the names of all
 * participants before the text of a reply, so all of them are removed: an answer `yes` must be read as yes.
 */
function readableText({ text, entities, note_tweet: note, referenced_tweets: references = [] }: Post, userName: string): string {
  const links = [...(entities?.urls ?? []), ...(note?.entities?.urls ?? [])];
  const whole = links.reduce(
    (shown, { url, expanded_url: full = url, media_key: key }) => shown.replaceAll(url, () => (key === undefined ? full : '')),
    note?.text ?? text,
  );
  const [names = ''] = /^(?:@\w+\s+)*(?:@\w+\s*$)?/.exec(whole) ?? [];
  const isReply = references.some(({ type }) => type === 'replied_to');
  const others = isReply ? [] : names.split(/\s+/).filter((name) => name && name.toLowerCase() !== `@${userName.toLowerCase()}`);
  const rest = [...others, whole.slice(names.length)].join(' ').trim() || whole.trim();
  return rest.replace(/&(?:amp|lt|gt);/g, (escaped) => ({ '&lt;': '<', '&gt;': '>' })[escaped] ?? '&');
}
