import { svcTools } from 'svc-sdk/langchain';
import { expect, test, vi } from 'vitest';

vi.mock('@langchain/langgraph', () => {
  throw new Error("Cannot find package '@langchain/langgraph'");
});

test('without LangGraph no call that needs approval runs, and the error has its install command', async () => {
  const resolved = { action: { action: 'box__erase', description: 'Erases', payloadSchema: {} }, payload: {} };
  const fetched: string[] = [];
  const [, invokeService] = svcTools({
    apiKey: 'svc_agent_any',
    needsApproval: true,
    fetch: async (url) => {
      fetched.push(url);
      return Response.json(resolved);
    },
  });
  // The config that LangGraph passes to a tool in a graph with a checkpointer.
  const configurable = { __pregel_checkpointer: {}, __pregel_scratchpad: {} };
  const call = { type: 'tool_call', id: 'a', name: 'invoke_service', args: { action: 'box__erase', payload: {} } } as const;
  const told = await invokeService?.invoke(call, { configurable });
  expect(told).toMatchObject({ status: 'error', content: expect.stringContaining('npm install @langchain/langgraph') });
  expect(fetched).toEqual([expect.stringMatching(/resolve$/)]);
});
