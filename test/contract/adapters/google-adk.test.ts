import { type Event, InMemorySessionService, LlmAgent, LogLevel, Runner, setLogLevel } from '@google/adk';
import type { Content, Part } from '@google/genai';
import { loadSvcTools, svcTools } from 'svc-sdk/google-adk';
import { vi } from 'vitest';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

vi.stubEnv('GEMINI_API_KEY', 'any');
setLogLevel(LogLevel.ERROR);

describeAdapter({
  entry: 'svc-sdk/google-adk',
  framework: installed('@google/adk'),
  converse,
  can: {
    failToLoad: true,
    // A tool gives one result, and nothing before it.
    progress: false,
    payments: true,
    approval: true,
    // ADK sends the model no response to the others, so that its API refuses the conversation.
    keepsOthers: false,
    // ADK throws, and the run ends.
    unknownTools: false,
    // Arguments are objects on this wire: invalid JSON ends the candidate as MALFORMED_FUNCTION_CALL.
    brokenArguments: false,
    // ADK awaits each call before it starts the next.
    parallel: false,
    callIds: true,
  },
});

async function converse({ question, options, model, signal, onPayment, approve }: Conversing): Promise<string> {
  const tools = isStatic(options) ? await loadSvcTools(options, { onPayment }) : svcTools(options, { onPayment });
  const generateContentConfig = { httpOptions: { baseUrl: model.origin } };
  const agent = new LlmAgent({ name: 'agent', model: 'gemini-3.8-flash', tools, generateContentConfig });
  const sessionService = new InMemorySessionService();
  const runner = new Runner({ appName: 'app', agent, sessionService });
  const { id: sessionId } = await sessionService.createSession({ appName: 'app', userId: 'user' });
  let newMessage: Content = { role: 'user', parts: [{ text: question }] };
  for (;;) {
    const events: Event[] = [];
    for await (const event of runner.runAsync({ userId: 'user', sessionId, newMessage, abortSignal: signal })) events.push(event);
    const parts = events.flatMap(({ content }) => content?.parts ?? []);
    const failed = events.find(({ errorCode }) => errorCode);
    if (failed) throw new Error(failed.errorMessage);
    const answers: Part[] = [];
    for (const { functionCall } of parts) {
      if (functionCall?.name !== 'adk_request_confirmation') continue;
      const { name, args } = functionCall.args!.originalFunctionCall as { name: string; args: unknown };
      const response = { confirmed: await approve({ tool: name, input: args }) };
      answers.push({ functionResponse: { id: functionCall.id ?? '', name: functionCall.name, response } });
    }
    if (answers.length === 0) return parts.findLast(({ text }) => text)?.text ?? '';
    newMessage = { role: 'user', parts: answers };
  }
}
