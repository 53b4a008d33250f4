/**
 * The `openai` package with every action there is: it runs the tools itself.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/openai/run-tools.ts "What time is it in Tokyo?"
 */
import OpenAI from 'openai';
import { svcTools } from 'svc-sdk/openai';

const runner = new OpenAI().chat.completions.runTools({
  model: process.env.OPENAI_MODEL ?? 'gpt-5-mini',
  messages: [{ role: 'user', content: process.argv[2] ?? 'What time is it in Tokyo?' }],
  tools: svcTools(),
});
console.log(await runner.finalContent());
