/** An agent's loop and nothing else: no store, no limits, no retries. */
import type { ChatCompletionToolCall, Tools } from 'svc-sdk';

interface BareQuestion {
  tools: Tools;
  baseURL: string;
  text: string;
}

interface BareMessage {
  role: string;
  content?: string | null;
  tool_calls?: ChatCompletionToolCall[];
}

export async function askBare({ tools, baseURL, text }: BareQuestion): Promise<string> {
  const messages: unknown[] = [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: text },
  ];
  for (;;) {
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
      body: JSON.stringify({ model: 'scripted-model', messages, tools: await tools.getTools() }),
    });
    const { choices } = (await response.json()) as { choices: [{ message: BareMessage }] };
    const { message } = choices[0];
    messages.push(message);
    if (!message.tool_calls) return message.content ?? '';
    messages.push(...(await tools.callTools(message.tool_calls)));
  }
}
