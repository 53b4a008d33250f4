/** A message of one person in one chat. The whole context is JSON, since it is stored and may be answered after a restart. */
export interface MessageContext {
  /** The id of the conversation within one client. Messages of a chat are answered in order; chats do not wait for each other. */
  chatId: string;
  /** The author of the message. */
  userId: string;
  /** The text, which may be empty if the message has images. */
  message: string;
  /** Messages with the same id are answered once. Without an id, a message that the platform delivers twice is answered twice. */
  messageId?: string;
  /** The name that the model reads in chats with several people. */
  userName?: string;
  /** False in a chat with several people. Default: true. */
  isPrivate?: boolean;
  /** Images as data URLs, from `imageDataUrl`; never a URL with a token. */
  images?: string[];
  /** Present for a pressed button of `askApproval`; `message` is then ignored. */
  answer?: { questionId: string; approved: boolean };
  /** Data that the client needs for the answer, such as the ids of a channel and a message. */
  address?: unknown;
  /** Set by the agent: the last return value of `showPartial`. `sendMessage` replaces that message by the reply. */
  partial?: unknown;
}
