/**
 * The whole loop around a model, with the `openai` package.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/openai-loop.ts "What time is it in Tokyo?"
 */
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { Tools } from 'svc-sdk';

const MAX_ROUNDS = 20;

interface AskOptions {
  client: OpenAI;
  model: string;
  tools: Pick<Tools, 'getTools' | 'callTools'>;
  /** Called with every message that the model or a tool adds. */
  onMessage?: (message: ChatCompletionMessageParam) => void;
}

/** The model's answer, after as many tool calls as it wants to make. */
export async function ask(question: string, { client, model, tools, onMessage }: AskOptions): Promise<string> {
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
  const add = (message: ChatCompletionMessageParam) => {
    messages.push(message);
    onMessage?.(message);
  };

  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const completion = await client.chat.completions.create({ model, messages, tools: await tools.getTools() });
    const message = completion.choices[0]?.message;
    if (!message) throw new Error('The model gave no message');
    add(message);

    const results = await tools.callTools(message.tool_calls);
    if (results.length === 0) return message.content ?? '';
    results.forEach(add);
  }
  throw new Error(`No answer after ${MAX_ROUNDS} rounds of tool calls`);
}

if (import.meta.main) {
  const question = process.argv[2] ?? 'What time is it in Tokyo?';
  const model = process.env.OPENAI_MODEL ?? 'gpt-5-mini';
  console.log(await ask(question, { client: new OpenAI(), model, tools: new Tools() }));
}
