/** The conversation as a script sees it: the last question, and what the tools have said since. */
import { parseJson } from '../parse-json.ts';
import type { CompletionRequest } from './request.ts';

export interface Exchange {
  tool: string;
  input: Record<string, unknown>;
  /** Parsed when it is JSON. */
  output: unknown;
}

export interface Conversation {
  question: string;
  /** One entry for every time the model has spoken since the question; each with the calls that it made then. */
  turns: Exchange[][];
  /** Names of the tools that may be called. */
  offered: string[];
}

export function readConversation({ messages, tools = [] }: CompletionRequest): Conversation {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const question = messages[asked];
  const since = messages.slice(asked + 1);
  const outputs = new Map(
    since.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id, parseJson(message.content)]] : [])),
  );
  const turns = since.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const calls = message.tool_calls ?? [];
    return [
      calls.map(({ id, function: { name, arguments: input } }) => ({
        tool: name,
        input: toObject(parseJson(input)),
        output: outputs.get(id),
      })),
    ];
  });
  return { question: question?.role === 'user' ? question.content : '', turns, offered: tools.map((tool) => tool.function.name) };
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
