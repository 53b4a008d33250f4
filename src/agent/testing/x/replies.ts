/**
 * Replies and images of the account, by the rules of X.
 *
 * Errors: XProblem, with X's messages where they are known.
 * Source: docs.x.com, "Create Post" and "Upload media".
 */
import type { SentMessage } from '../fake-platform';
import type { FakeRequest } from '../fake-server';
import type { Posts } from './posts';
import { XProblem } from './problem';

const MAX_WEIGHT = 280;
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/bmp', 'image/pjpeg', 'image/tiff'];

interface NewPost {
  text?: string;
  reply?: { in_reply_to_tweet_id?: string };
  media?: { media_ids?: string[] };
}

export class Replies {
  readonly #posts: Posts;
  readonly #media = new Set<string>();
  readonly sent: SentMessage[] = [];

  constructor(posts: Posts) {
    this.#posts = posts;
  }

  /** Refuses a text that already answers the same post as a duplicate. X also refuses other equal texts, by unpublished rules. */
  create(body: Buffer): object {
    const { text = '', reply, media: { media_ids: mediaIds = [] } = {} }: NewPost = JSON.parse(body.toString());
    const replyTo = reply?.in_reply_to_tweet_id;
    if (reply && replyTo === undefined) throw new XProblem(400, '$.reply.in_reply_to_tweet_id: is missing but it is required');
    const answered = this.#posts.find(replyTo);
    if (!answered || replyTo === undefined) {
      throw new XProblem(403, 'You attempted to reply to a Tweet that is deleted or not visible to you.');
    }
    if (text === '' && mediaIds.length === 0) throw new XProblem(400, 'A post needs text or media');
    if (weigh(text) > MAX_WEIGHT) throw new XProblem(403, 'Your Tweet text is too long.');
    if (mediaIds.length > 4 || mediaIds.some((id) => !this.#media.has(id))) throw new XProblem(400, 'Your media IDs are invalid.');
    if (this.sent.some((sent) => sent.replyTo === replyTo && sent.text === text)) {
      throw new XProblem(403, 'You are not allowed to create a Tweet with duplicate content.');
    }
    this.sent.push({ chatId: answered.chatId, text, ...(mediaIds.length > 0 && { images: mediaIds.length }), replyTo });
    return { data: { id: String(1_950_000_000_000_000_000n + BigInt(this.sent.length)), text } };
  }

  async upload({ body, headers }: FakeRequest): Promise<object> {
    const type = headers['content-type'] ?? '';
    if (!type.startsWith('multipart/form-data')) throw new XProblem(400, 'The fake takes media as multipart/form-data');
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    const media = form.get('media');
    if (!(media instanceof Blob) || media.size === 0) throw new XProblem(400, 'media: is missing but it is required');
    if (form.get('media_category') !== 'tweet_image') throw new XProblem(400, 'media_category: is missing but it is required');
    if (!IMAGE_TYPES.includes(String(form.get('media_type') ?? media.type))) throw new XProblem(400, 'media_type: is not one of the types');
    const id = String(1_146_654_567_674_912_769n + BigInt(this.#media.size));
    this.#media.add(id);
    return { data: { id, media_key: `3_${id}`, expires_after_secs: 86_400, size: media.size } };
  }
}

/** Independent of the client's code: links weigh 23, other characters as in twitter-text. */
function weigh(text: string): number {
  const characters = [...new Intl.Segmenter().segment(text.normalize('NFC').replace(/https?:\/\/[\w./?=&#-]+/g, '-'.repeat(23)))];
  return characters.reduce((sum, { segment }) => {
    if (/\p{Extended_Pictographic}/u.test(segment)) return sum + 2;
    return (
      sum +
      [...segment].reduce((weight, character) => weight + (/[\0-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]/.test(character) ? 1 : 2), 0)
    );
  }, 0);
}
