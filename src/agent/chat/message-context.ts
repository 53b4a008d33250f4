/** A message of one person in one chat. All of it is JSON: it is stored, and an answer may be due after a restart. */
export interface MessageContext {
  /** The conversation, within one client. Messages of a chat are answered in order, and chats do not wait for each other. */
  chatId: string;
  /** The person who wrote. */
  userId: string;
  /** The text. It may be empty if there are images. */
  message: string;
  /** The same id is answered once. Without one, a message that the platform delivers twice is answered twice. */
  messageId?: string;
  /** The name that the model reads in chats with several people. */
  userName?: string;
  /** False in a chat with several people. Default: true. */
  isPrivate?: boolean;
  /** Images as data URLs, from `imageDataUrl`. Never an address that holds a token. */
  images?: string[];
  /** Present if a button was pressed under a question of `askApproval`; `message` is not read then. */
  answer?: { questionId: string; approved: boolean };
  /** The part that the client needs to answer, such as the ids of a channel and of a message. */
  address?: unknown;
  /** Set by the agent: what `showPartial` returned last. `sendMessage` replaces that text by the reply. */
  partial?: unknown;
}
