/**
 * A loop of your own around the Responses API.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/openai/responses.ts "What time is it in Tokyo?"
 */
import OpenAI from 'openai';
import { svcResponsesTools } from 'svc-sdk/openai';

const openai = new OpenAI();
const tools = svcResponsesTools();
const model = process.env.OPENAI_MODEL ?? 'gpt-5-mini';

let response = await openai.responses.create({ model, tools, input: process.argv[2] ?? 'What time is it in Tokyo?' });
for (;;) {
  const input = await tools.callTools(response.output);
  if (input.length === 0) break;
  response = await openai.responses.create({ model, tools, input, previous_response_id: response.id });
}
console.log(response.output_text);
