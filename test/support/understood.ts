import type { Conversation } from '../../service/scripted-model/conversation.ts';

/** The conversation without the wrappers that a framework puts around the output of a tool. */
export function understood(conversation: Conversation, understand: (output: unknown) => unknown): Conversation {
  const turns = conversation.turns.map((turn) => turn.map((exchange) => ({ ...exchange, output: understand(exchange.output) })));
  return { ...conversation, turns };
}
