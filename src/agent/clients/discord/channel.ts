/**
 * Sends and edits the bot's messages in one channel.
 *
 * Units:  2,000 characters and 10 files a message.
 * Errors: RefusedReply if Discord refuses a message permanently.
 * Source: https://discord.com/developers/docs/resources/message#create-message
 */
import { createHash, randomUUID } from 'node:crypto';
import type { RawFile } from '@discordjs/rest';
import type { APIMessage } from 'discord-api-types/v10';
import { type Question, RefusedReply } from '../../chat/base-client';
import { readImageDataUrl } from '../../chat/images';
import type { MessageContext } from '../../chat/message-context';
import { split } from '../../chat/split';
import { type DiscordApi, DiscordRefusal } from './api';
import { buttonsFor } from './buttons';
import type { DiscordAddress } from './read-message';

const MAX_TEXT = 2_000;
/** Fewer than Discord's 10, because a request is limited to 25 MB. */
const MAX_FILES = 4;
const MAX_NONCE = 25;

/** The result of `showPartial` and `askApproval`. */
export interface ShownMessage {
  messageId: string;
}

interface Piece {
  text: string;
  images: string[];
}

export class Channel {
  readonly #api: DiscordApi;
  readonly #ctx: MessageContext;
  readonly #signal: AbortSignal;

  constructor(api: DiscordApi, ctx: MessageContext, signal: AbortSignal) {
    this.#api = api;
    this.#ctx = ctx;
    this.#signal = signal;
  }

  async reply(text: string, images: readonly string[]): Promise<void> {
    for (const [index, piece] of toPieces(text, images).entries()) {
      const replaced = index === 0 && isShown(this.#ctx.partial) && (await this.#edit(this.#ctx.partial, piece));
      if (!replaced) await this.#create(piece, index);
    }
  }

  async showPartial(text: string): Promise<ShownMessage> {
    const [first = ''] = split(text, MAX_TEXT);
    const piece = { text: first, images: [] };
    const { partial } = this.#ctx;
    if (isShown(partial) && (await this.#edit(partial, piece, { tries: 1 }))) return partial;
    return { messageId: await this.#create(piece, 0, { tries: 1 }) };
  }

  /** The last piece of a long question has the buttons, so that the person reads all of it before the approval. */
  async ask(question: Question): Promise<ShownMessage> {
    const pieces = split(question.text, MAX_TEXT);
    let shown: ShownMessage = { messageId: '' };
    for (const [index, content] of pieces.entries()) {
      const isLast = index === pieces.length - 1;
      const part = `question ${question.id}${index > 0 ? ` piece ${index}` : ''}`;
      const message = {
        content,
        ...(isLast && { components: buttonsFor(question) }),
        ...this.#sentOnce(part),
        ...(index === 0 && this.#reference()),
      };
      const { id } = (await this.#send('POST', '', message)) as { id: string };
      shown = { messageId: id };
    }
    return shown;
  }

  async endQuestion(shown: unknown, text: string): Promise<void> {
    if (isShown(shown)) await this.#edit(shown, { text: split(text, MAX_TEXT).at(-1) ?? '', images: [] });
  }

  async showTyping(): Promise<void> {
    await this.#api.send('POST', `/channels/${encodeURIComponent(this.#ctx.chatId)}/typing`, { signal: this.#signal, tries: 1 });
  }

  /**
   * Idempotent by nonce: for a known nonce Discord returns the existing message, from an interrupted `sendMessage` or from `showPartial`.
   */
  async #create(piece: Piece, index: number, options: { tries?: number } = {}): Promise<string> {
    const message = { content: piece.text, ...this.#sentOnce(`piece ${index}`), ...(index === 0 && this.#reference()) };
    const sent = (await this.#send('POST', '', message, { files: toFiles(piece), ...options })) as APIMessage;
    if (!isSame(sent, piece)) await this.#edit({ messageId: sent.id }, piece, options);
    return sent.id;
  }

  /** Returns false if the message was deleted. */
  async #edit({ messageId }: ShownMessage, piece: Piece, options: { tries?: number } = {}): Promise<boolean> {
    const files = toFiles(piece);
    // `attachments` replaces the files of an earlier edit.
    const attachments = files.map(({ name: filename }, id) => ({ id, filename }));
    try {
      await this.#send('PATCH', `/${messageId}`, { content: piece.text, components: [], attachments }, { files, ...options });
      return true;
    } catch (error) {
      if (error instanceof RefusedReply && (error.cause as DiscordRefusal).status === 404) return false;
      throw error;
    }
  }

  async #send(method: 'POST' | 'PATCH', path: string, message: object, options: { files?: RawFile[]; tries?: number } = {}) {
    const route = `/channels/${encodeURIComponent(this.#ctx.chatId)}/messages${path}` as const;
    // Mentions in the model's text must not notify people.
    const body = { ...message, allowed_mentions: { parse: [] } };
    try {
      return await this.#api.send(method, route, { body, signal: this.#signal, ...options });
    } catch (error) {
      throw error instanceof DiscordRefusal ? new RefusedReply(error.message, { cause: error }) : error;
    }
  }

  #sentOnce(part: string): object {
    const { messageId = randomUUID() } = this.#ctx;
    const nonce = createHash('sha256').update(`${messageId} ${part}`).digest('base64url').slice(0, MAX_NONCE);
    return { nonce, enforce_nonce: true };
  }

  #reference(): object {
    const { replyTo } = (this.#ctx.address ?? {}) as DiscordAddress;
    return replyTo === undefined ? {} : { message_reference: { message_id: replyTo, fail_if_not_exists: false } };
  }
}

/** Images are attached to the last piece of text; further images are sent in additional messages. */
function toPieces(text: string, images: readonly string[]): Piece[] {
  const pieces: Piece[] = split(text, MAX_TEXT).map((piece) => ({ text: piece, images: [] }));
  for (let start = 0; start < images.length; start += MAX_FILES) {
    const some = images.slice(start, start + MAX_FILES);
    const last = pieces.at(-1);
    if (start === 0 && last) last.images = some;
    else pieces.push({ text: '', images: some });
  }
  return pieces;
}

function toFiles({ images }: Piece): RawFile[] {
  return images.flatMap((url, index) => {
    const image = readImageDataUrl(url);
    if (!image) return [];
    const { mediaType, bytes } = image;
    return [{ data: Buffer.from(bytes), contentType: mediaType, name: `image-${index + 1}.${mediaType.slice('image/'.length)}` }];
  });
}

function isShown(value: unknown): value is ShownMessage {
  return typeof (value as ShownMessage | null | undefined)?.messageId === 'string';
}

/** Compares without white space at the ends, which Discord changes. */
function isSame({ content, attachments }: APIMessage, { text, images }: Piece): boolean {
  const [shown, wanted] = [content, text].map((words) => words.replace(/\s+/g, ' ').trim());
  return shown === wanted && attachments.length === images.length;
}
