/**
 * The posts that mention an account.
 *
 * Shape:  each mention once, the oldest first. X has pages, the newest first.
 * Source: docs.x.com, "Get mentions": `GET /2/users/:id/mentions`. X finds the last 800.
 */
import type { MessageContext } from '../../chat/message-context';
import type { XApi } from './api';

/** Where to go on. X's own parameters: posts after that one, or from that time on. */
export type MentionsCursor = { since_id: string } | { start_time: string };

export interface Mention {
  /** The post's id. */
  id: string;
  /** False for the account's own posts, for retweets, and for posts that not everybody may answer. */
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

/** The members that are asked for. X leaves out what a post does not have. */
interface Post {
  id: string;
  text: string;
  author_id: string;
  conversation_id?: string;
  reply_settings?: string;
  entities?: Entities;
  /** The whole of a post above 280 characters. */
  note_tweet?: { text?: string; entities?: Entities };
  attachments?: { media_keys?: string[] };
  referenced_tweets?: { type: string }[];
}

/** X shortens each link. The link to a photo of the post itself has a `media_key`. */
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
 * The text as the person wrote it: without the account's name in front, with whole links, and without what X escapes. X puts the names of all who
 * take part in front of a reply, so a reply loses them all: `yes` must stay a yes.
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
