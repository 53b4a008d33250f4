/**
 * An ADK agent with every action there is.
 *
 *   GEMINI_API_KEY=… SVC_AGENT_API_KEY=… node examples/google-adk/ask.ts "What time is it in Tokyo?"
 */
import { InMemoryRunner, LlmAgent, LogLevel, setLogLevel } from '@google/adk';
import { svcTools } from 'svc-sdk/google-adk';

const { GEMINI_MODEL: model = 'gemini-3.8-flash' } = process.env;

setLogLevel(LogLevel.ERROR);
const agent = new LlmAgent({ name: 'assistant', model, instruction: 'Answer with the help of your tools.', tools: svcTools() });
const newMessage = { role: 'user', parts: [{ text: process.argv[2] ?? 'What time is it in Tokyo?' }] };
for await (const { content } of new InMemoryRunner({ agent }).runEphemeral({ userId: 'me', newMessage }))
  for (const { text } of content?.parts ?? []) if (text) console.log(text);
