/** The history for the model: the newest whole turns since `/new` that fit. */
import { estimateTokens } from '../../protocol/estimate-tokens';
import type { Message } from '../chat/message';
import { NEW_COMMAND } from './commands';

/** The cost of an image in most models. */
const IMAGE_TOKENS = 1_600;
/** Reasoning and signatures, which `aiModel` sends in addition to the text. */
const KEPT_PARTS = 'svc_ai';
/** Limit of images in a request; more would exceed the limits of most servers. */
const MAX_SEEN_IMAGES = 4;

/** @param turns the messages of finished turns, newest turn first */
export function readHistory(turns: Iterable<Message[]>, maxTokens: number): Message[] {
  const kept: Message[][] = [];
  let left = maxTokens;
  for (const messages of turns) {
    const [first] = messages;
    if (!first) continue;
    if (first.content === NEW_COMMAND) break;
    left -= messages.reduce((sum, message) => sum + tokensOf(message), 0);
    if (left < 0) break;
    kept.unshift(messages);
  }
  return kept.flat();
}

/** Keeps the newest images and replaces older ones by texts. */
export function withFewImages(messages: readonly Message[]): Message[] {
  let seen = 0;
  return messages
    .toReversed()
    .map((message) => {
      if (!Array.isArray(message.content)) return message;
      const content = message.content.map((part) => {
        if (part.type !== 'image_url') return part;
        seen += 1;
        return seen <= MAX_SEEN_IMAGES ? part : { type: 'text' as const, text: '[an earlier image]' };
      });
      return { ...message, content };
    })
    .reverse();
}

function tokensOf(message: Message): number {
  let images = 0;
  const json = JSON.stringify(message, (name, value) => {
    if (name.startsWith('svc_') && name !== KEPT_PARTS) return undefined;
    if (name !== 'image_url') return value;
    images += 1;
    return '';
  });
  return estimateTokens(json) + images * IMAGE_TOKENS;
}
