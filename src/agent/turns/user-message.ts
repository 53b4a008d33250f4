/** The message of a person in the form for the model. */
import type { Message, MessagePart } from '../chat/message';
import type { MessageContext } from '../chat/message-context';

/** Adds `[name]` before the text in a chat with several people. */
export function toUserMessage({ message, isPrivate = true, userName, userId, images = [] }: MessageContext): Message {
  const text = isPrivate ? message : `[${withoutBrackets(userName ?? userId)}] ${message}`;
  if (images.length === 0) return { role: 'user', content: text };
  const parts: MessagePart[] = images.map((url) => ({ type: 'image_url', image_url: { url } }));
  return { role: 'user', content: text === '' ? parts : [{ type: 'text', text }, ...parts] };
}

/** Removes brackets and line breaks, with which a name could imitate another person's message. */
function withoutBrackets(name: string): string {
  return name.replace(/\[/g, '(').replace(/\]/g, ')').replace(/\s+/g, ' ');
}
