/** Compiled, never run; openai 5 has no tool search. */
import type OpenAI from 'openai';
import { svcToolSearch } from 'svc-sdk/openai';

declare const openai: OpenAI;

export async function toolSearch(): Promise<string> {
  const tools = svcToolSearch();
  const response = await openai.responses.create({ model: 'm', input: 'How are you?', tools });
  const input = await tools.callTools(response.output);
  return (await openai.responses.create({ model: 'm', previous_response_id: response.id, input, tools })).output_text;
}
