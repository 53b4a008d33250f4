/**
 * OpenAI's tool search over every action there is: the model calls each one that it found as a function of its own.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/openai/tool-search.ts "What time is it in Tokyo?"
 */
import OpenAI from 'openai';
import { svcToolSearch } from 'svc-sdk/openai';

const openai = new OpenAI();
const tools = svcToolSearch();
const model = process.env.OPENAI_MODEL ?? 'gpt-5.4';

let response = await openai.responses.create({ model, tools, input: process.argv[2] ?? 'What time is it in Tokyo?' });
for (;;) {
  const input = await tools.callTools(response.output);
  if (input.length === 0) break;
  response = await openai.responses.create({ model, tools, input, previous_response_id: response.id });
}
console.log(response.output_text);
