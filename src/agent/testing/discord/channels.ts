/**
 * Stores the bot's messages by the rules of Discord.
 *
 * Errors: DiscordApiRefusal, with Discord's messages.
 */
import type { SentMessage } from '../fake-platform';
import type { FakeAnswer } from '../fake-server';

const MAX_TEXT = 2_000;
const MAX_NONCE = 25;
const MAX_CUSTOM_ID = 100;
const MAX_FILES = 10;

export interface NewMessage {
  content?: string;
  nonce?: string;
  enforce_nonce?: boolean;
  components?: { components: FakeButton[] }[];
  message_reference?: { message_id: string };
  allowed_mentions?: { parse: string[] };
}

interface FakeButton {
  label: string;
  custom_id: string;
}

interface Shown {
  id: string;
  channelId: string;
  content: string;
  files: number;
  edits: number;
  buttons: FakeButton[];
  nonce: string | undefined;
  replyTo: string | undefined;
}

export class DiscordApiRefusal extends Error {
  override readonly name = 'DiscordApiRefusal';
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  toAnswer(): FakeAnswer {
    return { status: this.status, body: { message: this.message, code: this.code } };
  }
}

export class FakeChannels {
  readonly #shown: Shown[] = [];
  readonly #known = new Set<string>();
  #nextId = 1_300_000_000_000_000_001n;

  get sent(): SentMessage[] {
    return this.#shown.map(({ channelId, content, files, edits, buttons, replyTo }) => ({
      chatId: channelId,
      text: content,
      ...(files > 0 && { images: files }),
      ...(buttons.length > 0 && { buttons: buttons.map(({ label }) => label) }),
      ...(edits > 0 && { edits }),
      ...(replyTo !== undefined && { replyTo }),
    }));
  }

  newId(): string {
    return String(this.#nextId++);
  }

  /** Adds the bot to a channel. */
  open(channelId: string): void {
    this.#known.add(channelId);
  }

  check(channelId: string): void {
    if (!this.#known.has(channelId)) throw new DiscordApiRefusal(404, 10003, 'Unknown Channel');
  }

  create(channelId: string, message: NewMessage, files: number): object {
    this.check(channelId);
    checkMessage(message, files);
    const { content = '', nonce, enforce_nonce: isEnforced, components, message_reference: reference } = message;
    const earlier = isEnforced && this.#shown.find((shown) => shown.channelId === channelId && shown.nonce === nonce);
    if (earlier) return toMessage(earlier);
    const shown: Shown = {
      id: this.newId(),
      channelId,
      content: content.trim(),
      files,
      edits: 0,
      buttons: buttonsOf(components),
      nonce,
      replyTo: reference?.message_id,
    };
    this.#shown.push(shown);
    return toMessage(shown);
  }

  edit(channelId: string, id: string, message: NewMessage & { attachments?: unknown[] }, files: number): object {
    const shown = this.#shown.find((candidate) => candidate.channelId === channelId && candidate.id === id);
    if (!shown) throw new DiscordApiRefusal(404, 10008, 'Unknown Message');
    const { content = shown.content, components, attachments } = message;
    checkMessage({ ...message, content }, files);
    shown.content = content.trim();
    shown.files = attachments?.length ?? shown.files + files;
    if (components) shown.buttons = buttonsOf(components);
    shown.edits += 1;
    return toMessage(shown);
  }

  /** Deletes a message of the bot, by default the newest. */
  delete(index = this.#shown.length - 1): void {
    this.#shown.splice(index, 1);
  }

  newestQuestion(channelId: string): { id: string; buttons: readonly FakeButton[] } {
    const shown = this.#shown.findLast((candidate) => candidate.channelId === channelId && candidate.buttons.length > 0);
    if (!shown) throw new Error(`No message in channel ${channelId} shows buttons`);
    return shown;
  }
}

function checkMessage({ content = '', nonce = '', components }: NewMessage, files: number): void {
  if (content.trim() === '' && files === 0) throw new DiscordApiRefusal(400, 50006, 'Cannot send an empty message');
  const isTooLong = [...content].length > MAX_TEXT || nonce.length > MAX_NONCE || files > MAX_FILES;
  if (isTooLong || buttonsOf(components).some(({ custom_id: id }) => id.length > MAX_CUSTOM_ID)) {
    throw new DiscordApiRefusal(400, 50035, 'Invalid Form Body');
  }
}

function buttonsOf(rows: NewMessage['components']): FakeButton[] {
  return rows?.flatMap(({ components }) => components) ?? [];
}

function toMessage({ id, channelId, content, files, nonce }: Shown): object {
  const attachments = Array.from({ length: files }, (_, index) => ({ id: String(index) }));
  return { id, channel_id: channelId, type: 0, content, attachments, nonce };
}
