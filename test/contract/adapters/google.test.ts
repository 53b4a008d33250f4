import { type Content, createUserContent, GoogleGenAI } from '@google/genai';
import { loadSvcTools, svcTools } from 'svc-sdk/google';
import { PNG } from '../../support/vectors';
import { type AdapterUnderTest, type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

const framework = installed('@google/genai');

const image = { as: { inlineData: { mimeType: 'image/png', data: PNG } } };

const can: AdapterUnderTest['can'] = {
  failToLoad: true,
  // A callable tool gives its parts, and nothing before them.
  progress: false,
  payments: true,
  // The SDK runs a callable tool without approval.
  approval: false,
  // Streamed, the SDK throws; whole, it gives every call to every callable tool, and no tool can detect that no other one answers.
  unknownTools: false,
  // Arguments are objects on this wire: invalid JSON ends the candidate as MALFORMED_FUNCTION_CALL.
  brokenArguments: false,
  parallel: true,
  callIds: true,
};

describeAdapter({
  entry: 'svc-sdk/google, automatic function calling',
  image,
  framework,
  can,
  async converse(conversing) {
    const { ai, request } = await prepare(conversing);
    const { text } = await ai.models.generateContent({ ...request, contents: conversing.question });
    return text ?? '';
  },
});

describeAdapter({
  entry: 'svc-sdk/google, automatic function calling, streamed',
  image,
  framework,
  // The SDK awaits each call before it starts the next.
  can: { ...can, parallel: false },
  async converse(conversing) {
    const { ai, request } = await prepare(conversing);
    let text = '';
    // `chunk.text` would warn about every part that is not a text.
    for await (const { candidates } of await ai.models.generateContentStream({ ...request, contents: conversing.question }))
      for (const part of candidates?.[0]?.content?.parts ?? []) text += part.text ?? '';
    return text;
  },
});

describeAdapter({
  entry: 'svc-sdk/google, a loop around generateContent',
  image,
  framework,
  // The user writes the loop and its approvals: docs/adapters/google.md.
  can: { ...can, progress: true, unknownTools: true },
  async converse(conversing) {
    const { ai, request, tools } = await prepare(conversing);
    const { question, signal, onProgress, onPayment } = conversing;
    const contents: Content[] = [createUserContent(question)];
    const config = { ...request.config, automaticFunctionCalling: { disable: true } };
    for (;;) {
      const response = await ai.models.generateContent({ ...request, contents, config });
      const parts = await tools.callTools(response.functionCalls, { signal, onProgress, onPayment });
      if (parts.length === 0) return response.text ?? '';
      contents.push(response.candidates?.[0]?.content as Content, createUserContent(parts));
    }
  },
});

async function prepare({ options, model, signal, onPayment }: Conversing) {
  const ai = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: model.origin } });
  const calls = { signal, onPayment };
  const tools = isStatic(options) ? await loadSvcTools(options, calls) : svcTools(options, calls);
  return { ai, tools, request: { model: 'scripted-model', config: { tools: [tools], abortSignal: signal } } };
}
