/** The message of a person, as the model reads it. */
import type { Message, MessagePart } from '../chat/message';
import type { MessageContext } from '../chat/message-context';

/** The text begins with `[name]` in a chat with several people. */
export function toUserMessage({ message, isPrivate = true, userName, userId, images = [] }: MessageContext): Message {
  const text = isPrivate ? message : `[${withoutBrackets(userName ?? userId)}] ${message}`;
  if (images.length === 0) return { role: 'user', content: text };
  const parts: MessagePart[] = images.map((url) => ({ type: 'image_url', image_url: { url } }));
  return { role: 'user', content: text === '' ? parts : [{ type: 'text', text }, ...parts] };
}

/** A name must not look like the end of the name, or like a line of somebody else. */
function withoutBrackets(name: string): string {
  return name.replace(/\[/g, '(').replace(/\]/g, ')').replace(/\s+/g, ' ');
}
