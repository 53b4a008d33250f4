/**
 * The scripted model of the demo, played in the browser: its searches and calls are real, its texts follow a list of rules. For a question without a
 * script it searches with the question's own words.
 */

import { type Conversation, toExchange } from '../../../../../scripted-model/conversation';
import { answer, play, type Script, search } from '../../../../../scripted-model/script';
import { SCRIPTS } from '../../../../../scripted-model/scripts';
import type { ModelMessage, ModelTurn, TurnRequest } from './turn';

export function scriptedTurn({ messages, tools }: TurnRequest, onText: (piece: string) => void): ModelTurn {
  const conversation = conversationOf(messages, tools);
  const speech = play([...SCRIPTS, ofAnyQuestion(conversation)], conversation);
  if ('calls' in speech) {
    const calls = speech.calls.map(({ name, arguments: input }) => ({
      id: `call_${crypto.randomUUID().replaceAll('-', '')}`,
      type: 'function' as const,
      function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
    }));
    return { text: '', calls, usage: undefined };
  }
  onText(speech.content);
  return { text: speech.content, calls: [], usage: undefined };
}

function ofAnyQuestion({ question }: Conversation): Script {
  const found = ({ turns }: Conversation) => {
    const output = turns[0]?.[0]?.output as { actions?: { action: string; description?: string }[] } | undefined;
    const lines = (output?.actions ?? []).slice(0, 5).map(({ action, description }) => `- \`${action}\`: ${description ?? ''}`);
    const end = 'I am a script and not a model: enter a model on the left to have one of them called.';
    return lines.length === 0
      ? `I searched and found no action for that.\n\n${end}`
      : `These actions fit:\n\n${lines.join('\n')}\n\n${end}`;
  };
  return { about: /^/, steps: [search(question), answer(found)] };
}

function conversationOf(messages: readonly ModelMessage[], tools: TurnRequest['tools']): Conversation {
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && textOf(content) !== '');
  const since = messages.slice(asked + 1);
  const outputs = new Map(since.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id, message.content] as const] : [])));
  const turns = since.flatMap((message) =>
    message.role === 'assistant'
      ? [(message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => toExchange({ id, tool: name, input }, outputs))]
      : [],
  );
  return { question: textOf(messages[asked]?.content ?? ''), turns, offered: tools.map((tool) => tool.function) };
}

/** Images of results follow them as a message without own words, which asks nothing. */
function textOf(content: ModelMessage['content']): string {
  if (typeof content === 'string') return content;
  const hasOwnWords = content?.some((part) => part.type === 'text' && !part.text.startsWith('Images of '));
  return hasOwnWords ? (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') : '';
}
