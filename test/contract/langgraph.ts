/** A conversation in an agent that is a LangGraph graph, with its interrupts answered. */
import type { ToolMessage } from '@langchain/core/messages';
import { Command, isInterrupted } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import type { ApprovalDecision, ApprovalRequest, ApprovalResponse } from 'svc-sdk/langchain';
import type { Conversing } from './adapter';
import type { StageModel } from './stage';

/** A graph of `createReactAgent`, `createAgent`, or any other graph with messages. */
export interface Agent {
  // biome-ignore lint/suspicious/noExplicitAny: the input, options and chunks of each have different generics
  stream(input: any, options: any): Promise<AsyncIterable<any>>;
}

export function chatModel({ baseURL }: StageModel): ChatOpenAI {
  return new ChatOpenAI({ model: 'scripted-model', apiKey: 'any', maxRetries: 0, configuration: { baseURL } });
}

/** The agent's last words. With `messages` among the modes the model streams. */
export async function converseInGraph(agent: Agent, { question, signal, onProgress, onPayment, approve }: Conversing): Promise<string> {
  let input: unknown = { messages: [{ role: 'user', content: question }] };
  for (;;) {
    let text = '';
    let payments: unknown[] = [];
    const resume: Record<string, ApprovalResponse> = {};
    const options = { streamMode: ['custom', 'values', 'messages'], signal, configurable: { thread_id: 'thread' } };
    for await (const [mode, chunk] of await agent.stream(input, options)) {
      if (mode === 'custom') onProgress(chunk.progress);
      if (mode !== 'values') continue;
      text = chunk.messages?.at(-1)?.text ?? text;
      payments = chunk.messages?.flatMap((message: ToolMessage) => message.metadata?.payment ?? []) ?? payments;
      if (!isInterrupted<ApprovalRequest>(chunk)) continue;
      for (const { id = '', value } of chunk.__interrupt__) {
        const decisions: ApprovalDecision[] = [];
        for (const { name, args } of value?.actionRequests ?? [])
          decisions.push({ type: (await approve({ tool: name, input: args })) ? 'approve' : 'reject' });
        resume[id] = { decisions };
      }
    }
    if (Object.keys(resume).length === 0) {
      payments.forEach(onPayment);
      return text;
    }
    input = new Command({ resume });
  }
}
