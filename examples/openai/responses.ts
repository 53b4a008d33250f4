/**
 * A loop of your own around the Responses API.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/openai/responses.ts "What time is it in Tokyo?"
 */
import OpenAI from 'openai';
import { nextRequest, svcResponsesTools } from 'svc-sdk/openai';

const openai = new OpenAI();
const tools = svcResponsesTools();
const model = process.env.OPENAI_MODEL ?? 'gpt-5-mini';

const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: process.argv[2] ?? 'What time is it in Tokyo?' }];
for (;;) {
  const response = await openai.responses.create({ model, tools, input });
  const next = nextRequest(response, await tools.callTools(response.output));
  input.push(...(next.input as typeof input));
  if (next.done) {
    console.log(response.output_text);
    break;
  }
}
