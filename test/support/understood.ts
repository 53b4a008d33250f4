import type { Conversation } from '../../service/scripted-model/conversation.ts';

/** The conversation as a model takes it that looks through what a framework puts around the words of a tool. */
export function understood(conversation: Conversation, understand: (output: unknown) => unknown): Conversation {
  const turns = conversation.turns.map((turn) => turn.map((exchange) => ({ ...exchange, output: understand(exchange.output) })));
  return { ...conversation, turns };
}
