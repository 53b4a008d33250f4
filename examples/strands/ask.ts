/**
 * A Strands agent with every action there is.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/strands/ask.ts "What time is it in Tokyo?"
 */
import { Agent } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { svcTools } from 'svc-sdk/strands';

const { OPENAI_MODEL: modelId = 'gpt-5-mini' } = process.env;

const agent = new Agent({ model: new OpenAIModel({ modelId }), tools: svcTools(), printer: false });
const { lastMessage } = await agent.invoke(process.argv[2] ?? 'What time is it in Tokyo?', { limits: { turns: 20 } });
for (const block of lastMessage.content) if (block.type === 'textBlock') console.log(block.text);
