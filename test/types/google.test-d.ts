/** Compiled by `tsc`, never run: the callable tool fits the SDK, and its types are kept. */
import { type Content, createUserContent, type GoogleGenAI, type Part, type ToolListUnion } from '@google/genai';
import { Tools } from 'svc-sdk';
import { loadSvcTools, svcTools } from 'svc-sdk/google';

declare const ai: GoogleGenAI;

export async function theToolFits(signal: AbortSignal): Promise<string | undefined> {
  const tools: ToolListUnion = [svcTools(new Tools(), { signal }), await loadSvcTools({ staticToolkits: ['weather'] }, { signal })];
  const { text } = await ai.models.generateContent({ model: 'm', contents: 'Hello', config: { tools, abortSignal: signal } });
  await ai.models.generateContentStream({ model: 'm', contents: 'Hello', config: { tools: [svcTools()] } });
  ai.chats.create({ model: 'm', config: { tools: [svcTools()] } });
  return text;
}

export async function aLoopNeedsNoCast(contents: Content[], signal: AbortSignal | undefined): Promise<void> {
  const { functionCalls } = await ai.models.generateContent({ model: 'm', contents });
  const parts: Part[] = await svcTools({ apiKey: process.env.MY_KEY }).callTools(functionCalls, {
    signal,
    onProgress: ({ progress }, { name }) => `${name}: ${progress}`,
  });
  contents.push(createUserContent(parts));
}

// @ts-expect-error an approval would have no effect
svcTools({ needsApproval: true });
// @ts-expect-error the adapter has no approval
svcTools({ askAbove: '0.50' });
// @ts-expect-error static tools take a network call: loadSvcTools
svcTools({ staticToolkits: ['weather'] });
// @ts-expect-error the signal is for the calls, not one of the options
svcTools({ signal: new AbortController().signal });
// @ts-expect-error a promise is not a tool: await it
ai.models.generateContent({ model: 'm', contents: '', config: { tools: [loadSvcTools()] } });
