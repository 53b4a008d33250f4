/**
 * A loop of your own around chat completions, which most other servers speak too.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/openai/chat-completions.ts "What time is it in Tokyo?"
 */
import OpenAI from 'openai';
import { svcTools } from 'svc-sdk/openai';

const openai = new OpenAI();
const tools = svcTools();
const model = process.env.OPENAI_MODEL ?? 'gpt-5-mini';
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: process.argv[2] ?? 'What time is it in Tokyo?' }];

for (let answered = false; !answered; ) {
  const { choices } = await openai.chat.completions.create({ model, messages, tools });
  const message = choices[0]?.message;
  if (!message) throw new Error('The model gave no message');
  const results = await tools.callTools(message.tool_calls);
  messages.push(message, ...results);
  answered = results.length === 0;
}
console.log(messages.at(-1)?.content);
