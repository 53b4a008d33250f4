/**
 * A loop of your own around Google Gen AI, in which a human decides before anything destructive runs.
 *
 *   GEMINI_API_KEY=… SVC_AGENT_API_KEY=… node examples/google/approval.ts "Cancel order 17"
 */
import { createInterface } from 'node:readline/promises';
import { type Content, createUserContent, type FunctionCall, GoogleGenAI, type Part } from '@google/genai';
import { describeCall, type ResolveResponse, Tools } from 'svc-sdk';
import { agentTools } from 'svc-sdk/agent-tool';
import { svcTools } from 'svc-sdk/google';

const { GEMINI_MODEL: model = 'gemini-3.8-flash' } = process.env;
const ai = new GoogleGenAI({});
const tools = new Tools();
const callable = svcTools(tools);
const config = { tools: [callable], automaticFunctionCalling: { disable: true } };
const contents: Content[] = [createUserContent(process.argv[2] ?? 'Cancel order 17')];

for (;;) {
  const { candidates, functionCalls = [], text } = await ai.models.generateContent({ model, contents, config });
  if (functionCalls.length === 0) {
    console.log(text);
    break;
  }
  const parts: Part[] = [];
  for (const call of functionCalls) parts.push(await answer(call));
  contents.push(candidates?.[0]?.content ?? {}, createUserContent(parts));
}

async function answer({ id, name = '', args }: FunctionCall): Promise<Part> {
  const part = (response: Record<string, unknown>): Part => ({ functionResponse: { ...(id !== undefined && { id }), name, response } });
  const tool = agentTools(tools).find((candidate) => candidate.name === name);
  if (!tool) return part({ error: `There is no tool ${name}` });
  const decision = await tool.decide(args).catch(() => undefined);
  if (!decision) return part({ error: 'The service cannot be asked now: it did not run.' });
  const { needed, callOptions } = decision;
  if (needed && !(await mayRun(needed))) return part({ output: 'A human said no: it did not run.' });
  // The options of the decision: it runs what the human saw, and no action that has changed since.
  const { value } = await tool.answer(args, callOptions);
  return part({ output: value });
}

async function mayRun(call: ResolveResponse): Promise<boolean> {
  const terminal = createInterface(process.stdin, process.stdout);
  const reply = await terminal.question(`Run ${describeCall(call)}? (y/n) `);
  terminal.close();
  return reply === 'y';
}
