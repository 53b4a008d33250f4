/**
 * Caches the tools of each person in each chat across turns. The tools store the searches of the conversation, so that a call contains the id of
 * the search that led to it, also after an approval or in a later turn.
 */
import type { ToolsOptions } from 'svc-sdk';
import type { MessageContext } from '../chat/message-context';
import { raced } from '../lib/races';
import { conversationId } from './conversation-id';
import { type TurnRules, TurnTools } from './turn-tools';

/** Size of the LRU cache. The service deletes a search after ten minutes. */
const MAX_KEPT = 1_000;
const FLUSH_MS = 2_000;

interface Kept {
  sessionId: string;
  tools: TurnTools;
}

export class ConversationTools {
  readonly #options: ToolsOptions;
  readonly #rules: TurnRules;
  readonly #kept = new Map<string, Kept>();

  constructor(options: ToolsOptions, rules: TurnRules) {
    this.#options = options;
    this.#rules = rules;
  }

  of(clientId: string, { chatId, userId: person }: MessageContext): TurnTools {
    const [sessionId, userId] = [conversationId(clientId, chatId), conversationId(clientId, person)];
    const name = `${sessionId} ${userId}`;
    const kept = this.#kept.get(name) ?? { sessionId, tools: new TurnTools({ ...this.#options, sessionId, userId }, this.#rules) };
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value ?? name);
    return kept.tools;
  }

  /** Sends the tokens that no call has carried, as far as the service takes them in time. */
  async flushTokens(): Promise<void> {
    const flushed = Promise.allSettled(Array.from(this.#kept.values(), ({ tools }) => tools.flushTokens()));
    await raced(flushed, AbortSignal.timeout(FLUSH_MS)).catch(() => {});
  }

  /** Starts a new conversation, whose calls must not contain a search of the former one. */
  forget(clientId: string, chatId: string): void {
    const ended = conversationId(clientId, chatId);
    for (const [name, { sessionId }] of this.#kept) if (sessionId === ended) this.#kept.delete(name);
  }
}
