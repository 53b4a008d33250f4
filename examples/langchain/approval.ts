/**
 * The same, and a human decides before anything destructive runs.
 *
 *   OPENAI_API_KEY=… SVC_AGENT_API_KEY=… node examples/langchain/approval.ts "Cancel order 17"
 */
import { createInterface } from 'node:readline/promises';
import { Command, MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { type ApprovalRequest, type ApprovalResponse, svcTools } from 'svc-sdk/langchain';

const agent = createAgent({
  model: new ChatOpenAI({ model: process.env.OPENAI_MODEL ?? 'gpt-5-mini' }),
  tools: svcTools(),
  // A run that waits for a human is kept in a checkpointer.
  checkpointer: new MemorySaver(),
});
const thread = { configurable: { thread_id: 'example' } };

let state = await agent.invoke({ messages: [{ role: 'user', content: process.argv[2] ?? 'Cancel order 17' }] }, thread);
while (state.__interrupt__?.length) {
  const resume: Record<string, ApprovalResponse> = {};
  const terminal = createInterface(process.stdin, process.stdout);
  for (const { id = '', value } of state.__interrupt__) {
    const decisions: ApprovalResponse['decisions'] = [];
    for (const { description } of (value as ApprovalRequest).actionRequests) {
      const reply = await terminal.question(`${description}\nRun it? (y/n) `);
      decisions.push({ type: reply === 'y' ? 'approve' : 'reject' });
    }
    resume[id] = { decisions };
  }
  terminal.close();
  state = await agent.invoke(new Command({ resume }), thread);
}
console.log(state.messages.at(-1)?.text);
