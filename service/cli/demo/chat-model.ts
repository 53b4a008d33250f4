/** A model behind an OpenAI-compatible API. Its errors are SERVICE_UNREACHABLE, with the API's message. */
import { SvcError } from 'svc-sdk';
import { readBodyText } from '#sdk/protocol/byte-stream';

export interface ChatMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export class ChatModel {
  readonly #options: { baseUrl: string; apiKey: string; model: string };

  constructor(options: { baseUrl: string; apiKey: string; model: string }) {
    this.#options = options;
  }

  async complete(messages: readonly ChatMessage[], tools: readonly unknown[]): Promise<ChatMessage> {
    const { baseUrl, apiKey, model } = this.#options;
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, tools }),
    }).catch((error: unknown) => {
      throw new SvcError('SERVICE_UNREACHABLE', `No model answers at ${baseUrl}; check OPENAI_BASE_URL`, {}, { cause: error });
    });
    const text = await readBodyText(response);
    if (!response.ok)
      throw new SvcError('SERVICE_UNREACHABLE', `The model at ${baseUrl} answered ${response.status}: ${text.slice(0, 300)}`);
    const message = (JSON.parse(text) as { choices?: { message: ChatMessage }[] }).choices?.[0]?.message;
    if (!message) throw new SvcError('SERVICE_UNREACHABLE', `The model at ${baseUrl} gave no message`);
    return message;
  }
}
