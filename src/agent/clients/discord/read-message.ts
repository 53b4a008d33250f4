/**
 * Converts Discord's messages and button presses for the agent.
 *
 * Source: https://discord.com/developers/docs/resources/message
 */
import type { APIMessage, APIMessageComponentInteraction } from 'discord-api-types/v10';
import type { MessageContext } from '../../chat/message-context';
import type { Arrival } from './arrivals';
import { readButton } from './buttons';
import { downloadImages } from './images';

type Received = NonNullable<Arrival['message']>;

/** The part of an address that `chatId` does not have. */
export interface DiscordAddress {
  /** The message that the reply points to; absent in direct messages. */
  replyTo?: string;
}

/** Message types that people write: a message and a reply. Other types are system messages, such as "joined the server". */
const WRITTEN_TYPES: number[] = [0, 19];

/** A direct message, a mention of the bot, or a reply to it, by a person. */
export function isForBot(message: Received, botId: string): boolean {
  const { author, type, webhook_id: webhook, guild_id: guild, mentions = [] } = message;
  if (author.bot || webhook !== undefined || !WRITTEN_TYPES.includes(type)) return false;
  return guild === undefined || mentions.some(({ id }) => id === botId) || message.referenced_message?.author.id === botId;
}

/** Null for a message without text and images. */
export async function readMessage(message: Received, botId: string, signal: AbortSignal): Promise<MessageContext | null> {
  const { images, leftOut } = await downloadImages(message.attachments ?? [], signal);
  const text = [readableText(message, botId), ...leftOut.map((name) => `[attachment that cannot be read: ${name}]`)];
  const words = text.filter(Boolean).join('\n');
  if (!words && images.length === 0) return null;
  const isPrivate = message.guild_id === undefined;
  const address: DiscordAddress = isPrivate ? {} : { replyTo: message.id };
  return {
    chatId: message.channel_id,
    userId: message.author.id,
    message: words,
    messageId: message.id,
    userName: message.member?.nick ?? message.author.global_name ?? message.author.username,
    isPrivate,
    ...(images.length > 0 && { images }),
    address,
  };
}

/** Null for a button of another program. */
export function readPress(press: APIMessageComponentInteraction): MessageContext | null {
  const answer = readButton(press.data.custom_id);
  const user = press.member?.user ?? press.user;
  if (!answer || !user) return null;
  return {
    chatId: press.channel.id,
    userId: user.id,
    message: '',
    messageId: press.id,
    userName: press.member?.nick ?? user.global_name ?? user.username,
    isPrivate: press.guild_id === undefined,
    answer,
    address: press.guild_id === undefined ? {} : { replyTo: press.message.id },
  };
}

/** Removes the mention of the bot, and replaces other mentions by names. */
function readableText({ content, mentions = [] }: Pick<APIMessage, 'content' | 'mentions'>, botId: string): string {
  const names = new Map(mentions.map(({ id, global_name: globalName, username }) => [id, `@${globalName ?? username}`]));
  return content.replace(/<@!?(\d+)>( ?)/g, (whole, id, space) => (id === botId ? '' : `${names.get(id) ?? whole.trim()}${space}`)).trim();
}
