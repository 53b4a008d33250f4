/** The work of `svc-service demo`, loaded on demand. */
import { type ChatCompletionTool, Toolkit, Tools } from 'svc-sdk';
import { createService } from 'svc-service';
import { oneLine, styled } from '#sdk/cli/line';
import type { Terminal } from '#sdk/cli/terminal';
import { cutToWidth } from '#sdk/cli/text-width';
import { startScriptedModel } from '../../scripted-model/server';
import { type ChatMessage, ChatModel } from './chat-model';

const MAX_ROUNDS = 20;
const MOST_COLUMNS = 160;

export async function runDemo(terminal: Terminal, question: string): Promise<void> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const service = await createService({ port: 0 });
    closing.unshift(() => service.close());
    const toolkit = await serveWeather(service.url, (await service.keys.create({ kind: 'toolkit', name: 'weather' })).key);
    closing.unshift(() => toolkit.stop({ timeoutMs: 0 }));
    const { key } = await service.keys.create({ kind: 'agent', name: 'demo' });
    const { model, name, close } = await openModel();
    closing.unshift(close);
    terminal.note(`service  ${service.url}, with temporary data\ntoolkit  weather\nmodel    ${name}\n`);
    terminal.note([styled('bold', question), '\n']);
    const messages = await ask(question, { model, tools: new Tools({ baseUrl: service.url, apiKey: key }), terminal });
    const answer = messages.at(-1)?.content ?? '';
    terminal.note('');
    terminal.show({ question, answer, messages }, answer);
  } finally {
    for (const close of closing) await close();
  }
}

/** The toolkit of the README. */
async function serveWeather(baseUrl: string, apiKey: string): Promise<Toolkit> {
  const toolkit = new Toolkit({ baseUrl, apiKey });
  await toolkit.updateToolkit({ name: 'Weather', description: 'Weather of today, by city' });
  toolkit.action<{ city: string }>(
    {
      action: 'today',
      actionDescription: "Today's weather in a city: temperature in degrees Celsius and a word for the sky",
      payloadDescription: { city: { type: 'string', description: 'Name of the city', required: true } },
      annotations: { readOnly: true },
    },
    (ctx, { city }) => ctx.result({ city, celsius: 21, sky: 'clear' }),
  );
  // Errors reject `ready` too.
  toolkit.run().catch(() => {});
  await toolkit.ready;
  return toolkit;
}

async function openModel(): Promise<{ model: ChatModel; name: string; close: () => Promise<void> }> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL = 'https://api.openai.com/v1', OPENAI_MODEL = 'gpt-5-mini' } = process.env;
  if (OPENAI_API_KEY) {
    const model = new ChatModel({ baseUrl: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY, model: OPENAI_MODEL });
    return { model, name: `${OPENAI_MODEL} at ${OPENAI_BASE_URL}`, close: async () => {} };
  }
  const { baseURL, close } = await startScriptedModel();
  const model = new ChatModel({ baseUrl: baseURL, apiKey: 'none-needed', model: 'scripted-model' });
  return { model, name: 'a script (no OPENAI_API_KEY is set): its wording is written, every search and every call is real', close };
}

/** The plain loop; the last message is the answer. */
async function ask(
  question: string,
  { model, tools, terminal }: { model: ChatModel; tools: Tools; terminal: Terminal },
): Promise<ChatMessage[]> {
  const messages: ChatMessage[] = [{ role: 'user', content: question }];
  const definitions: ChatCompletionTool[] = await tools.getTools();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const message = await model.complete(messages, definitions);
    messages.push(message);
    const results = await tools.callTools(message.tool_calls);
    if (results.length === 0) return messages;
    for (const { function: called } of message.tool_calls ?? []) terminal.note(oneLine(`→ ${called.name}  ${called.arguments}`));
    for (const { content } of results) terminal.note(cutToWidth(oneLine(`← ${content}`), MOST_COLUMNS));
    messages.push(...results);
  }
  throw new Error(`No answer after ${MAX_ROUNDS} rounds of tool calls`);
}
