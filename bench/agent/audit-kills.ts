/** Compares what people wrote with what they read, and with what the handlers did. */
import type { SentMessage } from 'svc-sdk/agent/testing';

export interface SaidMessage {
  chatId: string;
  label: string;
}

export interface KillAudit {
  messages: number;
  calls: number;
  /** Labels of messages without the answer `Counted <label>`. */
  lost: string[];
  /** The number of answers shown more than once. */
  answeredTwice: number;
  /** Labels of calls whose handler ran more than once. */
  ranTwice: string[];
  /** The faults of conversations that the model got. */
  invalid: readonly string[];
  /** Chats whose answers came in another order than the messages. */
  outOfOrder: string[];
  /** Messages whose turn is not done. */
  open: number;
  /** Why turns ended early. */
  errors: readonly string[];
}

export interface KillBooks {
  said: readonly SaidMessage[];
  sent: readonly SentMessage[];
  runs: ReadonlyMap<string, number>;
  invalid: readonly string[];
  open: number;
  errors: readonly string[];
}

export function auditKills({ said, sent, runs, invalid, open, errors }: KillBooks): KillAudit {
  const answers = sent.flatMap(({ chatId, text }) => {
    const [, label] = /Counted (\S+)$/.exec(text) ?? [];
    return label === undefined ? [] : [{ chatId, label }];
  });
  const chats = [...new Set(said.map(({ chatId }) => chatId))];
  const labelsIn = (messages: readonly SaidMessage[], chat: string) =>
    [...new Set(messages.filter(({ chatId }) => chatId === chat).map(({ label }) => label))].join(' ');
  const answered = new Set(answers.map(({ chatId, label }) => `${chatId} ${label}`));
  return {
    messages: said.length,
    calls: runs.size,
    lost: said.filter(({ chatId, label }) => !answered.has(`${chatId} ${label}`)).map(({ label }) => label),
    answeredTwice: answers.length - answered.size,
    ranTwice: [...runs].filter(([, times]) => times > 1).map(([label]) => label),
    invalid,
    outOfOrder: chats.filter((chat) => labelsIn(said, chat) !== labelsIn(answers, chat)),
    open,
    errors,
  };
}

/** Nothing was lost, doubled, mixed up or left open. */
export function isClean({ lost, ranTwice, invalid, outOfOrder, open }: KillAudit): boolean {
  return lost.length + ranTwice.length + invalid.length + outOfOrder.length + open === 0;
}
