/** Calls that every MCP client must support with the tools of the stage. */
import type { MCPClient } from '@ai-sdk/mcp';
import { expect } from 'vitest';

export const ROME = { city: 'Rome', celsius: 21 };

export const invoke = (action: string, payload: object = {}) => ({ name: 'invoke_service', arguments: { action, payload } });

export async function expectToolsToWork(client: {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(request: { name: string; arguments: Record<string, unknown> }): Promise<object>;
}): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search_services', 'invoke_service']);
  const found = await client.callTool({ name: 'search_services', arguments: { query: 'weather today' } });
  expect(found).toMatchObject({ structuredContent: { actions: [{ action: 'weather__today' }] } });
  expect(await client.callTool(invoke('weather__today', { city: 'Rome' }))).toMatchObject({ structuredContent: ROME });
  const failed = await client.callTool(invoke('weather__today', { city: 'Atlantis' }));
  expect(failed).toMatchObject({ isError: true, structuredContent: { error: { code: 'ACTION_FAILED' } } });
}

/** The same for a client that converts them to tools of its framework. */
export async function expectAiSdkToolsToWork(client: MCPClient): Promise<void> {
  const { search_services: search, invoke_service: run } = await client.tools();
  const options = { toolCallId: 'call_0', messages: [], context: {} };
  expect(await search?.execute({ query: 'weather today' }, options)).toMatchObject({
    structuredContent: { actions: [{ action: 'weather__today' }] },
  });
  const answer = await run?.execute({ action: 'weather__today', payload: { city: 'Rome' } }, options);
  expect(answer).toMatchObject({ structuredContent: ROME });
}
