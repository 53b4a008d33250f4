/** The visible parts of a reply. */
import { type Message, messageText } from './message';

/** The text of the last message. */
export function replyText(replyMessages: readonly Message[]): string {
  const last = replyMessages.at(-1);
  return last?.role === 'assistant' ? messageText(last) : '';
}

/** The distinct images of the tools' results, as data URLs. */
export function replyImages(replyMessages: readonly Message[]): string[] {
  return [...new Set(replyMessages.flatMap(({ svc_images: images = [] }) => images))];
}
