/**
 * LlamaIndex with every action there is.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/llamaindex/ask.ts "What time is it in Tokyo?"
 */
import { openai } from '@llamaindex/openai';
import { agent } from '@llamaindex/workflow';
import { svcTools } from 'svc-sdk/llamaindex';

const llm = openai({ model: process.env.OPENAI_MODEL ?? 'gpt-5-mini' });

const { data } = await agent({ llm, tools: svcTools() }).run(process.argv[2] ?? 'What time is it in Tokyo?');
console.log(data.result);
