/**
 * Asks the model one question, in front of the reader.
 *
 * Errors: an answer without a search or a call, and one without the fact, is an error.
 */
import type OpenAI from 'openai';
import { ask } from '../openai-loop.ts';
import { ConversationPrinter } from './conversation-printer.ts';
import type { Question } from './questions.ts';
import type { timedTools } from './timed-tools.ts';

interface Answering {
  client: OpenAI;
  model: string;
  tools: ReturnType<typeof timedTools>;
}

export async function answerQuestion(
  number: number,
  { text, fact }: Question,
  { client, model, tools }: Answering,
): Promise<{ searches: number; invocations: number }> {
  const printer = new ConversationPrinter(tools.milliseconds);
  printer.question(number, text);
  const answer = await ask(text, { client, model, tools, onMessage: printer.message });
  printer.answer(answer);
  if (printer.searches === 0 || printer.invocations === 0) throw new Error('That was answered without a search or without a call.');
  if (!fact.test(answer)) throw new Error(`That is not right: the answer should hold ${fact}.`);
  return printer;
}
