/** Compiled with openai 7, 6 and 5, never run: the shapes of `svc-sdk/openai` fit its types without a cast. */
import type OpenAI from 'openai';
import { Tools } from 'svc-sdk';
import { type FunctionCallOutput, loadSvcResponsesTools, loadSvcTools, svcResponsesTools, svcTools } from 'svc-sdk/openai';

declare const openai: OpenAI;

export async function aLoopAroundChatCompletions(messages: OpenAI.ChatCompletionMessageParam[], signal?: AbortSignal): Promise<void> {
  const tools = svcTools({ apiKey: process.env.MY_KEY, timeoutMs: 1_000 });
  const completion = await openai.chat.completions.create({ model: 'm', messages, tools });
  const message = completion.choices[0]?.message;
  if (message) messages.push(message, ...(await tools.callTools(message.tool_calls, { signal })));
}

export async function runTools(messages: OpenAI.ChatCompletionMessageParam[]): Promise<string | null> {
  const tools = await loadSvcTools({ dynamicTools: false, staticActions: ['weather__today'] });
  await openai.chat.completions.runTools({ model: 'm', messages, tools: svcTools(new Tools()), stream: true }).finalContent();
  return openai.chat.completions.runTools({ model: 'm', messages, tools }).finalContent();
}

export async function theResponsesApi(): Promise<string> {
  const tools = [...svcResponsesTools(), ...(await loadSvcResponsesTools({ staticToolkits: ['weather'] as const }))];
  const response = await openai.responses.create({ model: 'm', input: 'How are you?', tools });
  const input: FunctionCallOutput[] = await svcResponsesTools().callTools(response.output, {
    onProgress: ({ progress }, id) => [id, progress],
  });
  const next = await openai.responses.create({ model: 'm', previous_response_id: response.id, input, tools });
  return next.output_text;
}

// @ts-expect-error an approval would have no effect
svcTools({ needsApproval: true });
// @ts-expect-error the adapter has no approval
svcTools({ askAbove: '0.50' });
// @ts-expect-error static actions take a network call
svcTools({ staticActions: ['weather__today'] });
// @ts-expect-error static actions take a network call
svcResponsesTools({ staticToolkits: ['weather'] });
// @ts-expect-error the message is not its tool calls
svcTools().callTools({ role: 'assistant', content: null });
// @ts-expect-error the response is not its output
svcResponsesTools().callTools({ output: [] });
// @ts-expect-error a promise of tools is not a list of tools
openai.chat.completions.create({ model: 'm', messages: [], tools: loadSvcTools() });
// @ts-expect-error the list of tools is not a tool
openai.chat.completions.create({ model: 'm', messages: [], tools: [svcTools()] });
